import type { Ask } from "./ask.ts";
import type { Script } from "./script.ts";

/** All choices are charged (spec E10, n). */
export function usageOf({ promptTokens }: Ask, scripts: readonly Script[]) {
  const sum = (pick: (script: Script) => number) =>
    scripts.reduce((total, script) => total + pick(script), 0);
  const completion = sum(({ tokens }) => tokens);
  const reasoning = sum(({ reasoningTokens }) => reasoningTokens);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: promptTokens + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: reasoning > 0 ? { reasoning_tokens: reasoning } : null,
  };
}
export type Usage = ReturnType<typeof usageOf>;

/** A search inside a chat costs about 0.01 USD (wire.md section 5). */
export const searchUsd = 0.01;

/** What the answer would cost; only venice says it (wire.md section 5). */
export function costOf({ model, dialect }: Ask, usage: Usage, searched: boolean) {
  if (dialect === "standard") return {};
  const { price } = model;
  const tokens = (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / 1_000_000;
  const usd = Number((tokens + (searched ? searchUsd : 0)).toFixed(8));
  return { cost: { usd, diem: usd } };
}
