import type { ModelCard } from "../../shared/chat/chatModels.ts";

/** Assumed tokens of the first answer. */
const usualAnswerTokens = 500;

export interface CostEstimate {
  /** USD of the question without an answer; `usd` includes an answer of the usual length. */
  readonly questionUsd: number;
  readonly usd: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
}

export interface EstimateInput {
  readonly cards: readonly (ModelCard | undefined)[];
  /** Tokens of the question and all that is sent with it. */
  readonly promptTokens: number;
  /** Average tokens of the answers so far. */
  readonly meanAnswerTokens: number | undefined;
  readonly maxAnswerTokens: number | undefined;
  /** Number of answers per model. */
  readonly each: number;
}

/** Estimated cost of the next question; undefined if a model has no listed price. */
export function estimateTurn(input: EstimateInput): CostEstimate | undefined {
  const { promptTokens } = input;
  const answerTokens = Math.min(
    input.meanAnswerTokens ?? usualAnswerTokens,
    input.maxAnswerTokens ?? Number.POSITIVE_INFINITY,
  );
  let questionUsd = 0;
  let usd = 0;
  for (const card of input.cards) {
    if (card?.inputUsd === undefined || card.outputUsd === undefined) return undefined;
    const question = (promptTokens * card.inputUsd) / 1e6;
    questionUsd += question;
    usd += question + (answerTokens * input.each * card.outputUsd) / 1e6;
  }
  return { questionUsd, usd, promptTokens, answerTokens: Math.round(answerTokens) };
}
