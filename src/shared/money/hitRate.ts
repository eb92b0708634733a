/** Tokens of prompts, over some answers. */
export interface CacheReads {
  /** Read from the service's prompt cache. */
  readonly cachedTokens: number;
  /** The prompts of the answers for which that is known. */
  readonly countedTokens: number;
}

/** Share of the prompts that was read from the cache, 0 to 1; undefined if the service never stated it. */
export function hitRateOf({ cachedTokens, countedTokens }: CacheReads): number | undefined {
  return countedTokens > 0 ? Math.min(1, cachedTokens / countedTokens) : undefined;
}

/** Never 100 % if something was not read, and never 0 % if something was. */
export function hitRateText(rate: number): string {
  const percent = Math.round(rate * 100);
  return `${rate > 0 && rate < 1 ? Math.min(99, Math.max(1, percent)) : percent} %`;
}
