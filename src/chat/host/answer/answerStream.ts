import { randomUUID } from "node:crypto";
import type { ClientEvent } from "../../../api/call/client.ts";
import type { ChatChunk, ReplyToolCall, Usage } from "../../../api/endpoints/chat/chatReply.ts";
import type { ChatRequest } from "../../../api/endpoints/chat/chatRequest.ts";
import { AnswerBuilder, carriesDocuments, mostDetails } from "../../../api/stream/chatAnswer.ts";
import { createTextSplitter, type TextPiece } from "../../../api/stream/chatText.ts";
import { mostCalls } from "../../../api/stream/toolCallMerger.ts";
import type { Client } from "../../../session/session.ts";
import { type AnswerEnd, cutCallProblem } from "../../../shared/chat/toolArguments.ts";
import type { AnswerPart, AnswerPatch } from "../../protocol/chatMessages.ts";
import type { ModelToolCall } from "../tools/tool.ts";
import { ReplyCollector } from "./replyCollector.ts";
import { TokenChances } from "./tokenChances.ts";

/** Events of the answers to one request; `choice` counts from 0 (spec E10, `n`). */
export interface AnswerEvents {
  onText(choice: number, part: AnswerPart, text: string): void;
  /** All text of this request so far was reasoning. */
  onTextWasReasoning(choice: number): void;
  /** Without a choice, the patch applies to all answers of the request. */
  onPatch(choice: number | undefined, patch: AnswerPatch): void;
  /** The tool calls of an answer, once it is complete. */
  onCalls(choice: number, calls: readonly ModelToolCall[]): void;
}

/**
 * Sends the request and reports the answers until they end: `done`, or `truncated` if the stream stopped before the
 * service ended it. Throws ApiError after reporting what arrived. Reports nothing after the signal is aborted.
 */
export async function askForAnswer(
  client: Client,
  request: ChatRequest,
  signal: AbortSignal,
  events: AnswerEvents,
): Promise<"done" | "truncated"> {
  const texts = createTextReports(events);
  // Text is stored separately; this collects the members that need the whole answer.
  const rest = new AnswerBuilder();
  const chances = new TokenChances();
  const splitter = createTextSplitter();
  const notes = createNotes(events);
  const ends = createAnswerEnds();
  const stream = await client.api.chat.stream(request, {
    signal,
    observe: (event) => {
      if (!signal.aborted) reportWait(event, events);
    },
  });
  const facts = new ReplyCollector(stream.requestId);
  const report = (patches: ReturnType<ReplyCollector["add"]>) => {
    for (const [choice, patch] of patches) events.onPatch(choice, patch);
  };
  for await (const chunks of stream.batches()) {
    if (signal.aborted) break;
    for (const piece of splitter.split(chunks)) texts.report(piece);
    for (const chunk of chunks) report(facts.add(chunk));
    for (const chunk of chunks) addRest(rest, chunk);
    for (const choice of splitter.refused) notes.add(choice, "The model refused to answer.");
    chances.add(chunks);
    ends.add(chunks);
  }
  if (signal.aborted) return "truncated";
  reportChances(chances, events, notes.add);
  if (stream.end !== "truncated") {
    reportRest(rest, events, notes.add, ends.endOf);
    report(facts.addSourcesOf(rest.answer()));
  }
  return stream.end ?? "truncated";
}

function reportWait(event: ClientEvent, events: Pick<AnswerEvents, "onPatch">): void {
  events.onPatch(undefined, { resendAtMs: event.type === "waiting" ? Date.now() + event.ms : null });
}

/** Reports the text of answers, and the times of its first parts since now. */
function createTextReports(events: Pick<AnswerEvents, "onPatch" | "onText" | "onTextWasReasoning">) {
  const startMs = performance.now();
  const clocks = new Map<number, ReturnType<typeof createClock>>();
  const clockOf = (choice: number) => {
    const clock = clocks.get(choice) ?? createClock(startMs);
    clocks.set(choice, clock);
    return clock;
  };
  return {
    report({ choice, part, text, endsReasoning }: TextPiece): void {
      if (endsReasoning) {
        events.onTextWasReasoning(choice);
        return;
      }
      const timing = clockOf(choice).onText(part);
      if (timing) events.onPatch(choice, { timing });
      events.onText(choice, part, text);
    },
  };
}

function reportChances(
  { byChoice, prompt }: TokenChances,
  events: Pick<AnswerEvents, "onPatch">,
  note: (choice: number, line: string) => void,
): void {
  for (const [choice, { tokens, isCut }] of byChoice) {
    events.onPatch(choice, { tokens });
    if (isCut) note(choice, `The token probabilities are those of the first ${tokens.length} tokens.`);
  }
  if (!prompt) return;
  events.onPatch(0, { promptTokens: prompt.tokens });
  if (prompt.isCut)
    note(0, `The probabilities of the prompt are those of its first ${prompt.tokens.length} tokens.`);
}

