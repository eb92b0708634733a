import type { ModelCard } from "../../shared/chatModels.ts";

/** Tokens of an answer when none came yet. */
const usualAnswerTokens = 500;

export interface CostEstimate {
  /** USD of the question alone, and with an answer of the usual length. */
  readonly questionUsd: number;
  readonly usd: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
}

export interface EstimateInput {
  readonly cards: readonly (ModelCard | undefined)[];
  /** Of all that would go along with the question, and of itself. */
  readonly promptTokens: number;
  /** Tokens of the answers so far, on average. */
  readonly meanAnswerTokens: number | undefined;
  readonly maxAnswerTokens: number | undefined;
  /** Answers by each model. */
  readonly each: number;
}

/** What the next question will cost about; undefined where a model names no price. */
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
