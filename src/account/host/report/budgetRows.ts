import type { Budgets } from "../../../platform/settings.ts";
import { tagsOfEntry } from "../../../session/spend/scopes/callTags.ts";
import { isInScope } from "../../../session/spend/scopes/spendTags.ts";
import {
  type BudgetState,
  budgetStates,
  countedText,
  restText,
  scopedState,
} from "../../../session/spend/spendBudget.ts";
import { paidFor, type SpentEntry } from "../../../session/spend/spendLines.ts";
import { type Known, known } from "../../../shared/known.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { type ScopedBudget, scopeText } from "../../../shared/money/scopedBudget.ts";
import { dayOf, daysBetween, dayText } from "../../../shared/time/days.ts";
import type { PeriodSums } from "./periodSums.ts";
import type { ReportRow } from "./reportShape.ts";

/** How each budget ended: that of a month with its sum, that of a day with its highest day and the days beyond it. */
export function budgetRows(budgets: Budgets, now: PeriodSums): readonly ReportRow[] {
  const { usage, total } = now;
  const byDay: Known<ReadonlyMap<number, Amounts>> =
    usage.is === "value"
      ? known(new Map(usage.value.tallies.map(({ day, total: { spend } }) => [day, spend])))
      : usage;
  const whole = { today: nothing, month: nothing, isTodayBilled: true, isMonthBilled: true };
  const ofAll = (period: "day" | "month") => (spent: Amounts) =>
    budgetStates(budgets, { ...whole, today: spent, month: spent }).find((state) => state.period === period);
  return [
    ...(budgets.monthUsd === undefined ? [] : [ofMonth("All calls, month", total, ofAll("month"))]),
    ...(budgets.dayUsd === undefined ? [] : [ofDays("All calls, each day", byDay, ofAll("day"))]),
    ...(budgets.parts?.scoped ?? []).map((budget) => ofPart(budget, now)),
  ];
}

type StateOf = (spent: Amounts) => BudgetState | undefined;

function ofMonth(name: string, total: Known<Amounts>, stateOf: StateOf): ReportRow {
  const state = total.is === "value" ? stateOf(total.value) : undefined;
  const unread = total.is === "unknown" ? `not read. ${total.reason}` : "nothing was spent";
  return { name, currency: "", detail: state ? endText(state) : unread };
}

function ofDays(name: string, byDay: Known<ReadonlyMap<number, Amounts>>, stateOf: StateOf): ReportRow {
  if (byDay.is === "unknown") return { name, currency: "", detail: `not read. ${byDay.reason}` };
  const days = byDay.is === "value" ? [...byDay.value] : [];
  const states = days.flatMap(([day, spent]) => {
    const state = stateOf(spent);
    return state ? [{ day, state }] : [];
  });
  const highest = states.reduce<(typeof states)[number] | undefined>(
    (most, one) => (most && !one.state.counted.exceeds(most.state.counted) ? most : one),
    undefined,
  );
  if (!highest || highest.state.counted.sign <= 0) return { name, currency: "", detail: "nothing was spent" };
  const over = states.filter(({ state }) => state.level === "spent").length;
  const near = states.filter(({ state }) => state.level === "near").length;
  const counts = `used up on ${over} of ${states.length} days, from 80 % on ${near} more`;
  return {
    name,
    currency: "",
    detail: `${counts}. Highest day ${dayText(highest.day)}: ${countedText(highest.state)}`,
  };
}

/** Budgets of parts count the recorded calls of this computer. */
function ofPart(budget: ScopedBudget, { calls, range }: PeriodSums): ReportRow {
  const mine = calls.filter((call) => isInScope(budget.per, tagsOfEntry(call)));
  const sumOf = (some: readonly SpentEntry[]) => ({
    spent: Amounts.sum(some.map((call) => paidFor(call) ?? nothing)),
    most: Counted.zero,
    unpriced: some.filter((call) => paidFor(call) === undefined).length,
  });
  const name = `${scopeText(budget.per)}, ${budget.period === "day" ? "each day" : "month"}`;
  const stateOf = (some: readonly SpentEntry[]) =>
    scopedState(budget, { today: sumOf(some), month: sumOf(some) });
  if (budget.period === "month") return { name, currency: "", detail: endText(stateOf(mine)) };
  const byDay = daysBetween(range.from, range.to).map(
    (day) => [day, sumOf(mine.filter(({ atMs }) => dayOf(atMs) === day)).spent] as const,
  );
  return ofDays(name, known(new Map(byDay)), (spent) =>
    scopedState(budget, {
      today: { spent, most: Counted.zero, unpriced: 0 },
      month: { spent, most: Counted.zero, unpriced: 0 },
    }),
  );
}

const levels = { fine: "kept", near: "kept, from 80 % on", spent: "used up" } as const;

function endText(state: BudgetState): string {
  return `${levels[state.level]}: ${countedText(state)}, ${restText(state)}`;
}
