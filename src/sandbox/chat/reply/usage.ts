import type { Ask } from "../ask.ts";
import type { Script } from "../script.ts";

/** All choices are charged (spec E10, n). */
export function usageOf({ promptTokens, cachedTokens }: Ask, scripts: readonly Script[]) {
  const sum = (pick: (script: Script) => number) =>
    scripts.reduce((total, script) => total + pick(script), 0);
  const completion = sum(({ tokens }) => tokens);
  const reasoning = sum(({ reasoningTokens }) => reasoningTokens);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: promptTokens + completion,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: reasoning > 0 ? { reasoning_tokens: reasoning } : null,
  };
}
