/** USD per credit as the service states it, in two figures that differ (spec E3, billing rule 4). */
export const usdPerCredit = [6.25e-7, 7e-7] as const;

/** About what credits come to before the headers have said it. */
export function usdRange(credits: number): string {
  const [low, high] = usdPerCredit.map((price) => usdText(credits * price));
  return low === high ? `≈ ${low} USD` : `≈ ${low} to ${high} USD`;
}

/** Two digits that count: 0.0000375, 0.012, 1.25. */
export function usdText(usd: number): string {
  if (usd === 0) return "0";
  const digits = Math.min(10, Math.max(2, 2 - Math.floor(Math.log10(usd)) - 1));
  return usd
    .toFixed(digits)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}
