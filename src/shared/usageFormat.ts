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
  if (costUsd) return `${tokens} · ${formatUsageUsd(costUsd)}`;
  return costDiem ? `${tokens} · ${costDiem.toPrecision(2)} DIEM` : tokens;
}

function formatUsageUsd(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

/** 12345 → "12,345". */
export function formatCount(count: number): string {
  return whole.format(count);
}
