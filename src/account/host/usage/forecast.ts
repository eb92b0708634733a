import type { Money } from "../../../shared/money/money.ts";
import { dayMs, dayOf, daysBetween } from "../../../shared/time/days.ts";

/** Estimated spend at the end of a period if it continues as in the last full days. */
export interface Forecast<Currency extends string> {
  readonly spent: Money<Currency>;
  readonly expected: Money<Currency>;
  /** At the rate of the cheapest and the most expensive of those days. */
  readonly low: Money<Currency>;
  readonly high: Money<Currency>;
}

const rateDays = 7;
/** A forecast needs this many full days: with fewer, single days dominate it. */
const minDays = 3;
/** Minimum elapsed share of a period. */
const minShare = 0.03;

export interface ForecastQuestion<Currency extends string> {
  /** Spend of a UTC day; zero for an unknown day. */
  readonly spentOn: (day: number) => Money<Currency>;
  readonly nowMs: number;
  /** First and last UTC day of the period. */
  readonly fromDay: number;
  readonly toDay: number;
  /** The earliest known day. Days before it are ignored. */
  readonly knownFromDay: number;
  /** Known to be spent in the period: calls may not be on the bill yet. */
  readonly spentAtLeast: Money<Currency>;
}

/** The rate excludes today because it is incomplete. Undefined if there is not enough data. */
export function forecastOf<Currency extends string>(
  question: ForecastQuestion<Currency>,
): Forecast<Currency> | undefined {
  const { spentOn, nowMs, fromDay, toDay, knownFromDay, spentAtLeast } = question;
  const today = dayOf(nowMs);
  const elapsed = (nowMs / dayMs - fromDay) / (toDay + 1 - fromDay);
  // A day with more refunds than charges is no reason to expect that less will be spent than is spent now.
  const rates = daysBetween(Math.max(knownFromDay, today - rateDays), today - 1)
    .map(spentOn)
    .map((rate) => (rate.sign > 0 ? rate : rate.scaled(0)));
  if (elapsed < minShare || elapsed > 1 || rates.length < minDays) return undefined;
  const onBill = sumOf(daysBetween(fromDay, today).map(spentOn));
  const spent = onBill.exceeds(spentAtLeast) ? onBill : spentAtLeast;
  const leftMs = Math.round((toDay + 1) * dayMs - nowMs);
  const after = (perDay: Money<Currency>) => spent.plus(perDay.scaled(leftMs, dayMs));
  return {
    spent,
    expected: after(sumOf(rates).scaled(1, rates.length)),
    low: after(rates.reduce((a, b) => (b.exceeds(a) ? a : b))),
    high: after(rates.reduce((a, b) => (a.exceeds(b) ? a : b))),
  };
}

/** Of at least one. */
function sumOf<Currency extends string>(all: readonly Money<Currency>[]): Money<Currency> {
  return all.reduce((sum, money) => sum.plus(money));
}
