/** An amount with its unit. The sandbox's money is made up, and is called that wherever it is shown. */
export function usdAmount(usd: number, isPlayMoney = false): string {
  return `${usdText(usd)} USD${isPlayMoney ? " play money" : ""}`;
}

/** Three digits that count, which is what few credits come to exactly: 0.0000125, 0.012, 1.25. */
export function usdText(usd: number): string {
  if (usd === 0) return "0";
  const digits = Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(usd))));
  return usd
    .toFixed(digits)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}
