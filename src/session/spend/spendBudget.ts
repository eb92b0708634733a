import type { Budgets } from "../../platform/settings.ts";
import { optionalMember } from "../../shared/members.ts";
import type { Amounts } from "../../shared/money/amounts.ts";
import {
  budgetRule,
  Counted,
  type CountedCurrency,
  countedPart,
  isDollars,
  unitOf,
} from "../../shared/money/budgetRule.ts";
import { moneyText, spendText } from "../../shared/money/moneyText.ts";
import {
  type BudgetPeriod,
  type BudgetScope,
  type ScopedBudget,
  scopeText,
} from "../../shared/money/scopedBudget.ts";
import type { Connection } from "../connection/connection.ts";
import type { Spend } from "./spend.ts";
import type { ScopeSpend, SpendClaims, SpendTotals } from "./spendBook.ts";

export interface BudgetState {
  readonly period: BudgetPeriod;
  /** The calls that it counts; absent if it counts the whole connection. */
  readonly per?: BudgetScope;
  /** Of a cap that no setting has. */
  readonly name?: string;
  /** True if a call that may pass it is refused without a question. */
  readonly isHardStop: boolean;
  /** All of the period, in any currency. */
  readonly spent: Amounts;
  /** False if the bill of the period is not completely read, or the price of a call is unknown: more may be spent. */
  readonly isWhole: boolean;
  /** What that uses up of the limit. It has several currencies in it, so `spentText` and `restText` say it. */
  readonly counted: Counted;
  /** The currency in which it is said; undefined if several count. */
  readonly unit: CountedCurrency | undefined;
  /** Upper bound of calls in progress and calls of unknown price. */
  readonly claimed: Counted;
  readonly limit: Counted;
  /** Zero if nothing is left. Claims do not count. */
  readonly left: Counted;
  /** The amount beyond the limit. */
  readonly over: Counted;
  /** `near` from 80 % on, `spent` from 100 % on. */
  readonly level: "fine" | "near" | "spent";
}

const noClaims: SpendClaims = { today: Counted.zero, month: Counted.zero };

/** The state of each budget, the one with the least left first. */
export function budgetStates(
  { dayUsd, monthUsd, hardStop }: Budgets,
  totals: Pick<SpendTotals, "today" | "month" | "isTodayBilled" | "isMonthBilled" | "paidIn">,
  claims = noClaims,
): BudgetState[] {
  const { today, month, isTodayBilled, isMonthBilled } = totals;
  const paidIn = totals.paidIn ?? unitOf(month);
  const states = [
    dayUsd === undefined
      ? []
      : stateOf("day", dayUsd, { spent: today, isWhole: isTodayBilled, paidIn }, claims.today),
    monthUsd === undefined
      ? []
      : stateOf("month", monthUsd, { spent: month, isWhole: isMonthBilled, paidIn }, claims.month),
  ];
  return states
    .flat()
    .map((state) => ({ ...state, isHardStop: hardStop }))
    .sort(byRest);
}

/** The state of the budget of a part of the calls. */
export function scopedState(
  { per, period, limitUsd, onReach, name }: ScopedBudget,
  { today, month, claims }: Pick<ScopeSpend, "today" | "month"> & { readonly claims?: SpendClaims },
  paidIn?: CountedCurrency,
): BudgetState {
  const { spent, unpriced } = period === "day" ? today : month;
  const ofPeriod = claims ?? noClaims;
  const claimed = period === "day" ? ofPeriod.today : ofPeriod.month;
  const state = stateOf(period, limitUsd, { spent, isWhole: unpriced === 0, paidIn }, claimed);
  return { ...state, per, ...optionalMember("name", name), isHardStop: onReach === "stop" };
}

/** All budgets of a connection, the one with the least left first. */
export async function allBudgetStates(
  spend: Pick<Spend, "totals" | "scopes">,
  connection: Connection,
  budgets: Budgets,
): Promise<readonly BudgetState[]> {
  const scoped = budgets.parts?.scoped ?? [];
  const [totals, sums] = await Promise.all([
    spend.totals(connection),
    spend.scopes(
      connection,
      scoped.map(({ per }) => per),
    ),
  ]);
  const ofParts = scoped.flatMap((budget, index) => {
    const sum = sums[index];
    return sum ? scopedState(budget, sum, totals.paidIn) : [];
  });
  return [...budgetStates(budgets, totals), ...ofParts].sort(byRest);
}

/** The budget with the least left first. */
export function byRest(a: BudgetState, b: BudgetState): number {
  return a.left.minus(a.over).compare(b.left.minus(b.over));
}

/** `the budget of this month`, `the budget of the folder app for this day`. */
export function budgetName({ per, period, name }: Pick<BudgetState, "per" | "period" | "name">): string {
  if (name !== undefined) return name;
  return per ? `the budget of ${scopeText(per)} for this ${period}` : `the budget of this ${period}`;
}

function stateOf(
  period: BudgetPeriod,
  budgetUsd: number,
  {
    spent,
    isWhole,
    paidIn,
  }: Pick<BudgetState, "spent" | "isWhole"> & { readonly paidIn: CountedCurrency | undefined },
  claimed: Counted,
): Omit<BudgetState, "per" | "isHardStop"> {
  const [limit, counted] = [Counted.parse(budgetUsd), Counted.of(spent)];
  const left = limit.exceeds(counted) ? limit.minus(counted) : Counted.zero;
  const over = counted.exceeds(limit) ? counted.minus(limit) : Counted.zero;
  const isNear = !limit.scaled(80).exceeds(counted.scaled(100));
  const level = left.sign === 0 ? "spent" : isNear ? "near" : "fine";
  const unit = unitOf(spent, paidIn);
  return { period, spent, isWhole, counted, unit, claimed, limit, left, over, level };
}

/**
 * `12.50 DIEM of 20.00 DIEM`, `$194.19 · 97.49 DIEM of $200.00`: what counts, as it was paid. `whose` stands before the
 * limit.
 */
export function countedText(budget: BudgetState, whose = ""): string {
  const { spent, isWhole, unit } = budget;
  const counted = spendText(countedPart(spent), moneyText, unit);
  return `${isWhole ? "" : "at least "}${counted} of ${whose}${limitText(budget)}`;
}

/** `$200.00`, `20.00 DIEM` for an account that pays in DIEM alone. */
export function limitText({ limit, unit }: Pick<BudgetState, "limit" | "unit">): string {
  return moneyText(limit.shownIn(unit));
}

/**
 * `$5.81 left`, `7.50 DIEM left`, `$4.19 over budget`. If both count, it is a share of the budget: a sum of two currencies is
 * not an amount of either.
 */
export function restText({ unit, left, over, limit }: BudgetState): string {
  const [rest, words] = over.sign > 0 ? ([over, "over budget"] as const) : ([left, "left"] as const);
  if (unit) return `${moneyText(rest.shownIn(unit))} ${words}`;
  const percent = rest.percentOf(limit);
  const share = percent === 0n && rest.sign > 0 ? "less than 1 %" : `${percent} %`;
  return over.sign > 0 ? `${share} over budget` : `${share} of the budget left`;
}

/** The rule of budgets in a sentence, if there is anything but dollars; else empty. */
export function ruleText({ spent }: Pick<BudgetState, "spent">): string {
  return isDollars(spent) ? "" : budgetRule;
}
