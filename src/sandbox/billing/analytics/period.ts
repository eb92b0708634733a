import { dayMs, dayOf, dayText } from "../../../shared/time/days.ts";
import { badField } from "../../refusal.ts";

/** GET /billing/usage-analytics (spec E1): a number of days, or two dates. */
export interface AnalyticsQuery {
  readonly lookback?: string | undefined;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Whole UTC days. */
export interface BillingPeriod {
  /** `7d`, or `2026-08-01:2026-08-07`. */
  readonly label: string;
  readonly fromMs: number;
  /** The first millisecond after it. */
  readonly toMs: number;
}

const maxLookbackDays = 90;

/** The last days including today, or a range with both dates. Throws a 400 if the spec does not allow it. */
export function periodOf({ lookback, startDate, endDate }: AnalyticsQuery, nowMs: number): BillingPeriod {
  if (startDate === undefined && endDate === undefined) return daysBack(lookback ?? "7d", nowMs);
  if (lookback !== undefined) throw badField(["lookback"], "Give either lookback or startDate and endDate");
  if (startDate === undefined) throw badField(["startDate"], "startDate is required with endDate");
  if (endDate === undefined) throw badField(["endDate"], "endDate is required with startDate");
  const fromMs = startOf("startDate", startDate);
  const toMs = startOf("endDate", endDate) + dayMs;
  if (fromMs >= toMs) throw badField(["startDate"], "startDate must not be after endDate");
  return { label: `${startDate}:${endDate}`, fromMs, toMs };
}

function daysBack(lookback: string, nowMs: number): BillingPeriod {
  const days = /^[1-9][0-9]*d$/.test(lookback) ? Number.parseInt(lookback, 10) : Number.NaN;
  if (Number.isNaN(days)) throw badField(["lookback"], "lookback must be a number of days, such as 7d");
  if (days > maxLookbackDays) throw badField(["lookback"], `lookback must be at most ${maxLookbackDays}d`);
  const tomorrow = dayOf(nowMs) + 1;
  return { label: lookback, fromMs: (tomorrow - days) * dayMs, toMs: tomorrow * dayMs };
}

function startOf(field: string, date: string): number {
  const ms = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(date) ? Date.parse(date) : Number.NaN;
  // Rejects dates such as 31 February, which Date would shift.
  if (Number.isNaN(ms) || dayText(dayOf(ms)) !== date)
    throw badField([field], `${field} must be a date, YYYY-MM-DD`);
  return ms;
}
