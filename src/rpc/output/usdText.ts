import { withoutTrailingZeros } from "./scaled.ts";

/** An amount with its unit. The sandbox's amounts are always labelled as play money. */
export function usdAmount(usd: number, isPlayMoney = false): string {
  return `${usdText(usd)} USD${isPlayMoney ? " play money" : ""}`;
}

/** Three significant digits, which is exact for few credits: 0.0000125, 0.012, 1.25. */
export function usdText(usd: number): string {
  if (usd === 0) return "0";
  const digits = Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(usd))));
  const [whole = "", fraction = ""] = usd.toFixed(digits).split(".");
  const rest = withoutTrailingZeros(fraction);
  return rest === "" ? whole : `${whole}.${rest}`;
}
