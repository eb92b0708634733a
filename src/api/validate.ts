import type * as z from "zod";
import { ApiError, type FieldIssue } from "./errors/errors.ts";

/** The input as parsed by its row. Throws `invalid-request` with field, rule and size before anything is sent. */
export function checkInput<Schema extends z.ZodType>(
  endpoint: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => toFieldIssue(issue, input));
  const [first] = issues;
  const message = first ? `${first.field || "request"}: ${first.message}` : "invalid request";
  throw new ApiError("invalid-request", message, { endpoint, issues, mayHaveArrived: false });
}

/** The reply as parsed by its row. Throws `malformed-response` with the path of the invalid value. */
export function checkOutput<Schema extends z.ZodType>(
  endpoint: string,
  schema: Schema,
  reply: unknown,
  details: { readonly status?: number; readonly requestId?: string | undefined },
): z.output<Schema> {
  const parsed = schema.safeParse(reply);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => toFieldIssue(issue, reply));
  throw malformed(endpoint, `${issues[0]?.field || "reply"}: ${issues[0]?.message}`, { ...details, issues });
}

export function malformed(
  endpoint: string,
  message: string,
  details: {
    readonly status?: number;
    readonly requestId?: string | undefined;
    readonly issues?: readonly FieldIssue[];
    readonly raw?: string;
  },
): ApiError {
  const { requestId, ...rest } = details;
  const known = requestId === undefined ? rest : { ...rest, requestId };
  return new ApiError("malformed-response", message, { endpoint, mayHaveArrived: true, ...known });
}

function toFieldIssue(issue: z.core.$ZodIssue, input: unknown): FieldIssue {
  const size = sizeOf(issue.path.reduce<unknown>(memberOf, input));
  return {
    field: issue.path.map(String).join("."),
    message: size ? `${issue.message} (${size})` : issue.message,
  };
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

/** The size of the invalid value, never its text: it may be long or private. */
function sizeOf(value: unknown): string | undefined {
  if (typeof value === "number") return `is ${value}`;
  if (typeof value === "string") return `has ${value.length} characters`;
  if (Array.isArray(value)) return `has ${value.length} items`;
  return undefined;
}
