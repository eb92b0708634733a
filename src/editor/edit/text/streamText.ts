import type { ChatChunk, Cost, Usage } from "../../../api/endpoints/chat/chatReply.ts";
import type { Model } from "../../../api/endpoints/models.ts";
import { ApiError } from "../../../api/errors/errors.ts";
import { usageAmount } from "../../../api/money/estimate.ts";
import type { ChosenModel } from "../../../session/requestModel.ts";
import type { Client } from "../../../session/session.ts";
import { statedPrice } from "../../../shared/money/statedPrice.ts";
import type { Used } from "../../usageFormat.ts";

export interface TextQuestion {
  readonly model: ChosenModel;
  readonly rules: string;
  readonly question: string;
  /** Equal for questions that are likely to begin alike. */
  readonly cacheKey: string;
  readonly signal: AbortSignal;
  /** Called with all text so far. */
  readonly onText: (text: string) => void;
}

export interface StreamedText {
  readonly text: string;
  /** `cut`: the answer ended at the model's limit, or the stream was interrupted. */
  readonly end: "done" | "cut";
  readonly used: Used | undefined;
}

/** Streams one text. Throws ApiError: `cancelled`, or `refused-content` on a refusal. */
export async function streamText(client: Client, question: TextQuestion): Promise<StreamedText> {
  const { model, rules, cacheKey, signal, onText } = question;
  const stream = await client.api.chat.stream(
    {
      model: model.id,
      messages: [
        { role: "system", content: rules },
        { role: "user", content: question.question },
      ],
      stream_options: { include_usage: true },
      service_parameters: { include_venice_system_prompt: false },
      prompt_cache_key: cacheKey,
    },
    { signal },
  );
  const answer: AnswerDraft = { text: "", refusal: "", finish: "", used: undefined };
  // The sandbox's prices are fictional.
  const isFree = client.connection.kind === "sandbox";
  const usedOf: UsedOf = (usage, cost) =>
    isFree ? toUsed(undefined, usage, undefined) : toUsed(model.model, usage, cost);
  for await (const chunks of stream.batches()) {
    const before = answer.text;
    for (const chunk of chunks) addChunk(answer, chunk, usedOf);
    if (answer.text !== before) onText(answer.text);
  }
  const { text, refusal, finish, used } = answer;
  // A refusal must not be written into a file.
  if (refusal !== "")
    throw new ApiError("refused-content", refusal, { endpoint: "chat.stream", mayHaveArrived: true });
  return { text, end: stream.end === "done" && finish !== "length" ? "done" : "cut", used };
}

interface AnswerDraft {
  text: string;
  refusal: string;
  /** The reason for which it ended; empty before. */
  finish: string;
  used: Used | undefined;
}

type UsedOf = (usage: Usage, cost: Cost | null | undefined) => Used;

function addChunk(answer: AnswerDraft, { choices, usage, cost }: ChatChunk, usedOf: UsedOf): void {
  const choice = choices.find(({ index }) => index === 0);
  if (choice?.delta.ends_reasoning) answer.text = "";
  answer.text += choice?.delta.content ?? "";
  answer.refusal += choice?.delta.refusal ?? "";
  answer.finish = choice?.finish_reason ?? answer.finish;
  if (usage) answer.used = usedOf(usage, cost);
}

/** The cost reported by the service; else computed from tokens and listed prices. */
function toUsed(model: Model | undefined, usage: Usage, cost: Cost | null | undefined): Used {
  const stated = cost && statedPrice(cost.usd, cost.diem);
  const costUsd = stated ? undefined : usageAmount(model, usage).usd?.[1];
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(stated ? { [stated.currency === "USD" ? "costUsd" : "costDiem"]: stated.amount } : {}),
  };
}
