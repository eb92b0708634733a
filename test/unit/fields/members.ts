// The members of requests and replies, as the schemas of the rows have them.
import type * as z from "zod";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { RpcAnswer, RpcAnswers, RpcItem, rpc } from "../../../src/api/endpoints/rpc.ts";

/** The name of a body that is one value: a text, a file, any JSON. */
export const wholeBody = "(body)";

/** Schemas that check in one pass what another schema describes. */
export const described: ReadonlyMap<z.core.$ZodType, z.ZodType> = new Map<z.core.$ZodType, z.ZodType>([
  [rpc.call.input.shape.body, RpcItem],
  [RpcAnswers, RpcAnswer],
]);

/** What this walk reads of a schema's definition; the kinds of schema differ in their members. */
export interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly values?: readonly unknown[];
  /** Of an enum. */
  readonly entries?: Readonly<Record<string, unknown>>;
}

/**
 * The paths of all members that have a value of their own, in the order of the schema: `messages.content.text`. The
 * elements of a list have the path of the list, the values of a record with free names the name `*`. A literal is listed with
 * its value, `messages.role: user`, so that each kind of a union has a path.
 */
export function pathsIn(schema: z.core.$ZodType): string[] {
  return [...new Set(walk(schema, []))].map((path) => path || wholeBody);
}

function walk(schema: z.core.$ZodType, path: readonly string[]): string[] {
  const found = described.get(schema);
  if (found) return walk(found, path);
  const definition = schema._zod.def as Definition;
  const { type, shape, element, options, innerType, in: from, valueType, values = [] } = definition;
  if (shape) return Object.entries(shape).flatMap(([name, member]) => walk(member, [...path, name]));
  if (options) return options.flatMap((option) => walk(option, path));
  // An empty text beside other texts is none of its kinds.
  if (type === "literal")
    return values.filter((value) => value !== "").map((value) => `${path.join(".")}: ${value}`);
  const inner = element ?? innerType ?? from;
  if (inner) return walk(inner, path);
  if (type === "record" && valueType && !isAnything(valueType)) return walk(valueType, [...path, "*"]);
  return [path.join(".")];
}

function isAnything(schema: z.core.$ZodType): boolean {
  return (schema._zod.def as Definition).type === "unknown";
}

/** The members of a request: of its body or query, of its path, of its headers by their names, and constant ones. */
export function requestMembers({ input, fixed, headers = {} }: Endpoint): string[] {
  const names = pathsIn(input).map((path) => headers[path] ?? path.replace(/^body\./, ""));
  return [...names, ...Object.entries(fixed ?? {}).map(([name, value]) => `${name}: ${value}`)];
}

export function replyMembers({ output }: Endpoint): string[] {
  return pathsIn(output);
}
