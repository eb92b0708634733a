import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { ClientEvent } from "../api/call/client.ts";
import type { ChatChunk, ReplyToolCall, Usage } from "../api/endpoints/chat/chatReply.ts";
import type { ChatRequest, Tool, ToolCall } from "../api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../api/errors/errors.ts";
import { AnswerBuilder, carriesDocuments } from "../api/stream/chatAnswer.ts";
import { createTextSplitter } from "../api/stream/chatText.ts";
import { mostCalls } from "../api/stream/toolCallMerger.ts";
import { type ErrorContext, explain, explainTruncated } from "../platform/errors/errorMessage.ts";
import type { Client } from "../session/session.ts";
import { type AnswerEnd, cutCallProblem } from "../shared/chat/toolArguments.ts";
import { withoutLinks } from "../shared/text/html/withoutLinks.ts";
import { type AnswerWithCalls, namedJson, toInput } from "./callEchoes.ts";
import { thinkingPart, unknownError } from "./messages/untypedApi.ts";

/** A completed answer, as far as later requests need it. */
export interface Answered extends AnswerWithCalls {
  readonly usage: Usage | undefined;
}

/**
 * Sends a request and reports its answer part by part; tool calls after they are complete. Undefined if the signal
 * aborts it. Throws LanguageModelError.
 */
export async function streamParts(
  client: Client,
  request: ChatRequest,
  signal: AbortSignal,
  report: (part: vscode.LanguageModelResponsePart) => void,
): Promise<Answered | undefined> {
  const { name: service, kind } = client.connection;
  try {
    return await readStream(client, request, signal, report);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw toLanguageModelError(error, { service, kind });
  }
}

async function readStream(
  client: Client,
  request: ChatRequest,
  signal: AbortSignal,
  report: (part: vscode.LanguageModelResponsePart) => void,
): Promise<Answered | undefined> {
  const answer = new ReportedAnswer(request.tools ?? [], report);
  const waits = createWaitNotice(client.connection.name);
  const { observe } = waits;
  const stream = await client.api.chat.stream(request, { signal, observe }).finally(waits.end);
  for await (const chunks of stream.batches()) {
    if (signal.aborted) return undefined;
    answer.add(chunks);
  }
  if (signal.aborted) return undefined;
  if (stream.end === "truncated") throw new TruncatedAnswer();
  return answer.finish();
}

/** An answer whose text is reported as it arrives. */
class ReportedAnswer {
  readonly #report: (part: vscode.LanguageModelResponsePart) => void;
  readonly #tools: readonly Tool[];
  readonly #splitter = createTextSplitter();
  readonly #builder = new AnswerBuilder();
  #usage: Usage | undefined;
  #finishReason: string | undefined;

  constructor(tools: readonly Tool[], report: (part: vscode.LanguageModelResponsePart) => void) {
    this.#tools = tools;
    this.#report = report;
  }

  add(chunks: readonly ChatChunk[]): void {
    this.#reportText(chunks);
    for (const chunk of chunks) {
      this.#usage = chunk.usage ?? this.#usage;
      const first = chunk.choices.find(({ index }) => index === 0);
      this.#finishReason = first?.finish_reason ?? this.#finishReason;
      // Reasoning is sent back only with tool calls.
      if (this.#tools.length > 0) this.#builder.add(withoutContent(chunk));
    }
  }

  #reportText(chunks: readonly ChatChunk[]): void {
    for (const { choice, part, text, endsReasoning } of this.#splitter.split(chunks)) {
      // What the editor has got can't be taken back.
      if (endsReasoning) continue;
      const shown = part === "text" ? new vscode.LanguageModelTextPart(text) : thinkingPart(text);
      if (choice === 0 && shown) this.#report(shown);
    }
  }

