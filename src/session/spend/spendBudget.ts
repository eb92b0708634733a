import type { Budgets } from "../../platform/settings.ts";
import type { Amounts } from "../../shared/money/amounts.ts";
import { budgetRule, countedPart, countedUsd, isDollars } from "../../shared/money/budgetRule.ts";
import { type Exact, toExact } from "../../shared/money/exact.ts";
import { moneyText, spendText } from "../../shared/money/moneyText.ts";
import type { SpendClaims, SpendTotals } from "./spendBook.ts";

export type BudgetPeriod = "day" | "month";

export interface BudgetState {
  readonly period: BudgetPeriod;
  /** All of the period, in any currency. */
  readonly spent: Amounts;
  /** False if the bill of the period is not completely read: the account may have spent more. */
  readonly isWhole: boolean;
  /** What that uses up of the limit. It has several currencies in it, so `spentText` and `restText` say it. */
  readonly countedUsd: Exact;
  /** Upper bound of calls in progress and calls of unknown price. */
  readonly claimedUsd: Exact;
  readonly limitUsd: Exact;
  /** Zero if nothing is left. Claims do not count. */
  readonly leftUsd: Exact;
  /** The amount beyond the limit. */
  readonly overUsd: Exact;
  /** `near` from 80 % on, `spent` from 100 % on. */
  readonly level: "fine" | "near" | "spent";
}

const noClaims: SpendClaims = { todayUsd: 0n, monthUsd: 0n };

/** The state of each budget, the one with the least left first. */
export function budgetStates(
  { dayUsd, monthUsd }: Budgets,
  totals: Pick<SpendTotals, "today" | "month" | "isTodayBilled" | "isMonthBilled">,
  claims = noClaims,
): BudgetState[] {
  const states = [
    stateOf("day", dayUsd, { spent: totals.today, isWhole: totals.isTodayBilled }, claims.todayUsd),
    stateOf("month", monthUsd, { spent: totals.month, isWhole: totals.isMonthBilled }, claims.monthUsd),
  ];
  return states
    .filter((state) => state !== undefined)
    .sort((a, b) => {
      const [first, second] = [a.leftUsd - a.overUsd, b.leftUsd - b.overUsd];
      return first < second ? -1 : first > second ? 1 : 0;
    });
}

function stateOf(
  period: BudgetPeriod,
  budgetUsd: number | undefined,
  { spent, isWhole }: Pick<BudgetState, "spent" | "isWhole">,
  claimedUsd: Exact,
): BudgetState | undefined {
  if (budgetUsd === undefined) return undefined;
  const [limitUsd, counted] = [toExact(budgetUsd), countedUsd(spent)];
  const leftUsd = counted < limitUsd ? limitUsd - counted : 0n;
  const overUsd = counted > limitUsd ? counted - limitUsd : 0n;
  const level = leftUsd === 0n ? "spent" : counted * 100n >= limitUsd * 80n ? "near" : "fine";
  return { period, spent, isWhole, countedUsd: counted, claimedUsd, limitUsd, leftUsd, overUsd, level };
}

/** `$194.19 · 97.49 DIEM of $200.00`: what counts, as it was paid. `whose` stands before the limit. */
export function countedText({ spent, isWhole, limitUsd }: BudgetState, whose = ""): string {
  return `${isWhole ? "" : "at least "}${spendText(countedPart(spent))} of ${whose}${moneyText(limitUsd, "USD")}`;
}

/**
 * `$5.81 left`, `$4.19 over budget`. If more than dollars count, it is a share of the budget: a sum of two currencies is not
 * an amount of dollars.
 */
export function restText({ spent, leftUsd, overUsd, limitUsd }: BudgetState): string {
  const [rest, words] = overUsd > 0n ? [overUsd, "over budget"] : [leftUsd, "left"];
  if (isDollars(countedPart(spent))) return `${moneyText(rest, "USD")} ${words}`;
  const percent = (rest * 100n) / limitUsd;
  const share = percent === 0n && rest > 0n ? "less than 1 %" : `${percent} %`;
  return overUsd > 0n ? `${share} over budget` : `${share} of the budget left`;
}

/** The rule of budgets in a sentence, if there is anything but dollars; else empty. */
export function ruleText({ spent }: Pick<BudgetState, "spent">): string {
  return isDollars(spent) ? "" : budgetRule;
}
