import { dayMs, dayOf } from "../../shared/days.ts";

/** Over which time a key's cap counts (spec, limitPeriod). */
export type KeyLimitPeriod = "EPOCH" | "MONTH" | "LIFETIME";

/** What counts where none is named. */
export const legacyPeriod: KeyLimitPeriod = "EPOCH";

/** The UTC day on which the current window began; -Infinity for the one that never ends. */
export function windowStart(period: KeyLimitPeriod, nowMs: number): number {
  if (period === "LIFETIME") return Number.NEGATIVE_INFINITY;
  if (period === "EPOCH") return dayOf(nowMs);
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / dayMs;
}

/** When a spent cap opens again, in Unix milliseconds; undefined for never. */
export function windowEndMs(period: KeyLimitPeriod, nowMs: number): number | undefined {
  if (period === "LIFETIME") return undefined;
  if (period === "EPOCH") return (dayOf(nowMs) + 1) * dayMs;
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}
