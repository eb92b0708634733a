import { isMembers } from "../../shared/members.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A small valid instance of a JSON Schema: required members, shortest lists, first alternatives. */
export function instanceOf(schema: unknown, text: string): unknown {
  return build(schema, schema, text, 0);
}

/** Schemas can be recursive. */
const maxDepth = 12;

function build(given: unknown, root: unknown, text: string, depth: number): unknown {
  if (!isMembers(given) || depth > maxDepth) return null;
  const schema = resolve(given, root);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ("default" in schema) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  const [way] = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat();
  if (way !== undefined)
    return build({ ...without(schema, ["anyOf", "oneOf"]), ...asSchema(way) }, root, text, depth + 1);
  if (Array.isArray(schema.allOf)) return build(merge(schema, root), root, text, depth + 1);
  return ofType(schema, root, text, depth);
}

function ofType(schema: Schema, root: unknown, text: string, depth: number): unknown {
  switch (typeOf(schema)) {
    case "object":
      return objectOf(schema, root, text, depth);
    case "array": {
      const count = number(schema.minItems) ?? 0;
      return Array.from({ length: count }, () => build(schema.items ?? {}, root, text, depth + 1));
    }
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return stringOf(schema, text);
  }
}

function typeOf(schema: Schema): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type !== undefined) return type;
  if ("properties" in schema || "required" in schema) return "object";
  return "items" in schema ? "array" : "string";
}

function objectOf(schema: Schema, root: unknown, text: string, depth: number): unknown {
  const properties = asSchema(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : Object.keys(properties);
  return Object.fromEntries(
    required.map((name) => [name, build(properties[name] ?? {}, root, text, depth + 1)]),
  );
}

function numberOf(schema: Schema): number {
  const step = number(schema.multipleOf) ?? (schema.type === "integer" ? 1 : undefined);
  const above = number(schema.exclusiveMinimum);
  const low = number(schema.minimum) ?? (above === undefined ? undefined : above + (step ?? 0.5));
  const high = number(schema.maximum) ?? number(schema.exclusiveMaximum);
  const start = low ?? Math.min(0, high === undefined ? 0 : high - (step ?? 1));
  return step === undefined ? start : Math.ceil(start / step) * step;
}

const formats: Readonly<Record<string, string>> = {
  date: "2026-01-01",
  time: "12:00:00Z",
  "date-time": "2026-01-01T12:00:00Z",
  email: "guide@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

function stringOf(schema: Schema, text: string): string {
  const format = formats[String(schema.format)];
  if (format !== undefined) return format;
  const padded = text.padEnd(number(schema.minLength) ?? 0, ".");
  return padded.slice(0, number(schema.maxLength) ?? padded.length);
}

/** Follows `$ref` within the document. */
function resolve(schema: Schema, root: unknown): Schema {
  const { $ref } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#")) return schema;
  const steps = $ref.slice(1).split("/").filter(Boolean);
  const target = steps.reduce<unknown>((node, step) => asSchema(node)[step], root);
  return { ...asSchema(target), ...without(schema, ["$ref"]) };
}

function merge(schema: Schema, root: unknown): Schema {
  const parts = [
    without(schema, ["allOf"]),
    ...(schema.allOf as unknown[]).map((part) => resolve(asSchema(part), root)),
  ];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => asSchema(part.properties))),
    required: parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])),
  };
}

function without(schema: Schema, names: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function asSchema(value: unknown): Schema {
  return isMembers(value) ? value : {};
}
