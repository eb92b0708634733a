import { randomUUID } from "node:crypto";
import * as z from "zod";
import { carriesDocuments, citationsOf, createAnswerBuilder } from "../../api/chatAnswer.ts";
import type { ClientEvent } from "../../api/client.ts";
import type {
  ChatChunk,
  ChatCompletion,
  Citation,
  ReplyMessage,
  Usage,
} from "../../api/endpoints/chatReply.ts";
import type { ChatRequest } from "../../api/endpoints/chatRequest.ts";
import type { Client } from "../../session/session.ts";
import type {
  AnswerPart,
  AnswerPatch,
  AnswerSource,
  AnswerUsage,
  TokenChance,
} from "../../shared/chatMessages.ts";

/** A call as the model wrote it. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

/** What the answers to one request tell while they arrive; `choice` counts from 0 (spec E10, `n`). */
export interface AnswerEvents {
  onText(choice: number, part: AnswerPart, text: string): void;
  /** Without a choice it is about the request as a whole. */
  onPatch(choice: number | undefined, patch: AnswerPatch): void;
  /** The calls that an answer asks for, once it is whole. */
  onCalls(choice: number, calls: readonly AskedCall[]): void;
}

/**
 * Asks, and reports the answers until they end: `done`, or `truncated` where the stream stopped before the service said
 * that it was through. Throws ApiError; what came before has been reported. Nothing is reported once the signal fired.
 */
export async function askForAnswer(
  client: Client,
  request: ChatRequest,
  signal: AbortSignal,
  { onText, onPatch, onCalls }: AnswerEvents,
): Promise<"done" | "truncated"> {
  const observe = (event: ClientEvent) => {
    if (signal.aborted) return;
    if (event.type === "waiting") onPatch(undefined, { resendAtMs: Date.now() + event.ms });
    else onPatch(undefined, { resendAtMs: null });
  };
  const clocks = new Map<number, ReturnType<typeof createClock>>();
  const clockOf = (choice: number) => {
    const clock = clocks.get(choice) ?? createClock(startMs);
    clocks.set(choice, clock);
    return clock;
  };
  const startMs = performance.now();
  // Text is kept elsewhere: this gathers what only makes sense whole.
  const rest = createAnswerBuilder();
  const chances = new Map<number, TokenChance[]>();
  const stream = await client.api.chat.stream(request, { signal, observe });
  for await (const chunks of stream.batches()) {
    if (signal.aborted) break;
    for (const { choice, part, text } of textIn(chunks)) {
      const timing = clockOf(choice).onText(part);
      if (timing) onPatch(choice, { timing });
      onText(choice, part, text);
    }
    for (const [choice, patch] of patchesIn(chunks)) onPatch(choice, patch);
    for (const chunk of chunks) if (hasMoreThanText(chunk)) rest.add(withoutText(chunk));
    for (const [choice, more] of chancesIn(chunks))
      chances.set(choice, [...(chances.get(choice) ?? []), ...more]);
  }
  if (signal.aborted) return "truncated";
  for (const [choice, tokens] of chances) onPatch(choice, { tokens });
  if (stream.end !== "truncated") tellRest(rest.answer(), { onPatch, onCalls });
  return stream.end ?? "truncated";
}

function hasMoreThanText({ choices }: ChatChunk): boolean {
  return choices.some(
    ({ delta: { tool_calls, reasoning_details, thought_signature, reasoning_encrypted } }) =>
      tool_calls || reasoning_details || thought_signature || reasoning_encrypted,
  );
}

/** Reasoning that is encrypted is no text to show, but has to go back as it came. */
function withoutText(chunk: ChatChunk): ChatChunk {
  const choices = chunk.choices.map((choice) => {
    const { content: _, reasoning_content, ...delta } = choice.delta;
    const isSecret = choice.delta.reasoning_encrypted && reasoning_content;
    return { ...choice, delta: { ...delta, ...(isSecret ? { reasoning_content } : {}) } };
  });
  return { ...chunk, choices };
}

function tellRest(
  answer: ChatCompletion,
  { onPatch, onCalls }: Pick<AnswerEvents, "onPatch" | "onCalls">,
): void {
  for (const { index, message } of answer.choices) {
    const { role: _, content: __, tool_calls = [], ...echo } = message;
    if (Object.keys(echo).length > 0) onPatch(index, { echo });
    const calls = (tool_calls ?? []).filter((call) => !carriesDocuments(call)).map(toAskedCall);
    if (calls.length > 0) onCalls(index, calls);
  }
  const sources = citationsOf(answer).map(toSource);
  if (sources.length > 0) onPatch(undefined, { sources });
}

