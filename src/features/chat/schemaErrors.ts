import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { SchemaError } from "../../shared/chatState.ts";

/** So many are shown; an answer of another shape altogether breaks every rule. */
const maxErrors = 20;

/** Where a text does not fit a JSON schema, both as text; none where it does. */
export function schemaErrors(schema: string, text: string): readonly SchemaError[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ at: "", message: "The answer is no JSON." }];
  }
  const { errors } = new Validator(JSON.parse(schema) as Schema, "2020-12", false).validate(value);
  const details = errors.filter(isDetail);
  return (details.length > 0 ? details : errors).slice(0, maxErrors).map(toSchemaError);
}

/** An error of a part makes one of the whole, which says less. */
export function isDetail({ keyword }: OutputUnit): boolean {
  return !["properties", "items", "allOf", "anyOf", "oneOf", "$ref"].includes(keyword);
}

export function toSchemaError({ instanceLocation, error }: OutputUnit): SchemaError {
  return { at: instanceLocation.replace(/^#\/?/, ""), message: error };
}
