import type { ModelCard } from "../../../shared/chat/chatModels.ts";
import { type Amounts, amountIn } from "../../../shared/money/amounts.ts";
import { statedCosts } from "../../../shared/money/statedPrice.ts";
import type { AnswerMessage, AnswerUsage, Message } from "../../protocol/chatMessages.ts";
import type { AnswerCost } from "../../protocol/chatState.ts";
import { nothingSpent } from "../start/emptyState.ts";

/** Total cost of all answers of a conversation. Answers on other branches count, because they were billed. */
export function spentOn(messages: Iterable<Message>): AnswerCost {
  let sum = nothingSpent;
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    sum = withUsage(sum, message.usage, 1);
    for (const { subagent } of message.calls ?? [])
      if (subagent) sum = withUsage(sum, subagent.usage, subagent.rounds);
  }
  return sum;
}

/** Tokens that a request of an answer, or of the subagents of its calls, has sent or got. */
export function tokensOfAnswer({ usage, calls = [] }: AnswerMessage): number {
  const all = [usage, ...calls.map(({ subagent }) => subagent?.usage)];
  return all.reduce((sum, one) => sum + (one?.promptTokens ?? 0) + (one?.completionTokens ?? 0), 0);
}

/** The cost of a conversation: its play money alone, or its real money alone. */
export function sumSpent({ usd, diem, playUsd, playDiem }: AnswerCost, isPlayMoney: boolean): Amounts {
  return isPlayMoney
    ? amountIn("USD", playUsd).plus(amountIn("DIEM", playDiem))
    : amountIn("USD", usd).plus(amountIn("DIEM", diem));
}

export function sumOfUsage(before: AnswerUsage | undefined, more: AnswerUsage): AnswerUsage {
  if (!before) return more;
  const names = new Set([...Object.keys(before), ...Object.keys(more)]) as Set<keyof AnswerUsage>;
  const sums = [...names].map((name) => {
    const [one = 0, other = 0] = [before[name], more[name]];
    return [name, typeof one === "number" && typeof other === "number" ? one + other : one || other];
  });
  return Object.fromEntries(sums) as AnswerUsage;
}

/** `answers`: how many have this usage together. */
function withUsage(sum: AnswerCost, usage: AnswerUsage | undefined, answers: number): AnswerCost {
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
    answers: sum.answers + answers,
    ...(sum.isPartial || usage.isPartial ? { isPartial: true } : {}),
  };
}

/** The usage with its cost computed from the listed prices, if the service does not report it. */
export function priced(usage: AnswerUsage, card: ModelCard | undefined): AnswerUsage {
  const isStated = usage.costUsd !== undefined || usage.costDiem !== undefined;
  if (isStated || card?.inputUsd === undefined || card.outputUsd === undefined) return usage;
  const { promptTokens, completionTokens, cachedTokens = 0 } = usage;
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd } = card;
  const perMillion =
    (promptTokens - cachedTokens) * inputUsd + cachedTokens * cachedInputUsd + completionTokens * outputUsd;
  return { ...usage, costUsd: perMillion / 1e6, isCostByPrice: true };
}
