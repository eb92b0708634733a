import { ApiError, type FieldIssue } from "../../api/errors/errors.ts";
import { type NumberParameter, parameterProblem } from "../../shared/chat/chatParameters.ts";
import { isMembers, type Members, ownMember } from "../../shared/members.ts";

/** Issues of one refusal, at most. */
const maxIssues = 50;
/** Nesting of a schema or of a call's input, at most. Code that walks JSON recursively can process it. */
const maxDepth = 200;

/** What is refused of one body. */
export class BodyIssues {
  readonly #issues: FieldIssue[] = [];

  add(issue: FieldIssue): void {
    if (this.#issues.length < maxIssues) this.#issues.push(issue);
  }

  /** Throws ApiError `invalid-request` with all issues, if there are any. */
  check(): void {
    const [first] = this.#issues;
    if (!first) return;
    const details = { issues: this.#issues, mayHaveArrived: false };
    throw new ApiError("invalid-request", `${first.field || "body"}: ${first.message}`, details);
  }
}

/**
 * A value of a body, with its path. Reads collect issues and go on, so that one refusal names all. Null is read as
 * absent. A read takes time in proportion to the value at most.
 */
export class BodyValue {
  readonly value: unknown;
  readonly #issues: BodyIssues;
  readonly #parent: BodyValue | undefined;
  readonly #name: string | number;

  constructor(value: unknown, issues: BodyIssues, parent?: BodyValue, name: string | number = "") {
    this.value = value ?? undefined;
    this.#issues = issues;
    this.#parent = parent;
    this.#name = name;
  }

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  /** Dotted, `messages.0.content`; empty for the body itself. */
  get path(): string {
    const before = this.#parent?.path ?? "";
    const name = String(this.#name)
      .slice(0, 100)
      .replace(/\p{Cc}/gu, " ");
    return before === "" ? name : `${before}.${name}`;
  }

  refuse(message: string): undefined {
    this.#issues.add({ field: this.path, message });
  }

  /** Refused if it is there. */
  refuseAny(message: string): void {
    if (!this.isAbsent) this.refuse(message);
  }

  text(): string | undefined {
    if (this.isAbsent || typeof this.value === "string") return this.value as string | undefined;
    return this.refuse("must be text");
  }

  neededText(): string | undefined {
    return this.isAbsent ? this.refuse("is missing") : this.text();
  }

  flag(): boolean | undefined {
    if (this.isAbsent || typeof this.value === "boolean") return this.value as boolean | undefined;
    return this.refuse("must be true or false");
  }

  /** A number within the bounds of a parameter of the chat route. */
  number(parameter: NumberParameter): number | undefined {
    if (this.isAbsent) return undefined;
    const number = typeof this.value === "number" ? this.value : Number.NaN;
    const problem = parameterProblem(parameter, number);
    return problem === undefined ? number : this.refuse(problem);
  }

  /** Empty if it is absent. */
  list(): readonly BodyValue[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.value)) return this.refuse("must be a list") ?? [];
    return this.value.map((item, index) => new BodyValue(item, this.#issues, this, index));
  }

  /** One of these texts. */
  oneOf<Value extends string>(values: readonly Value[]): Value | undefined {
    if (this.isAbsent) return undefined;
    const found = values.find((value) => value === this.value);
    return found ?? this.refuse(`must be ${values.join(" or ")}`);
  }

  /** One member of an object; absent if this is no object. */
  at(name: string): BodyValue {
    const value = isMembers(this.value) ? ownMember(this.value, name) : undefined;
    return new BodyValue(value, this.#issues, this, name);
  }

  /** The members of an object. Others than the named ones are refused. Undefined if it is absent or no object. */
  members<Name extends string>(names: readonly Name[]): Readonly<Record<Name, BodyValue>> | undefined {
    if (this.isAbsent) return undefined;
    if (!isMembers(this.value)) return this.refuse("must be an object");
    const known: readonly string[] = names;
    for (const name of Object.keys(this.value))
      if (!known.includes(name))
        this.at(name).refuseAny("can't be translated for this service; leave it out");
    const entries = names.map((name) => [name, this.at(name)]);
    return Object.fromEntries(entries) as Readonly<Record<Name, BodyValue>>;
  }

  /** Any JSON object of a bounded depth. */
  json(): Members | undefined {
    if (this.isAbsent) return undefined;
    if (!isMembers(this.value)) return this.refuse("must be an object");
    return isDeeper(this.value) ? this.refuse(`is nested more than ${maxDepth} levels deep`) : this.value;
  }
}

/** True for JSON that is nested too deeply to be walked. */
export function isDeeper(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    const next: unknown[] = [];
    for (const item of level)
      if (typeof item === "object" && item !== null)
        for (const inner of Object.values(item)) next.push(inner);
    level = next;
  }
  return false;
}
