import { isMembers, type Members, membersOf } from "../../shared/members.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { shortened } from "../../shared/text/shortened.ts";
import type { ToolInput } from "../serviceTool.ts";
import { inputFaults } from "./inputFaults.ts";
import { isHarmless, meaningsOf, plainName } from "./memberNames.ts";
import { type PathRoots, toWorkspacePath } from "./workspacePath.ts";

/** An input as the tool reads it, or all that is wrong with it. */
export type Accepted =
  | {
      readonly input: ToolInput;
      /** Sentences for the model about what was left unread. */
      readonly notes: readonly string[];
    }
  | { readonly faults: readonly string[] };

export interface AcceptRules {
  readonly schema: Members;
  readonly roots: PathRoots;
  /** The call changes or costs something: then a member that is not known is a fault, because it may restrict the call. */
  readonly acts: boolean;
}

/** Members that are paths of the workspace. */
const pathMembers: ReadonlySet<string> = new Set(["path", "from", "to", "cwd", "include", "glob", "image"]);

/**
 * Reads what a model sends for a tool: names and types of other tools that it was trained on, and paths in other spellings.
 * Only what can mean one thing is read so. What is returned fits the schema.
 */
export function acceptInput(given: Members, rules: AcceptRules): Accepted {
  const reader = new InputReader(rules);
  const input = reader.object(rules.schema, given, "");
  const faults = [...reader.faults, ...inputFaults(rules.schema, input)];
  return faults.length > 0 ? { faults } : { input, notes: reader.notes };
}

class InputReader {
  readonly notes: string[] = [];
  readonly faults: string[] = [];
  readonly #rules: AcceptRules;

  constructor(rules: AcceptRules) {
    this.#rules = rules;
  }

  object(schema: Members, given: Members, at: string): ToolInput {
    const properties = membersOf(schema.properties);
    const read = new Map<string, unknown>();
    const pathOf = (name: string) => (at === "" ? name : `${at}.${name}`);
    // Exact names take precedence over others that may stand for them.
    const entries = Object.entries(given).sort(
      ([a], [b]) => Number(Object.hasOwn(properties, b)) - Number(Object.hasOwn(properties, a)),
    );
    for (const [name, value] of entries) {
      const member = memberFor(name, properties, read);
      if (member === undefined) this.#unknown(schema, pathOf(name), name, value, read);
      else if (!isAbsent(schema, member, value))
        this.#take(read, member, value, membersOf(properties[member]), pathOf);
    }
    // In the order of the schema, so that equal inputs are equal texts.
    const order = Object.keys(properties);
    return Object.fromEntries([...read].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
  }

  #take(
    read: Map<string, unknown>,
    member: string,
    value: unknown,
    schema: Members,
    pathOf: (name: string) => string,
  ): void {
    const now = this.#value(schema, value, member, pathOf(member));
    if (!read.has(member)) read.set(member, now);
    else if (read.get(member) !== now)
      this.faults.push(`${pathOf(member)} is given twice, with different values`);
  }

  #value(schema: Members, given: unknown, member: string, at: string): unknown {
    const value = ofType(schema, given);
    if (typeof value === "string" && pathMembers.has(member) && schema.type === "string")
      return toWorkspacePath(value, this.#rules.roots);
    if (Array.isArray(value)) {
      const items = membersOf(schema.items);
      return value.map((item, index) => this.#value(items, item, "", `${at}[${index}]`));
    }
    const isObject = isMembers(value) && isMembers(schema.properties);
    return isObject ? this.object(schema, value, at) : value;
  }

  /** Objects that may have any member keep it. */
  #unknown(schema: Members, at: string, name: string, value: unknown, read: Map<string, unknown>): void {
    if (schema.additionalProperties !== false) read.set(name, value);
    else if (isHarmless(name, value)) return;
    else if (this.#rules.acts) this.faults.push(`${shortened(at, 60)} is not known`);
    else this.notes.push(`${shortened(at, 60)} is not known to this tool, so it was ignored.`);
  }
}

/** The member that a name stands for; undefined if none. One that is read already is not meant by a further name. */
function memberFor(
  name: string,
  properties: Members,
  read: ReadonlyMap<string, unknown>,
): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  const names = Object.keys(properties);
  const plain = plainName(name);
  const same = names.find((one) => plainName(one) === plain);
  if (same !== undefined) return same;
  const meant = meaningsOf(name).filter((one) => Object.hasOwn(properties, one));
  return meant.find((one) => !read.has(one)) ?? meant[0];
}

/** Models send null for what they leave out. */
function isAbsent(schema: Members, member: string, value: unknown): boolean {
  if (value === null) return true;
  const isRequired = Array.isArray(schema.required) && schema.required.includes(member);
  const type = membersOf(membersOf(schema.properties)[member]).type;
  return !isRequired && value === "" && type !== "string";
}

/** The same value in the type of its member, if that is certain. */
function ofType({ type, items }: Members, value: unknown): unknown {
  if (type === "string")
    return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  const isOfObjects = membersOf(items).type === "object";
  if (type === "array" && isOfObjects && isMembers(value)) return [value];
  if (typeof value !== "string") return value;
  return valueIn(value.trim(), type, isOfObjects) ?? value;
}

/** The value of a type that a text stands for; undefined if it stands for none. */
function valueIn(text: string, type: unknown, isOfObjects: boolean): unknown {
  if (type === "boolean") return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
  if (type === "integer" || type === "number") return numberIn(text);
  if (type !== "array" && type !== "object") return undefined;
  const inside = parseJson(text);
  if (type === "object") return isMembers(inside) ? inside : undefined;
  return Array.isArray(inside) ? inside : isOfObjects && isMembers(inside) ? [inside] : undefined;
}

function numberIn(text: string): number | undefined {
  const value = Number(text);
  return /^-?\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Math.trunc(value)) ? value : undefined;
}
