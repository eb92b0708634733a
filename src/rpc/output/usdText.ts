import { withoutTrailingZeros } from "./scaled.ts";

/** In which money a price of credits is paid. */
export interface PriceUnit {
  /** The sandbox's amounts are always labelled as play money. */
  readonly isPlayMoney?: boolean | undefined;
  /** True for an account that pays in DIEM: the service prices a DIEM as a dollar, so that the number is the same. */
  readonly isDiem?: boolean | undefined;
}

/** A listed price in the money that pays it: `$0.0000125`, `0.0000125 DIEM play money`. */
export function priceOf(usd: number, { isPlayMoney = false, isDiem = false }: PriceUnit = {}): string {
  const amount = isDiem ? `${usdText(usd)} DIEM` : `$${usdText(usd)}`;
  return isPlayMoney ? `${amount} play money` : amount;
}

/** Three significant digits, which is exact for few credits: 0.0000125, 0.012, 1.25. */
export function usdText(usd: number): string {
  if (usd === 0) return "0";
  const digits = Math.min(12, Math.max(2, 2 - Math.floor(Math.log10(usd))));
  const [whole = "", fraction = ""] = usd.toFixed(digits).split(".");
  const rest = withoutTrailingZeros(fraction);
  return rest === "" ? whole : `${whole}.${rest}`;
}
