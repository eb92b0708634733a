import type { AttemptRecord, BodyRecord, Called } from "../../api/call/record/callRecorder.ts";
import { fullMoneyText } from "../../shared/money/moneyText.ts";
import { plural } from "../../shared/text/plural.ts";
import type { AttemptView, BodyView, Fact, RequestDetail } from "../protocol/requestsProtocol.ts";
import { bodyNote, documentText } from "./bodyText.ts";
import type { RequestHead } from "./log/requestHead.ts";
import { replayInput } from "./replay/replayInput.ts";
import { durationText, localTime, priceText, sourceName, statusText, tokensText } from "./requestSearch.ts";

/** Characters of a body that the page shows. The rest is in the editor. */
const maxShown = 32_768;

export function toDetail(head: RequestHead, called: Called): RequestDetail {
  const input = replayInput(called);
  return {
    id: head.id,
    title: `${head.method} ${head.path}`.trim() || head.endpoint,
    facts: factsOf(head, called),
    attempts: called.attempts.map((attempt, index) => toAttempt(attempt, index, called.queuedMs)),
    replayProblem: "problem" in input ? input.problem : "",
  };
}

function factsOf(head: RequestHead, { error, attempts, queuedMs }: Called): Fact[] {
  const sentMs = attempts[0]?.startMs;
  const { model = "", cachedTokens, replayOf, requestIds } = head;
  return known([
    ["Result", statusText(head)],
    ["Error", error?.message],
    ["Connection", head.connection],
    ["Source", sourceName(head)],
    ["Call", head.endpoint],
    ["Model", model],
    ["Queued", localTime(queuedMs)],
    ["Sent", sentMs === undefined ? "Never" : `after ${durationText(sentMs - queuedMs)}`],
    ["First byte or token", head.firstMs === undefined ? "" : `after ${durationText(head.firstMs)}`],
    ["End", `after ${durationText(head.ms)}`],
    ["Tokens", tokensText(head)],
    ["Cached tokens", cachedTokens?.toLocaleString("en-US")],
    ["Price", priceText(head, fullMoneyText)],
    ["Attempts", attempts.length > 1 ? String(attempts.length) : ""],
    ["Request id", requestIds.join(", ")],
    ["Sent again", replayOf === undefined ? "" : `This repeats ${replayOf}`],
  ]);
}

function toAttempt(attempt: AttemptRecord, index: number, queuedMs: number): AttemptView {
  const { status, error, waitMs, waitReason, startMs, headersMs, firstByteMs, firstTokenMs, endMs } = attempt;
  const since = (ms: number | undefined) => (ms === undefined ? "" : durationText(ms - startMs));
  const { request, response, requestHeaders, responseHeaders = {} } = attempt;
  return {
    title: `Attempt ${index + 1}: ${status ?? "no answer"}${error ? ` (${error.kind})` : ""}`,
    facts: known([
      ["Route", `${attempt.method} ${attempt.path}`],
      ["Sent", `${durationText(startMs - queuedMs)} after the call`],
      ["Headers after", since(headersMs)],
      ["First byte after", since(firstByteMs)],
      ["First token after", since(firstTokenMs)],
      ["End after", since(endMs)],
      ["Request id", attempt.requestId],
      ["Reason", error?.message],
      ["Waited then", waitMs === undefined ? "" : `${durationText(waitMs)}, because of ${waitReason}`],
    ]),
    requestHeaders: Object.entries(requestHeaders),
    request: request ? toBody(request) : null,
    responseHeaders: Object.entries(responseHeaders),
    response: response ? toBody(response) : null,
  };
}

function toBody(body: BodyRecord): BodyView {
  const text = documentText(body);
  const size = plural(body.bytes, "byte").replace(/^\d+/, body.bytes.toLocaleString("en-US"));
  const isLong = text.length > maxShown;
  return {
    summary: [body.type, size].filter(Boolean).join(" · "),
    text: isLong ? text.slice(0, maxShown) : text,
    note: [bodyNote(body), isLong ? "Only its beginning is shown here." : ""].filter(Boolean).join(" "),
  };
}

function known(facts: readonly (readonly [string, string | undefined])[]): Fact[] {
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}
