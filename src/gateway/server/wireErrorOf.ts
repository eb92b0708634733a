import { type ApiError, type ErrorKind, isApiError, isLimit } from "../../api/errors/errors.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import { shortened } from "../../shared/text/shortened.ts";
import type { WireError } from "../formats/agentFormat.ts";
import { type Answered, Refused } from "./refused.ts";

/**
 * The HTTP status by kind. A client's own token is refused with 401 alone, because some clients then sign in again: what
 * the service says of its key is 403.
 */
const statuses: Readonly<Record<ErrorKind, number>> = {
  "invalid-request": 400,
  unauthorized: 403,
  "admin-key-required": 403,
  "payment-required": 402,
  forbidden: 403,
  "not-found": 404,
  gone: 404,
  "too-large": 413,
  "refused-content": 400,
  "rate-limited": 429,
  "failure-budget": 429,
  unavailable: 503,
  "timed-out": 504,
  network: 502,
  cancelled: 499,
  "malformed-response": 502,
  "needs-language-model": 400,
  "not-signed": 403,
};

/** `service` is the name of the connection, for the sentence. */
export function wireErrorOf(error: unknown, service: string, nowMs: number): Answered {
  if (error instanceof Refused) return error.answered;
  const { sentence } = explain(error, { service });
  if (!isApiError(error)) return { error: { status: 500, sentence } };
  const { issues, retryAtMs } = error.details;
  const [issue] = issues ?? [];
  return {
    error: {
      status: statuses[error.kind],
      sentence: sentenceOf(error, sentence),
      ...codeOf(error),
      ...(issue?.field ? { field: issue.field } : {}),
    },
    ...(retryAtMs === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil((retryAtMs - nowMs) / 1000)) }),
  };
}

function codeOf(error: ApiError): Pick<WireError, "code"> {
  if (error.kind === "payment-required") return { code: "insufficient_quota" };
  return isLimit(error) ? { code: "rate_limit_exceeded" } : {};
}

const raise =
  "Raise the cap in VS Code: run “Use with Other Agents…”, and choose this client. Nothing was sent.";

/** The words of a member, a cap and a limit are for the one who uses the other program. */
function sentenceOf(error: ApiError, sentence: string): string {
  const { source, issues } = error.details;
  if (source === "task")
    return `${upper(error.message.replace("the cap of the task", "the cap of this session"))}. ${raise}`;
  if (source === "limit") return `${upper(error.message)}. Nothing was sent.`;
  if (error.kind !== "invalid-request" || !issues || issues.length === 0) return sentence;
  const list = issues
    .slice(0, mostIssues)
    .map(({ field, message }) => shortened(`${field || "the body"}: ${message}`, longestIssue));
  const more = issues.length > mostIssues ? `, and ${issues.length - mostIssues} more` : "";
  return `The request can't be translated: ${list.join("; ")}${more}. Nothing was sent.`;
}

const mostIssues = 5;
/** It may name what was sent. */
const longestIssue = 400;

function upper(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
