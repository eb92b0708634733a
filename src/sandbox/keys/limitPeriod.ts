import { dayMs, dayOf } from "../../shared/time/days.ts";

/** The period of a key's cap (spec, limitPeriod). */
export type KeyLimitPeriod = "EPOCH" | "MONTH" | "LIFETIME";

/** The default period. */
export const legacyPeriod: KeyLimitPeriod = "EPOCH";

/** The UTC day on which the current window started. -Infinity for a lifetime cap. */
export function windowStart(period: KeyLimitPeriod, nowMs: number): number {
  if (period === "LIFETIME") return Number.NEGATIVE_INFINITY;
  if (period === "EPOCH") return dayOf(nowMs);
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / dayMs;
}

/** The end of the current window in Unix milliseconds. Undefined for never. */
export function windowEndMs(period: KeyLimitPeriod, nowMs: number): number | undefined {
  if (period === "LIFETIME") return undefined;
  if (period === "EPOCH") return (dayOf(nowMs) + 1) * dayMs;
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
