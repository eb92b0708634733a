import { isMembers, type Members, membersOf } from "../../shared/members.ts";
import { shortened } from "../../shared/text/shortened.ts";
import { errorsOf } from "../schemaErrors.ts";

/** Faults that a refusal names. */
const maxFaults = 12;
/** Characters of a value in a refusal. */
const maxValueLength = 60;

/**
 * What is wrong with an input, each as a clause such as `offset "ten" is no integer`; empty if it fits the schema, an
 * object's. Names all faults at once, so that a model needs one more call, not one for each.
 */
export function inputFaults(schema: Members, value: unknown): readonly string[] {
  const errors = errorsOf(schema, value);
  if (errors.length === 0) return [];
  const faults = faultsIn(schema, value, "");
  // A schema of a workspace may have rules that are not worded here.
  const all =
    faults.length > 0 ? faults : errors.map(({ at, message }) => `${at || "arguments"}: ${message}`);
  return all.length > maxFaults ? [...all.slice(0, maxFaults), `${all.length - maxFaults} more faults`] : all;
}

/** What a tool takes, in one line: `read_file(path: string, offset?: integer)`. */
function signatureOf(name: string, schema: Members): string {
  return `${name}(${membersText(schema)})`;
}

/** The sentences of a refusal. Nothing was done. */
export function refusedInput(name: string, schema: Members, faults: readonly string[]): string {
  const listed = faults.map((fault) => `- ${fault.replace(/\.$/, "")}`).join("\n");
  return `${name} was not run, because its arguments are invalid:\n${listed}\nIt takes ${signatureOf(name, schema)}.`;
}

function membersText(schema: Members): string {
  const required = requiredOf(schema);
  return Object.entries(membersOf(schema.properties))
    .map(([name, member]) => `${name}${required.includes(name) ? "" : "?"}: ${typeText(membersOf(member))}`)
    .join(", ");
}

function typeText(schema: Members): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return `[${typeText(membersOf(schema.items))}]`;
  if (schema.type === "object" && isMembers(schema.properties)) return `{${membersText(schema)}}`;
  return typeof schema.type === "string" ? schema.type : "any";
}

function requiredOf({ required }: Members): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

function faultsIn(schema: Members, value: unknown, at: string): readonly string[] {
  const name = at || "the input";
  if (typeof schema.type === "string" && !isOfType(value, schema.type))
    return [`${name} ${valueText(value)} is no ${schema.type}`];
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return [`${name} ${valueText(value)} is none of ${typeText(schema)}`];
  if (typeof value === "string") return textFaults(schema, value, name);
  if (typeof value === "number") return numberFaults(schema, value, name);
  if (Array.isArray(value)) return listFaults(schema, value, at);
  return isMembers(value) ? memberFaults(schema, value, at) : [];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "object") return isMembers(value);
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  return typeof value === type;
}

function textFaults({ minLength, maxLength, pattern }: Members, value: string, name: string) {
  const length = [...value].length;
  return [
    ...(typeof minLength === "number" && length < minLength
      ? [`${name} is too short: ${length === 0 ? "it is empty" : `at least ${minLength} characters`}`]
      : []),
    ...(typeof maxLength === "number" && length > maxLength
      ? [`${name} is too long: at most ${maxLength.toLocaleString("en")} characters`]
      : []),
    ...(typeof pattern === "string" && !new RegExp(pattern, "u").test(value)
      ? [`${name} ${valueText(value)} does not match ${pattern}`]
      : []),
  ];
}

function numberFaults({ minimum, maximum }: Members, value: number, name: string) {
  return [
    ...(typeof minimum === "number" && value < minimum ? [`${name} ${value} is below ${minimum}`] : []),
    ...(typeof maximum === "number" && value > maximum ? [`${name} ${value} is above ${maximum}`] : []),
  ];
}

function listFaults({ minItems, maxItems, items }: Members, value: readonly unknown[], at: string) {
  const { length } = value;
  return [
    ...(typeof minItems === "number" && length < minItems
      ? [`${at} has ${length} entries, and needs ${minItems}`]
      : []),
    ...(typeof maxItems === "number" && length > maxItems
      ? [`${at} has ${length} entries, and may have ${maxItems}`]
      : []),
    ...value.flatMap((item, index) => faultsIn(membersOf(items), item, `${at}[${index}]`)),
  ];
}

function memberFaults(schema: Members, value: Members, at: string): readonly string[] {
  const properties = membersOf(schema.properties);
  const pathOf = (name: string) => (at === "" ? name : `${at}.${name}`);
  const missing = requiredOf(schema).filter(
    (name) => typeof name === "string" && !Object.hasOwn(value, name),
  );
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  return [
    ...missing.map((name) => `${pathOf(String(name))} is missing`),
    ...Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(properties, name) ? faultsIn(membersOf(properties[name]), member, pathOf(name)) : [],
    ),
    ...(schema.additionalProperties === false
      ? unknown.map((name) => `${shortened(pathOf(name), maxValueLength)} is not known`)
      : []),
  ];
}

/** Lists and objects are not shown: one of a model may be of any depth. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return "(a list)";
  if (isMembers(value)) return "(an object)";
  return shortened(JSON.stringify(value) ?? "undefined", maxValueLength);
}
