/** Tokens of the context that are reserved for the answer, at most. */
const answerTokens = 4096;
/** Share of a small context that is reserved for the answer. */
const answerShare = 0.25;

/** Tokens of a context that the prompt may fill. */
export function promptRoom(contextTokens: number | undefined): number | undefined {
  return contextTokens && contextTokens - Math.min(answerTokens, Math.floor(contextTokens * answerShare));
}
