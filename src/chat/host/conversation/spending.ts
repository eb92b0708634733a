import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { statedCosts } from "../../../shared/money/statedPrice.ts";
import type { AnswerMessage, Message } from "../../protocol/chatMessages.ts";
import type { AnswerCost } from "../../protocol/chatState.ts";
import { nothingSpent } from "../start/emptyState.ts";

/** Total cost of all answers of a conversation. Answers on other branches count, because they were billed. */
export function spentOn(messages: Iterable<Message>): AnswerCost {
  let sum = nothingSpent;
  for (const message of messages) if (message.role === "assistant") sum = withAnswer(sum, message);
  return sum;
}

function withAnswer(sum: AnswerCost, { usage }: AnswerMessage): AnswerCost {
  if (!usage) return sum;
  const costs = statedCosts(usage.costUsd, usage.costDiem);
  const paid = (isPlay: boolean, currency: string) =>
    (usage.isPlayMoney ?? false) === isPlay
      ? (costs.find((cost) => cost.currency === currency)?.amount ?? 0)
      : 0;
  return {
    promptTokens: sum.promptTokens + usage.promptTokens,
    completionTokens: sum.completionTokens + usage.completionTokens,
    cachedTokens: sum.cachedTokens + (usage.cachedTokens ?? 0),
    countedTokens: sum.countedTokens + (usage.cachedTokens === undefined ? 0 : usage.promptTokens),
    reasoningTokens: sum.reasoningTokens + (usage.reasoningTokens ?? 0),
    usd: sum.usd + paid(false, "USD"),
    diem: sum.diem + paid(false, "DIEM"),
    playUsd: sum.playUsd + paid(true, "USD"),
    playDiem: sum.playDiem + paid(true, "DIEM"),
    answers: sum.answers + 1,
  };
}

type Usage = NonNullable<AnswerMessage["usage"]>;

/** The usage with its cost computed from the listed prices, if the service does not report it. */
export function priced(usage: Usage, card: ModelCard | undefined): Usage {
  const isStated = usage.costUsd !== undefined || usage.costDiem !== undefined;
  if (isStated || card?.inputUsd === undefined || card.outputUsd === undefined) return usage;
  const { promptTokens, completionTokens, cachedTokens = 0 } = usage;
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd } = card;
  const perMillion =
    (promptTokens - cachedTokens) * inputUsd + cachedTokens * cachedInputUsd + completionTokens * outputUsd;
  return { ...usage, costUsd: perMillion / 1e6, isCostByPrice: true };
}
