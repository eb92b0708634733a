import type { ModelCard } from "../../shared/chat/chatModels.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { priceText, statedCosts } from "../../shared/money/statedPrice.ts";
import type { AnswerMessage, AnswerUsage } from "../protocol/chatMessages.ts";

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export function formatSeconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** 131072 → "131K". */
export function formatTokens(tokens: number): string {
  return short.format(tokens);
}

/** Tokens and time of an answer, as far as they are known; in full with the cached and the reasoning tokens. */
export function formatUsage(
  { usage, timing }: { readonly usage?: AnswerUsage | undefined; readonly timing: AnswerMessage["timing"] },
  isFull = false,
): readonly string[] {
  const parts: string[] = [];
  if (usage && !(usage.isPartial && usage.promptTokens === 0)) {
    const part = (tokens: number | undefined, name: string) =>
      isFull && tokens ? ` (${whole.format(tokens)} ${name})` : "";
    const cached = part(usage.cachedTokens, "cached");
    const reasoning = part(usage.reasoningTokens, "reasoning");
    parts.push(
      `${usage.isPartial ? "≥ " : ""}${whole.format(usage.promptTokens)} tokens in${cached}, ${whole.format(usage.completionTokens)} out${reasoning}`,
    );
  }
  if (timing.totalMs !== undefined) parts.push(formatSeconds(timing.totalMs));
  return parts;
}

/** The last of these answers with the tokens, the time and the cost of all and of their subagents, as far as they are known. */
export function sumOfRounds(rounds: readonly AnswerMessage[]): AnswerMessage {
  const [last] = rounds.slice(-1);
  if (!last) throw new Error("a task has a round");
  const usages = rounds.flatMap(({ usage, calls = [] }) =>
    [usage, ...calls.map(({ subagent }) => subagent?.usage)].filter((one) => one !== undefined),
  );
  if (rounds.length === 1 && usages.length < 2) return last;
  const { firstTextMs: _, ...timing } = last.timing;
  const totalMs = sumOf(rounds.map((round) => round.timing.totalMs));
  const [predictedUsd, reservedUsd] = [
    sumOf(rounds.map((round) => round.predictedUsd)),
    sumOf(rounds.map((round) => round.reservedUsd)),
  ];
  return {
    ...last,
    ...(usages.length === 0 ? {} : { usage: sumOfUsages(usages) }),
    timing: { ...timing, ...(totalMs === undefined ? {} : { totalMs }) },
    ...(predictedUsd === undefined ? {} : { predictedUsd }),
    ...(reservedUsd === undefined ? {} : { reservedUsd }),
  };
}

function sumOfUsages(usages: readonly AnswerUsage[]): AnswerUsage {
  const optional = ["cachedTokens", "reasoningTokens", "costUsd", "costDiem"] as const;
  const sums = optional.flatMap((name) => {
    const sum = sumOf(usages.map((usage) => usage[name]));
    return sum === undefined ? [] : [[name, sum] as const];
  });
  return {
    promptTokens: sumOf(usages.map((usage) => usage.promptTokens)) ?? 0,
    completionTokens: sumOf(usages.map((usage) => usage.completionTokens)) ?? 0,
    ...Object.fromEntries(sums),
    ...(usages.some((usage) => usage.isCostByPrice) ? { isCostByPrice: true } : {}),
    ...(usages.some((usage) => usage.isPlayMoney) ? { isPlayMoney: true } : {}),
    ...(usages.some((usage) => usage.isPartial) ? { isPartial: true } : {}),
  };
}

/** The sum of the known numbers; undefined if none is known. */
function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}

/** The model that answered in place of the one that was asked: for a trait, a mapping or a fallback. */
export function otherModel({ model, reply }: AnswerMessage): string | undefined {
  const answered = reply?.model;
  return answered === undefined || answered === model || model.startsWith(`${answered}:`)
    ? undefined
    : answered;
}

/** What the service said about an answer, a line each. */
export function formatReply({
  model,
  reply = {},
  finishReason,
  stopReason,
}: AnswerMessage): readonly string[] {
  const { createdAtMs, id, requestId, switches } = reply;
  const line = (name: string, value: string | undefined) => (value ? [`${name}: ${value}`] : []);
  return [
    `Model: ${model}`,
    ...line("Answered by", reply.model),
    ...line(
      "Ended",
      finishReason && stopReason ? `${finishReason}, at ${stopReason}` : (finishReason ?? stopReason),
    ),
    ...line("Created", createdAtMs === undefined ? undefined : new Date(createdAtMs).toLocaleString()),
    ...line("Answer", id),
    ...line("Request", requestId),
    ...Object.entries(switches ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
}

/** The cost of an answer, or of a subagent; empty if unknown. */
export function formatCost({ usage }: Pick<AnswerMessage, "usage">): string {
  const costs = statedCosts(usage?.costUsd, usage?.costDiem).filter(({ amount }) => amount !== 0);
  if (costs.length === 0) return "";
  const text = costs.map((cost) => priceText(cost)).join(" · ");
  const bound = usage?.isPartial ? "≥ " : usage?.isCostByPrice ? "≈ " : "";
  return `${bound}${text}${usage?.isPlayMoney ? " play money" : ""}`;
}

/** The expected cost and the reserved upper price of a round of a task, as a tooltip. */
export function formatPrediction({ predictedUsd, reservedUsd, usage }: AnswerMessage): string | undefined {
  const usd = (amount: number) => formatUsd(amount, usage?.isPlayMoney);
  const parts = [
    ...(predictedUsd === undefined ? [] : [`Expected: ${usd(predictedUsd)}`]),
    ...(reservedUsd === undefined ? [] : [`Reserved as the most it could cost: ${usd(reservedUsd)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("\n");
}

/** The short price of a model: input and output per million tokens. */
export function formatModelPrice({ inputUsd, outputUsd }: ModelCard): string {
  if (inputUsd === undefined || outputUsd === undefined) return "";
  return inputUsd === 0 && outputUsd === 0 ? "free" : `${formatUsd(inputUsd)} / ${formatUsd(outputUsd)}`;
}

const month = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" });

/** The number format, the owner and the release of a model, as far as the service states them. */
export function formatModelOrigin({ quantization, owner, createdAtMs }: ModelCard): string {
  return [
    ...(quantization === undefined ? [] : [quantization]),
    ...(owner === undefined ? [] : [`by ${owner}`]),
    ...(createdAtMs === undefined ? [] : [`since ${month.format(createdAtMs)}`]),
  ].join(" · ");
}

/** Context and prices of a model for the picker. */
export function formatModelFacts({ contextTokens, inputUsd, outputUsd, isPlayMoney }: ModelCard): string {
  const parts: string[] = [];
  if (contextTokens !== undefined) parts.push(`${formatTokens(contextTokens)} context`);
  if (inputUsd !== undefined && outputUsd !== undefined) {
    const isFree = inputUsd === 0 && outputUsd === 0;
    const play = isPlayMoney ? ", play money" : "";
    parts.push(isFree ? "free" : `${formatUsd(inputUsd)} in, ${formatUsd(outputUsd)} out per 1M${play}`);
  }
  return parts.join(" · ");
}
