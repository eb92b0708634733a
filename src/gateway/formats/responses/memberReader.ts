import { ApiError, type FieldIssue } from "../../../api/errors/errors.ts";
import { type NumberParameter, parameterProblem } from "../../../shared/chat/chatParameters.ts";
import { isMembers, type Members, ownMember } from "../../../shared/members.ts";

const maxIssues = 50;
const maxPath = 200;
const maxWords = 80;
/** Levels of lists and objects. The schema of a tool has ten or so. */
const maxDepth = 100;
/** Values in a body. A conversation of 2,000 turns with 100 tools has a tenth of it. */
const maxValues = 1_000_000;

/** The violated rules of one body. Further ones than fifty are not kept. */
export class Issues {
  readonly #found: FieldIssue[] = [];

  add(field: string, message: string): void {
    if (this.#found.length < maxIssues) this.#found.push({ field: shortened(field, maxPath), message });
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Throws `invalid-request` if a rule is violated. */
  check(): void {
    const [first] = this.#found;
    if (!first) return;
    const message = `${first.field || "The body"} ${first.message}`;
    throw new ApiError("invalid-request", message, { issues: [...this.#found], mayHaveArrived: false });
  }
}

/**
 * Reads the members of an object by name and type. A wrong one is an issue with its path, null is as good as absent, and
 * `end` refuses the members that nobody has read.
 */
export class MemberReader {
  readonly path: string;
  readonly issues: Issues;
  readonly #members: Members;
  readonly #read = new Set<string>();
  #isWhole = false;

  constructor(members: Members, path: string, issues: Issues) {
    this.#members = members;
    this.path = path;
    this.issues = issues;
  }

  value(name: string): unknown {
    this.#read.add(name);
    return ownMember(this.#members, name) ?? undefined;
  }

  /** A text that may be empty, and may not be absent. */
  presentText(name: string): string {
    if (this.value(name) === undefined) this.refuse(name, "is missing. It must be a text");
    return this.text(name) ?? "";
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "string") return value;
    return this.refuse(name, "must be text");
  }

  neededText(name: string): string {
    const text = this.text(name);
    const isMissing = this.value(name) === undefined || text === "";
    if (isMissing) this.refuse(name, "is missing. It must be a text");
    return text ?? "";
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "boolean") return value;
    return this.refuse(name, "must be true or false");
  }

  number(name: string, rule: NumberParameter): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number") return this.refuse(name, "must be a number");
    const problem = parameterProblem(rule, value);
    return problem === undefined ? value : this.refuse(name, problem);
  }

  oneOf<const Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const known = values.find((one) => one === value);
    return known ?? this.refuse(name, `must be ${values.join(" or ")}`);
  }

  list(name: string, max: number): readonly unknown[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.refuse(name, "must be a list");
    return value.length <= max ? value : this.refuse(name, `must have at most ${max} items`);
  }

  members(name: string): Members | undefined {
    const value = this.value(name);
    if (value === undefined || isMembers(value)) return value;
    return this.refuse(name, "must be an object");
  }

  object(name: string): MemberReader | undefined {
    const members = this.members(name);
    return members && new MemberReader(members, this.at(name), this.issues);
  }

  /** The objects of a list. Other items are issues. */
  objects(name: string, max: number): MemberReader[] {
    return (this.list(name, max) ?? []).flatMap((item, index) => {
      const path = `${this.at(name)}.${index}`;
      if (isMembers(item)) return [new MemberReader(item, path, this.issues)];
      this.issues.add(path, "must be an object");
      return [];
    });
  }

  /** Refuses a member unless it is absent or has one of the values by which it asks for nothing. */
  allow(name: string, values: readonly unknown[], reason: string): void {
    const value = this.value(name);
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (value !== undefined && !isEmpty && !values.includes(value)) this.refuse(name, reason);
  }

  /** Members that say nothing to a model, whatever they are. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** After an issue that makes the other members meaningless. */
  skipAll(): void {
    this.#isWhole = true;
  }

  refuse(name: string, message: string): undefined {
    this.issues.add(this.at(name), message);
    return undefined;
  }

  at(name: string): string {
    const shown = shortened(name, maxWords);
    return this.path === "" ? shown : `${this.path}.${shown}`;
  }

  end(): void {
    if (this.#isWhole) return;
    for (const [name, value] of Object.entries(this.#members))
      if (value !== null && !this.#read.has(name))
        this.refuse(name, "is not known here. Leave it out, or update the extension if it is new");
  }
}

/** Refuses a body that is too deep or too large to be walked, with the path of the first such value. Not recursive. */
export function checkBounds(body: Members, issues: Issues): void {
  let level: readonly Place[] = [{ value: body, name: "", parent: undefined }];
  let count = 0;
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
    const next: Place[] = [];
    for (const place of level) {
      count += addChildren(place, next);
      if (count <= maxValues) continue;
      issues.add(pathOf(place), `must have at most ${maxValues} values`);
      return;
    }
    level = next;
  }
  if (level.length > 0) issues.add(pathOf(level[0]), `must have at most ${maxDepth} levels`);
}

/** Adds the lists and objects of a value, and returns how many values it has. */
function addChildren(parent: Place, children: Place[]): number {
  const names = Object.keys(parent.value);
  for (const name of names) {
    const value: unknown = Reflect.get(parent.value, name);
    if (typeof value === "object" && value !== null) children.push({ value, name, parent });
  }
  return names.length;
}

interface Place {
  readonly value: object;
  readonly name: string;
  readonly parent: Place | undefined;
}

/** The first eight names of a path. */
function pathOf(place: Place | undefined): string {
  const names: string[] = [];
  for (let at = place; at?.parent; at = at.parent) names.unshift(shortened(at.name, maxWords));
  return names.slice(0, 8).join(".");
}

function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}
