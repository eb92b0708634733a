import type { Budgets } from "../platform/settings.ts";
import { type Exact, toExact } from "../shared/money/exact.ts";
import type { SpendClaims, SpendTotals } from "./spendBook.ts";

export type BudgetPeriod = "day" | "month";

export interface BudgetState {
  readonly period: BudgetPeriod;
  readonly spent: Exact;
  /** Upper bound of calls in progress and calls of unknown price. */
  readonly claimed: Exact;
  readonly limit: Exact;
  /** Zero if nothing is left. Claims do not count. */
  readonly left: Exact;
  /** The amount spent beyond the limit. */
  readonly over: Exact;
  /** `near` from 80 % on, `spent` from 100 % on. */
  readonly level: "fine" | "near" | "spent";
}

const noClaims: SpendClaims = { todayUsd: 0n, monthUsd: 0n };

/** The state of each budget, the one with the least left first. */
export function budgetStates(
  { dayUsd, monthUsd }: Budgets,
  totals: SpendTotals,
  claims = noClaims,
): BudgetState[] {
  const states = [
    stateOf("day", dayUsd, totals.todayUsd, claims.todayUsd),
    stateOf("month", monthUsd, totals.monthUsd, claims.monthUsd),
  ];
  return states
    .filter((state) => state !== undefined)
    .sort((a, b) => {
      const [first, second] = [a.left - a.over, b.left - b.over];
      return first < second ? -1 : first > second ? 1 : 0;
    });
}

function stateOf(
  period: BudgetPeriod,
  limitUsd: number | undefined,
  spent: Exact,
  claimed: Exact,
): BudgetState | undefined {
  if (limitUsd === undefined) return undefined;
  const limit = toExact(limitUsd);
  const left = spent < limit ? limit - spent : 0n;
  const over = spent > limit ? spent - limit : 0n;
  const level = left === 0n ? "spent" : spent * 100n >= limit * 80n ? "near" : "fine";
  return { period, spent, claimed, limit, left, over, level };
}
