import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { inTime } from "../../platform/inTime.ts";
import type { SchemaError } from "../../shared/chatMessages.ts";

/** So many are shown; an answer of another shape altogether breaks every rule. */
const maxErrors = 20;
/** Milliseconds that a check may take. */
const checkTimeoutMs = 1_000;

/** Where a text does not fit a JSON schema, both as text; none where it does. */
export function schemaErrors(schema: string, text: string): readonly SchemaError[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ at: "", message: "The answer is no JSON." }];
  }
  return errorsOf(JSON.parse(schema) as Schema, value).slice(0, maxErrors);
}

/**
 * Where a value does not fit a JSON schema; none where it does. A schema comes from anywhere: a pattern in it may take
 * for ever, a reference lead nowhere or in circles. Then the one error says so.
 */
export function errorsOf(schema: Schema, value: unknown): readonly SchemaError[] {
  try {
    const errors = inTime(
      checkTimeoutMs,
      () => new Validator(schema, "2020-12", false).validate(value).errors,
    );
    const details = errors.filter(isDetail);
    return (details.length > 0 ? details : errors).map(toSchemaError);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ at: "", message: `It could not be checked against the schema: ${why}` }];
  }
}

/** An error of a part makes one of the whole, which says less. */
function isDetail({ keyword }: OutputUnit): boolean {
  return !["properties", "items", "allOf", "anyOf", "oneOf", "$ref"].includes(keyword);
}

function toSchemaError({ instanceLocation, error }: OutputUnit): SchemaError {
  return { at: instanceLocation.replace(/^#\/?/, ""), message: error };
}