/** A model that leaves the id out gets one: its result has to name it. */
function toAskedCall({
  id,
  function: { name, arguments: text },
}: NonNullable<ReplyMessage["tool_calls"]>[number]) {
  return { id: id || randomUUID(), name, arguments: text ?? "" };
}

interface Piece {
  readonly choice: number;
  readonly part: AnswerPart;
  text: string;
}

/** One network piece's worth of chunks, as text per choice and part in its order. */
function textIn(chunks: readonly ChatChunk[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (choice: number, part: AnswerPart, text: string | null | undefined) => {
    if (!text) return;
    const last = pieces.at(-1);
    if (last?.choice === choice && last.part === part) last.text += text;
    else pieces.push({ choice, part, text });
  };
  for (const { choices } of chunks) {
    for (const { index, delta } of choices) {
      if (!delta.reasoning_encrypted) add(index, "reasoning", delta.reasoning_content);
      add(index, "text", delta.content);
    }
  }
  return pieces;
}

/** What the chunks say besides text. */
function patchesIn(chunks: readonly ChatChunk[]): [number | undefined, AnswerPatch][] {
  return chunks.flatMap((chunk) => {
    const patches: [number | undefined, AnswerPatch][] = [];
    for (const { index, finish_reason } of chunk.choices) {
      if (finish_reason) patches.push([index, { finishReason: finish_reason }]);
    }
    // One bill for all choices: it stands with the first.
    if (chunk.usage) patches.push([0, { usage: toUsage(chunk.usage, chunk.cost) }]);
    const sources = sourcesIn(chunk);
    if (sources.length > 0) patches.push([undefined, { sources }]);
    return patches;
  });
}

function sourcesIn(chunk: ChatChunk): AnswerSource[] {
  // Most chunks carry none: those cost nothing.
  if (!chunk.service_parameters && !chunk.search_results) return [];
  const builder = createAnswerBuilder();
  builder.add(chunk);
  return citationsOf(builder.answer()).map(toSource);
}

function toSource({ url, title, date, content }: Citation): AnswerSource {
  return {
    url,
    ...(title ? { title } : {}),
    ...(date ? { date } : {}),
    ...(content ? { excerpt: content.slice(0, maxExcerpt) } : {}),
  };
}

/** Characters. */
const maxExcerpt = 2000;

const Chance = z.object({ token: z.string(), logprob: z.number() });
const Logprobs = z.object({ content: z.array(Chance.extend({ top_logprobs: z.array(Chance).nullish() })) });

function chancesIn(chunks: readonly ChatChunk[]): [number, TokenChance[]][] {
  return chunks.flatMap(({ choices }) =>
    choices.flatMap(({ index, logprobs }): [number, TokenChance[]][] => {
      if (!logprobs) return [];
      const { data } = Logprobs.safeParse(logprobs);
      const tokens = data?.content.map(({ token, logprob, top_logprobs }) => ({
        token,
        logprob,
        others: (top_logprobs ?? []).filter((other) => other.token !== token),
      }));
      return tokens ? [[index, tokens]] : [];
    }),
  );
}

function toUsage(usage: Usage, cost: ChatChunk["cost"]): AnswerUsage {
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens;
  const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens;
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    ...(cachedTokens ? { cachedTokens } : {}),
    ...(reasoningTokens ? { reasoningTokens } : {}),
    ...(typeof cost?.usd === "number" ? { costUsd: cost.usd } : {}),
    ...(typeof cost?.diem === "number" ? { costDiem: cost.diem } : {}),
  };
}

/** Notes when the first thought and the first word came; tells the times when they are news. */
function createClock(startMs: number) {
  let thoughtMs: number | undefined;
  let spoken = false;
  return {
    onText(part: AnswerPart) {
      const now = Math.round(performance.now() - startMs);
      if (part === "reasoning") {
        thoughtMs ??= now;
        return undefined;
      }
      if (spoken) return undefined;
      spoken = true;
      return { firstTextMs: now, ...(thoughtMs === undefined ? {} : { reasoningMs: now - thoughtMs }) };
    },
  };
}
