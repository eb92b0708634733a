import { isMembers } from "../../shared/members.ts";
import { firstWords, isStreamLine, pageTitle } from "../../shared/text/html/bodyWords.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { classifyReply, type FailedReply } from "../errors/classify.ts";
import type { ApiError } from "../errors/errors.ts";
import { redact } from "../errors/redact.ts";
import { statusInWords } from "../errors/serviceErrors.ts";
import { malformed } from "../validate.ts";

/** True if a body without a whole event is an event stream none the less: it has broken off. */
export function isEventStream(body: string): boolean {
  return body.split(/\r\n|\r|\n/).every(isStreamLine);
}

/**
 * The JSON objects of a body in place of a stream: one, in any layout, a list of them (Gemini), or one on each line.
 * Undefined if there is anything else in it.
 */
export function objectsIn(body: string): readonly object[] | undefined {
  const whole = parsedObjects(body);
  if (whole) return whole;
  const lines = body.split("\n").filter((line) => line.trim() !== "" && line.trim() !== "[DONE]");
  const objects = lines.map(parsedObjects);
  return lines.length > 0 && objects.every((one) => one !== undefined) ? objects.flat() : undefined;
}

function parsedObjects(text: string): readonly object[] | undefined {
  const value = parseJson(text);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.length > 0 && values.every(isMembers) ? values : undefined;
}

/** True if an answer is complete with this object: it has a message, or says why it ended. */
export function endsAnswer(value: object): boolean {
  const { choices } = value as { readonly choices?: unknown };
  if (!Array.isArray(choices)) return true;
  return choices.some(
    (choice) => isMembers(choice) && ("message" in choice || Boolean(membersOf(choice).finish_reason)),
  );
}

function membersOf(value: object): Readonly<Record<string, unknown>> {
  return value as Readonly<Record<string, unknown>>;
}

/** The error for words in place of an answer, with these words: a gateway's or a proxy's, under HTTP 200. */
export function wordsError(
  body: string,
  reply: Omit<FailedReply, "text">,
  requestId: string | undefined,
): ApiError {
  const text = redact(body, reply.secrets).trim();
  const details = { status: reply.status, requestId, raw: text };
  if (text.startsWith("<")) {
    const title = pageTitle(text);
    const page = "the answer is an HTML page, not JSON";
    return malformed(reply.endpoint, title ? `${page}: “${title}”` : page, details);
  }
  if (objectsIn(text))
    return malformed(reply.endpoint, `the answer has no choices: ${firstWords(text)}`, details);
  // It may be the beginning of an answer, which is private.
  if (/^[{["]/.test(text)) return malformed(reply.endpoint, "the answer is not JSON", details);
  const words = firstWords(text);
  const status = statusInWords(words);
  if (status !== undefined) return classifyReply({ ...reply, status, text: words });
  return malformed(reply.endpoint, `the answer is not JSON: “${words}”`, details);
}
