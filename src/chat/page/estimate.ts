import type { ModelCard } from "../../shared/chat/chatModels.ts";

/** Assumed tokens of the first answer. */
const usualAnswerTokens = 500;

export interface CostEstimate {
  /** USD of the question without an answer; `usd` includes an answer of the usual length. */
  readonly questionUsd: number;
  readonly usd: number;
  /** The same if the service reads nothing from its prompt cache: caps and budgets count on no more than this. */
  readonly uncachedUsd: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
}

export interface EstimateInput {
  readonly cards: readonly (ModelCard | undefined)[];
  /** Tokens of the question and all that is sent with it. */
  readonly promptTokens: number;
  /** Share of the prompts of this conversation that was read from the cache so far; undefined if it is unknown. */
  readonly hitRate: number | undefined;
  /** Average tokens of the answers so far. */
  readonly meanAnswerTokens: number | undefined;
  readonly maxAnswerTokens: number | undefined;
  /** Number of answers per model. */
  readonly each: number;
}

/** Estimated cost of the next question; undefined if a model has no listed price. */
export function estimateTurn(input: EstimateInput): CostEstimate | undefined {
  const { promptTokens, hitRate = 0 } = input;
  const answerTokens = Math.min(
    input.meanAnswerTokens ?? usualAnswerTokens,
    input.maxAnswerTokens ?? Number.POSITIVE_INFINITY,
  );
  let [questionUsd, savedUsd, answerUsd] = [0, 0, 0];
  for (const card of input.cards) {
    if (card?.inputUsd === undefined || card.outputUsd === undefined) return undefined;
    const { inputUsd, cachedInputUsd = inputUsd, outputUsd } = card;
    questionUsd += (promptTokens * inputUsd) / 1e6;
    savedUsd += (promptTokens * hitRate * (inputUsd - cachedInputUsd)) / 1e6;
    answerUsd += (answerTokens * input.each * outputUsd) / 1e6;
  }
  return {
    questionUsd: questionUsd - savedUsd,
    usd: questionUsd - savedUsd + answerUsd,
    uncachedUsd: questionUsd + answerUsd,
    promptTokens,
    answerTokens: Math.round(answerTokens),
  };
}
