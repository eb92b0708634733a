/** Two digits that count: 0.0000375, 0.012, 1.25. */
export function usdText(usd: number): string {
  if (usd === 0) return "0";
  const digits = Math.min(10, Math.max(2, 2 - Math.floor(Math.log10(usd)) - 1));
  return usd
    .toFixed(digits)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}
