import type { ClientEvent } from "../../api/client.ts";
import type { ChatChunk, Usage } from "../../api/endpoints/chatReply.ts";
import type { ChatMessage } from "../../api/endpoints/chatRequest.ts";
import type { Client } from "../../session/session.ts";
import type { AnswerPart, AnswerPatch, AnswerUsage } from "../../shared/chatState.ts";

export interface Question {
  readonly model: string;
  readonly messages: ChatMessage[];
  readonly signal: AbortSignal;
}

/** What an answer tells while it arrives. */
export interface AnswerEvents {
  onText(part: AnswerPart, text: string): void;
  onPatch(patch: AnswerPatch): void;
}

/**
 * Asks, and reports the answer until it ends: `done`, or `truncated` where the stream stopped before the service said
 * that it was through. Throws ApiError; what came before has been reported. Nothing is reported once the signal fired.
 */
export async function askForAnswer(
  client: Client,
  { model, messages, signal }: Question,
  { onText, onPatch }: AnswerEvents,
): Promise<"done" | "truncated"> {
  const observe = (event: ClientEvent) => {
    if (signal.aborted) return;
    if (event.type === "waiting") onPatch({ resendAtMs: Date.now() + event.ms });
    else onPatch({ resendAtMs: null });
  };
  const request = {
    model,
    messages,
    stream_options: { include_usage: true },
    // Its own prompt would cost over a thousand tokens a turn, and speaks of other things than code.
    service_parameters: { include_venice_system_prompt: false },
  };
  const clock = createClock();
  const stream = await client.api.chat.stream(request, { signal, observe });
  for await (const chunks of stream.batches()) {
    if (signal.aborted) break;
    const gathered = gather(chunks);
    for (const [part, text] of gathered.text) {
      const timing = clock.onText(part);
      if (timing) onPatch({ timing });
      onText(part, text);
    }
    if (gathered.patch) onPatch(gathered.patch);
  }
  return stream.end ?? "truncated";
}

/** One network piece's worth of chunks, as text per part in its order and what else they say. */
function gather(chunks: readonly ChatChunk[]) {
  const text: [AnswerPart, string][] = [];
  let patch: AnswerPatch | undefined;
  const add = (part: AnswerPart, more: string | null | undefined) => {
    if (!more) return;
    const last = text.at(-1);
    if (last?.[0] === part) last[1] += more;
    else text.push([part, more]);
  };
  for (const chunk of chunks) {
    const choice = chunk.choices.find(({ index }) => index === 0);
    if (choice && !choice.delta.reasoning_encrypted) add("reasoning", choice.delta.reasoning_content);
    if (choice) add("text", choice.delta.content);
    if (choice?.finish_reason) patch = { ...patch, finishReason: choice.finish_reason };
    if (chunk.usage) patch = { ...patch, usage: toUsage(chunk.usage, chunk.cost) };
  }
  return { text, patch };
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
function createClock() {
  const startMs = performance.now();
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
