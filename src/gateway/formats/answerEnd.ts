import { ApiError } from "../../api/errors/errors.ts";
import { lengthReasons } from "../../shared/chat/toolArguments.ts";

/** Why an answer is over, in the words of the chat route. */
export type AnswerEnd = "stop" | "tool_calls" | "length" | "content_filter";

/** The reasons by which services say that they could not go on, and not that the model was done. */
const brokenReasons: ReadonlySet<string> = new Set([
  "error",
  "abort",
  "network_error",
  "insufficient_system_resource",
]);

/**
 * Why an answer is over. Services have words of their own for it, or none, and some say `stop` of an answer with calls, after
 * which agents would not run them. Throws ApiError `malformed-response` if the service broke the answer off.
 */
export function answerEnd(said: string | null | undefined, hasCalls: boolean): AnswerEnd {
  const reason = (said ?? "").toLowerCase();
  if (brokenReasons.has(reason))
    throw new ApiError("malformed-response", `the service broke the answer off: ${reason}`, {
      mayHaveArrived: true,
    });
  if (lengthReasons.has(reason)) return "length";
  if (reason === "content_filter") return "content_filter";
  return hasCalls ? "tool_calls" : "stop";
}
