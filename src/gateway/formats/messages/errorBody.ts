import type { WireError } from "../agentFormat.ts";

/** Types of Anthropic's errors, by the status that has them. */
const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** An error as Anthropic's API words it, in a reply and in a stream. Its message has the sentence and the member. */
export function errorBody({ status, sentence, field }: WireError) {
  const type = types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  const isNamed = field === undefined || field === "" || sentence.includes(field);
  const message = isNamed ? sentence : `${field}: ${sentence}`;
  const details =
    field === "thread.previous_message_id" ? { details: { error_code: "thread_not_found" } } : {};
  return { type: "error", error: { type, message, ...details }, request_id: null };
}
