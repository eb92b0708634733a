// The members that openai-node's types demand of an event or an item, read from its declarations.
import { readFileSync } from "node:fs";
import { isMembers, type Members } from "../../../../../src/shared/members.ts";

interface Member {
  readonly isOptional: boolean;
  readonly type: string;
}
type Shape = ReadonlyMap<string, Member>;

const file = new URL(
  "../../../../../node_modules/openai/resources/responses/responses.d.ts",
  import.meta.url,
);

/** The interfaces of the declarations that have a literal `type`, by it. */
function shapesByType(): ReadonlyMap<string, Shape> {
  const found = new Map<string, Shape>();
  const text = readFileSync(file, "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//g, "");
  for (const [, name = "", body = ""] of text.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)) {
    const members = [...body.matchAll(/^ {4}(\w+)(\?)?: ([\s\S]*?);$/gm)];
    const shape = new Map(
      members.map(([, member = "", mark, type = ""]) => [member, { isOptional: mark === "?", type }]),
    );
    const [, literal] = /^'([\w.]+)'$/.exec(shape.get("type")?.type ?? "") ?? [];
    const isOutput =
      !/(?:Param|Tool|Item|Input(?:Text|Image|File|Message)\w*)$/.test(name) ||
      name === "ResponseReasoningItem";
    if (literal !== undefined && isOutput && !found.has(literal)) found.set(literal, shape);
    if (name === "Response") found.set("Response", shape);
    if (name === "ResponseUsage") found.set("ResponseUsage", shape);
  }
  return found;
}

const shapes = shapesByType();

/** What is wrong with a value by the declarations: members that are missing, unknown, or of another type. */
export function problemsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => problemsOf(item, `${path}.${index}`));
  if (!isMembers(value)) return [];
  const name = value.object === "response" ? "Response" : String(value.type);
  const shape = shapes.get(name);
  if (!shape) return path === "" ? [`${name} has no declaration`] : [];
  return [...membersProblems(value, shape, `${path} ${name}`), ...inside(value, path)];
}

function inside(value: Members, path: string): string[] {
  return ["item", "part", "response", "output", "content", "summary", "annotation"].flatMap((name) =>
    problemsOf(value[name], `${path}.${name}`),
  );
}

/** `output_text` is made by the library; statuses of custom calls are declared for stored items alone. */
const exceptions = new Set(["output_text", "status", "store"]);

function membersProblems(value: Members, shape: Shape, path: string): string[] {
  const missing = [...shape].flatMap(([name, { isOptional }]) =>
    isOptional || name in value || exceptions.has(name) ? [] : [`${path}: ${name} is missing`],
  );
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const declared = shape.get(name);
    if (!declared) return exceptions.has(name) ? [] : [`${path}: ${name} is not declared`];
    return isOf(member, declared) ? [] : [`${path}: ${name} is not ${declared.type}`];
  });
  return [...missing, ...wrong];
}

/** True unless a value is certainly of another type. A member that may be absent may be null on the wire. */
function isOf(value: unknown, { type, isOptional }: Member): boolean {
  if (value === null) return isOptional || /\bnull\b|unknown/.test(type);
  const literals = [...type.matchAll(/'([\w.-]+)'/g)].map(([, literal]) => literal);
  const isOnlyLiterals = literals.length > 0 && /^[\s|'\w.-]+$/.test(type) && !/\b[A-Z]/.test(type);
  if (isOnlyLiterals) return literals.includes(String(value));
  if (/^(string|number|boolean)( \| null)?$/.test(type)) return type.startsWith(typeof value);
  return type.startsWith("Array<") ? Array.isArray(value) : true;
}
