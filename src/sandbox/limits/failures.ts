import type { DialectId } from "../../api/dialect/dialect.ts";
import { Refusal } from "../refusal.ts";

const windowMs = 30_000;
/** Failures allowed within the window. One more blocks the caller (spec, Errors; wire.md section 2). */
const budgets: Readonly<Record<DialectId, number>> = { standard: 20, venice: 50 };
/** The dialects' own messages (spec, Errors; wire.md section 11). */
const waits: Readonly<Record<DialectId, string>> = {
  standard: "Too many failed requests. Please wait 30 seconds before trying again.",
  venice: "Too many failed attempts. Please wait 30s and try again.",
};

/** Abuse protection: blocks a caller for 30 seconds after too many failures. */
export interface FailureBudget {
  /** Throws a 429 while the caller is blocked. */
  check(scope: string): void;
  /** Counts the status if it is a failure. */
  count(scope: string, status: number): void;
  left(scope: string): { readonly failures: number; readonly resetsAtMs: number };
}

export function createFailureBudget(dialect: DialectId, now: () => number): FailureBudget {
  const budget = budgets[dialect];
  const failures = new Map<string, number[]>();
  const closedUntil = new Map<string, number>();
  const recent = (scope: string) => (failures.get(scope) ?? []).filter((at) => now() - at < windowMs);
  return {
    check(scope) {
      if (now() >= (closedUntil.get(scope) ?? 0)) return;
      throw new Refusal(429, waits[dialect]);
    },
    count(scope, status) {
      if (status < 400 || status === 429) return;
      const stored = [...recent(scope), now()];
      failures.set(scope, stored);
      if (stored.length <= budget) return;
      closedUntil.set(scope, now() + windowMs);
      failures.delete(scope);
    },
    left(scope) {
      const stored = recent(scope);
      return { failures: Math.max(0, budget - stored.length), resetsAtMs: (stored[0] ?? now()) + windowMs };
    },
  };
}
