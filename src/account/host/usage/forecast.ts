import type { Exact } from "../../../shared/money/exact.ts";
import { dayMs, dayOf, daysBetween } from "../../../shared/time/days.ts";

/** Estimated spend at the end of a period if it continues as in the last full days. */
export interface Forecast {
  readonly spent: Exact;
  readonly expected: Exact;
  /** At the rate of the cheapest and the most expensive of those days. */
  readonly low: Exact;
  readonly high: Exact;
}

const rateDays = 7;
/** A forecast needs this many full days: with fewer, single days dominate it. */
const minDays = 3;
/** Minimum elapsed share of a period. */
const minShare = 0.03;

export interface ForecastQuestion {
  /** UTC day → spend in one currency. */
  readonly byDay: ReadonlyMap<number, Exact>;
  readonly nowMs: number;
  /** First and last UTC day of the period. */
  readonly fromDay: number;
  readonly toDay: number;
  /** The earliest known day. Days before it are ignored. */
  readonly knownFromDay: number;
  /** Known to be spent in the period: calls may not be on the bill yet. */
  readonly spentAtLeast?: Exact;
}

/** The rate excludes today because it is incomplete. Undefined if there is not enough data. */
export function forecastOf(question: ForecastQuestion): Forecast | undefined {
  const { byDay, nowMs, fromDay, toDay, knownFromDay, spentAtLeast = 0n } = question;
  const today = dayOf(nowMs);
  const elapsed = (nowMs / dayMs - fromDay) / (toDay + 1 - fromDay);
  // A day with more refunds than charges is no reason to expect that less will be spent than is spent now.
  const rates = daysBetween(Math.max(knownFromDay, today - rateDays), today - 1)
    .map((day) => byDay.get(day) ?? 0n)
    .map((rate) => (rate > 0n ? rate : 0n));
  if (elapsed < minShare || elapsed > 1 || rates.length < minDays) return undefined;
  const onBill = daysBetween(fromDay, today).reduce((sum, day) => sum + (byDay.get(day) ?? 0n), 0n);
  const spent = onBill > spentAtLeast ? onBill : spentAtLeast;
  const left = BigInt(Math.round((toDay + 1) * dayMs - nowMs));
  const after = (perDay: Exact) => spent + (perDay * left) / BigInt(dayMs);
  const sum = rates.reduce((all, rate) => all + rate, 0n);
  return {
    spent,
    expected: after(sum / BigInt(rates.length)),
    low: after(rates.reduce((a, b) => (a < b ? a : b))),
    high: after(rates.reduce((a, b) => (a > b ? a : b))),
  };
}
