import type { Amounts } from "./amounts.ts";
import type { AnyMoney } from "./money.ts";

/** `$1.24`, `0.0042 DIEM`: two decimal places, or enough for two significant digits of a small amount. */
export function moneyText(money: AnyMoney): string {
  return withCurrency(money, grouped(unsigned(money.fixed(placesOf(money)))));
}

/** With all digits. */
export function fullMoneyText(money: AnyMoney): string {
  return withCurrency(money, unsigned(money.digits()));
}

/** `$1.24 · 0.50 DIEM`: all currencies with spend, else `$0.00`, or `0.00 DIEM` for an account that pays in DIEM. */
export function spendText(spend: Amounts, textOf = moneyText, paidIn: "USD" | "DIEM" = "USD"): string {
  return [...spend].sort(byCurrency).map(textOf).join(" · ") || moneyText(spend.in<"USD" | "DIEM">(paidIn));
}

/** Bundled credits belong to a plan. An unknown currency keeps its name. */
export function currencyName(currency: string): string {
  if (currency === "BUNDLED_CREDITS") return "bundled credits";
  return currency || "(no currency)";
}

function withCurrency({ currency, sign }: AnyMoney, digits: string): string {
  const minus = sign < 0 ? "-" : "";
  return currency === "USD" ? `${minus}$${digits}` : `${minus}${digits} ${currencyName(currency)}`;
}

function unsigned(digits: string): string {
  return digits.replace("-", "");
}

const order = ["USD", "DIEM", "BUNDLED_CREDITS", "VCU"];

/** The usual order of currencies. */
export function byCurrency(
  { currency: a }: Pick<AnyMoney, "currency">,
  { currency: b }: Pick<AnyMoney, "currency">,
): number {
  const rank = (currency: string) => (order.includes(currency) ? order.indexOf(currency) : order.length);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function placesOf(money: AnyMoney): number {
  const [, zeros] = /^-?0\.(0+)/.exec(money.digits()) ?? [];
  return zeros === undefined ? 2 : Math.min(18, zeros.length + 2);
}

/** `2,704.5`: decimal digits with thousands separators. */
export function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}
