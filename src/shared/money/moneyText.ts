import type { Amounts } from "./amounts.ts";
import { type Exact, exactText, fixedText } from "./exact.ts";

/** `$1.24`, `0.0042 DIEM`: two decimal places, or enough for two significant digits of a small amount. */
export function moneyText(amount: Exact, currency: string): string {
  const size = amount < 0n ? -amount : amount;
  const sign = amount < 0n ? "-" : "";
  const digits = grouped(fixedText(size, placesOf(size)));
  return currency === "USD" ? `${sign}$${digits}` : `${sign}${digits} ${currencyName(currency)}`;
}

/** With all digits. */
export function fullMoneyText(amount: Exact, currency: string): string {
  const size = exactText(amount < 0n ? -amount : amount);
  const sign = amount < 0n ? "-" : "";
  return currency === "USD" ? `${sign}$${size}` : `${sign}${size} ${currencyName(currency)}`;
}

/** `$1.24 · 0.50 DIEM`: all currencies with spend, else `$0.00`. */
export function spendText(spend: Amounts, textOf = moneyText): string {
  const shown = [...spend].filter(([, amount]) => amount !== 0n).sort(byCurrency);
  return shown.map(([currency, amount]) => textOf(amount, currency)).join(" · ") || moneyText(0n, "USD");
}

/** Bundled credits belong to a plan. An unknown currency keeps its name. */
export function currencyName(currency: string): string {
  if (currency === "BUNDLED_CREDITS") return "bundled credits";
  return currency || "(no currency)";
}

const order = ["USD", "DIEM", "BUNDLED_CREDITS", "VCU"];

function byCurrency([a]: readonly [string, Exact], [b]: readonly [string, Exact]): number {
  const rank = (currency: string) => (order.includes(currency) ? order.indexOf(currency) : order.length);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

const one = 10n ** 18n;

function placesOf(size: Exact): number {
  if (size === 0n || size >= one / 10n) return 2;
  const zeros = 18 - String(size).length;
  return Math.min(18, zeros + 2);
}

/** `2,704.5`: decimal digits with thousands separators. */
export function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}