/** How each answer ended. The usage covers all of them, so it is the length of an answer only if there is one. */
function createAnswerEnds() {
  const reasons = new Map<number, string>();
  let usage: Usage | undefined;
  return {
    add(chunks: readonly ChatChunk[]): void {
      for (const chunk of chunks) {
        usage = chunk.usage ?? usage;
        for (const { index, finish_reason } of chunk.choices)
          if (finish_reason) reasons.set(index, finish_reason);
      }
    },
    endOf: (choice: number): AnswerEnd => ({
      finishReason: reasons.get(choice),
      tokens: reasons.size === 1 ? usage?.completion_tokens : undefined,
    }),
  };
}

/** Notes on an answer, each once. */
function createNotes(events: Pick<AnswerEvents, "onPatch">) {
  const reported = new Map<number, readonly string[]>();
  return {
    add(choice: number, line: string): void {
      const before = reported.get(choice) ?? [];
      if (before.includes(line)) return;
      reported.set(choice, [...before, line]);
      events.onPatch(choice, { notes: [...before, line] });
    },
  };
}

function addRest(rest: AnswerBuilder, chunk: ChatChunk): void {
  if (hasMoreThanText(chunk)) rest.add(withoutText(chunk));
}

function hasMoreThanText({ choices }: ChatChunk): boolean {
  return choices.some(
    ({ delta: { tool_calls, reasoning_details, thought_signature, reasoning_encrypted } }) =>
      tool_calls || reasoning_details || thought_signature || reasoning_encrypted,
  );
}

/** Encrypted reasoning is not shown, but has to be sent back unchanged. */
function withoutText(chunk: ChatChunk): ChatChunk {
  const choices = chunk.choices.map(
    ({ index, finish_reason, delta: { content: _, refusal: __, ...delta } }) => {
      const { reasoning_content, ...others } = delta;
      const isSecret = delta.reasoning_encrypted && reasoning_content;
      return { index, finish_reason, delta: { ...others, ...(isSecret ? { reasoning_content } : {}) } };
    },
  );
  return { ...chunk, choices };
}

function reportRest(
  rest: AnswerBuilder,
  events: Pick<AnswerEvents, "onPatch" | "onCalls">,
  note: (choice: number, line: string) => void,
  endOf: (choice: number) => AnswerEnd,
): void {
  const answer = rest.answer();
  for (const { index, message } of answer.choices) {
    const { role: _, content: __, refusal: ___, tool_calls, ...echo } = message;
    const asked = (tool_calls ?? []).filter((call) => !carriesDocuments(call)).map(toAskedCall);
    const isTooMuch =
      rest.leftOut(index).has("reasoning_details") || isTooLong([echo, asked.map((call) => call.echo)]);
    const stored = isTooMuch ? asked.map(({ echo: _, ...call }) => call) : asked;
    if (isTooMuch) note(index, "The data of its reasoning is too large to be sent with the next question.");
    else if (Object.keys(echo).length > 0) events.onPatch(index, { echo });
    if (rest.leftOut(index).has("tool_calls"))
      note(index, `It asked for more than ${mostCalls} calls. The others were dropped.`);
    if (stored.length > 0) events.onCalls(index, withCut(stored, endOf(index)));
  }
}

function withCut(calls: readonly ModelToolCall[], end: AnswerEnd): ModelToolCall[] {
  return calls.map((call, index) => {
    const isLast = index === calls.length - 1;
    const cut = cutCallProblem(call.arguments, isLast, end, call.isCustom);
    return cut === undefined ? call : { ...call, cut };
  });
}

function isTooLong(value: unknown): boolean {
  return JSON.stringify(value).length > mostDetails;
}

/** A call without an id gets one, because its result has to refer to it. */
function toAskedCall({ id, type: _, function: made, custom, ...others }: ReplyToolCall): ModelToolCall {
  const { name, arguments: text, ...inside } = made ?? {};
  const { name: customName, input, ...insideCustom } = custom ?? {};
  const isCustom = custom !== undefined && custom !== null;
  const within = isCustom ? insideCustom : inside;
  const echo = {
    ...others,
    ...(Object.keys(within).length > 0 ? { [isCustom ? "custom" : "function"]: within } : {}),
  };
  return {
    id: id || randomUUID(),
    // The service refuses a call without a name when it is sent back.
    name: (isCustom ? customName : name) || "unnamed",
    arguments: (isCustom ? input : text) ?? "",
    ...(isCustom ? { isCustom } : {}),
    ...(Object.keys(echo).length > 0 ? { echo } : {}),
  };
}

/** Measures the times until the first reasoning and the first text; returns them when they change. */
function createClock(startMs: number) {
  let reasoningAtMs: number | undefined;
  let hasText = false;
  return {
    onText(part: AnswerPart) {
      const now = Math.round(performance.now() - startMs);
      if (part === "reasoning") {
        reasoningAtMs ??= now;
        return undefined;
      }
      if (hasText) return undefined;
      hasText = true;
      return {
        firstTextMs: now,
        ...(reasoningAtMs === undefined ? {} : { reasoningMs: now - reasoningAtMs }),
      };
    },
  };
}