  /** Reports the tool calls and the usage. Throws if a call is cut off or left out. */
  finish(): Answered {
    if (this.#builder.leftOut(0).has("tool_calls")) throw new TooManyCalls();
    const usage = this.#usage;
    const choice = this.#builder.answer().choices.find(({ index }) => index === 0);
    const message = choice?.message ?? {};
    const made = "tool_calls" in message ? (message.tool_calls ?? []) : [];
    const calls = toCompleteCalls(made.filter((call) => !carriesDocuments(call)));
    // All are checked before the first is reported.
    refuseCut(calls, { finishReason: this.#finishReason, tokens: usage?.completion_tokens });
    for (const part of calls.map((call) => toCallPart(call, this.#tools))) this.#report(part);
    if (usage) this.#report(usagePart(usage));
    return { message, calls, usage };
  }
}

/** Shorter waits are not shown. */
const shownWaitMs = 2_000;

/** Says why nothing arrives during a wait: a request of the editor's chat can't show it in the answer. */
function createWaitNotice(service: string) {
  let end: (() => void) | undefined;
  const stop = () => {
    end?.();
    end = undefined;
  };
  return {
    observe(event: ClientEvent): void {
      stop();
      if (event.type !== "waiting" || event.ms < shownWaitMs) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      end = resolve;
      const cause = event.because.kind === "rate-limited" ? "is at a rate limit" : "could not answer yet";
      const title = `${service} ${cause}. The request is sent again in ${Math.ceil(event.ms / 1000)} s. To cancel it, stop the answer.`;
      const location = vscode.ProgressLocation.Notification;
      void vscode.window.withProgress({ location, title: withoutLinks(title) }, () => promise);
    },
    end: stop,
  };
}

/** The text is already reported. Memory does not grow with it. */
function withoutContent(chunk: ChatChunk): ChatChunk {
  const choices = chunk.choices.map(({ delta: { content: _, refusal: __, ...delta }, ...choice }) => ({
    ...choice,
    delta,
  }));
  return { ...chunk, choices };
}

/** A call without an id of its own gets one, because its result has to refer to it. */
function toCompleteCalls(calls: readonly ReplyToolCall[]): ToolCall[] {
  const used = new Set<string>();
  return calls.map((call) => {
    const id = call.id && !used.has(call.id) ? call.id : `call_${randomUUID()}`;
    used.add(id);
    return { ...call, id } as ToolCall;
  });
}

function refuseCut(calls: readonly ToolCall[], end: AnswerEnd): void {
  for (const [index, call] of calls.entries()) {
    const { name, text } = namedJson(call);
    const problem = cutCallProblem(text, index === calls.length - 1, end, call.type === "custom");
    if (problem !== undefined) throw new CutCall(`${name}: ${problem}`);
  }
}

function toCallPart(call: ToolCall, tools: readonly Tool[]): vscode.LanguageModelToolCallPart {
  const { name, text } = namedJson(call);
  const schema = tools.find((tool) => tool.function.name === name)?.function.parameters;
  try {
    const input = toInput(text, call.type === "custom", schema);
    return new vscode.LanguageModelToolCallPart(call.id, name, input);
  } catch (error) {
    throw new BrokenCall(name, { cause: error });
  }
}

/** The editor's own chat reads the usage of an answer from a part of this type. */
function usagePart(usage: Usage): vscode.LanguageModelDataPart {
  const total_tokens = usage.total_tokens ?? usage.prompt_tokens + usage.completion_tokens;
  return new vscode.LanguageModelDataPart(
    new TextEncoder().encode(JSON.stringify({ ...usage, total_tokens })),
    "usage",
  );
}

class TruncatedAnswer extends Error {}
class TooManyCalls extends Error {}
/** Its message says what happened, and what helps. */
class CutCall extends Error {}
/** Its message is the name of the tool. */
class BrokenCall extends Error {}

/** The error for the caller: a sentence with the next step, and the kind of error that the editor knows. */
export function toLanguageModelError(error: unknown, context: ErrorContext): Error {
  if (error instanceof vscode.LanguageModelError) return error;
  const sentence = sentenceOf(error, context);
  const named = isApiError(error) ? namedErrors[error.kind]?.(sentence) : undefined;
  return named ? Object.assign(named, { cause: error }) : unknownError(sentence, error);
}

function sentenceOf(error: unknown, context: ErrorContext): string {
  if (error instanceof TruncatedAnswer) return explainTruncated(context).sentence;
  if (error instanceof TooManyCalls)
    return `The model called more than ${mostCalls} tools in one answer, so none of the calls was run. Ask for smaller steps, or choose another model.`;
  if (error instanceof CutCall) return error.message;
  if (error instanceof BrokenCall)
    return `The model called the tool ${error.message} with arguments that are not valid JSON, so the call was not run. Send the message again, or choose another model.`;
  return explain(error, context).sentence;
}

const noPermissions = (sentence: string) => vscode.LanguageModelError.NoPermissions(sentence);
const blocked = (sentence: string) => vscode.LanguageModelError.Blocked(sentence);
const notFound = (sentence: string) => vscode.LanguageModelError.NotFound(sentence);
/** By the kind of an ApiError. */
const namedErrors: Readonly<Record<string, (sentence: string) => vscode.LanguageModelError>> = {
  unauthorized: noPermissions,
  "admin-key-required": noPermissions,
  forbidden: noPermissions,
  "payment-required": blocked,
  "rate-limited": blocked,
  "failure-budget": blocked,
  "refused-content": blocked,
  "not-found": notFound,
  gone: notFound,
};
