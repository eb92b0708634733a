import { priceText, statedCosts } from "../shared/money/statedPrice.ts";

const whole = new Intl.NumberFormat("en");

/** Tokens, and the cost if it is known. */
export interface Used {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd?: number;
  readonly costDiem?: number;
}

/** `1,234 tokens in, 56 out · $0.0012`. */
export function formatUsed({ promptTokens, completionTokens, costUsd, costDiem }: Used): string {
  const tokens = `${whole.format(promptTokens)} tokens in, ${whole.format(completionTokens)} out`;
  const costs = statedCosts(costUsd, costDiem).filter(({ amount }) => amount !== 0);
  return [tokens, ...costs.map((cost) => priceText(cost))].join(" · ");
}

/** 12345 → "12,345". */
export function formatCount(count: number): string {
  return whole.format(count);
}
