import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { inTime } from "../platform/inTime.ts";
import type { SchemaError } from "../shared/chat/schemaError.ts";
import { messageOf } from "../shared/messageOf.ts";
import { parseJson } from "../shared/text/json/parseJson.ts";

/** Limit of shown errors; an answer of a different shape breaks every rule. */
const maxErrors = 20;
/** Timeout of a check in milliseconds. */
const checkTimeoutMs = 1_000;

/** Members of a schema whose check may take long or never end, or members of an input with such a name. */
const mayTakeLong = /"(?:pattern|patternProperties|propertyNames|format|uniqueItems|\$\w*[rR]ef)":/;

/** Errors of a text against a JSON schema, both given as text; empty if it is valid. */
export function schemaErrors(schema: string, text: string): readonly SchemaError[] {
  const value = parseJson(text);
  if (value === undefined) return [{ at: "", message: "The answer is not JSON." }];
  return errorsOf(JSON.parse(schema), value).slice(0, maxErrors);
}

/**
 * Errors of a value against a JSON schema; empty if it is valid. A schema may come from anywhere: a pattern in it may
 * backtrack without end, a reference may be missing or circular. The result is then a single error that says so.
 */
export function errorsOf(schema: Readonly<Record<string, unknown>>, value: unknown): readonly SchemaError[] {
  try {
    const check = () => new Validator(schema as Schema, "2020-12", false).validate(value).errors;
    // To be able to abort it takes milliseconds, and each card of a call is checked several times.
    const errors = mayTakeLong.test(JSON.stringify(schema)) ? inTime(checkTimeoutMs, check) : check();
    const details = errors.filter(isDetail);
    return (details.length > 0 ? details : errors).map(toSchemaError);
  } catch (error) {
    const reason = messageOf(error);
    return [{ at: "", message: `The answer could not be checked against the schema: ${reason}` }];
  }
}

/** The error of a part also causes one for the whole, which adds no information. */
function isDetail({ keyword }: OutputUnit): boolean {
  return !["properties", "items", "allOf", "anyOf", "oneOf", "$ref"].includes(keyword);
}

function toSchemaError({ instanceLocation, error }: OutputUnit): SchemaError {
  return { at: instanceLocation.replace(/^#\/?/, ""), message: error };
}
