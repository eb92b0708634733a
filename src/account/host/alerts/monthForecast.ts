import type { Budgets } from "../../../platform/settings.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import { budgetStates } from "../../../session/spend/spendBudget.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { dayOf, monthOf } from "../../../shared/time/days.ts";
import { forecastOf } from "../usage/forecast.ts";
import type { LoadedUsage } from "../usage/usageStore.ts";
import { type DueAlert, forecastAlert } from "./alert.ts";

/**
 * The alert of a month whose budget is not used up yet, but will be at the rate of the last days. Undefined without the
 * bill of the whole month so far, or without enough days.
 */
export function monthForecast(
  connection: Pick<Connection, "id" | "name" | "kind">,
  { range, tallies }: Pick<LoadedUsage, "range" | "tallies">,
  budgets: Budgets,
  nowMs: number,
): DueAlert | undefined {
  const month = monthOf(nowMs);
  if (range.from > month.from || range.to < dayOf(nowMs)) return undefined;
  const byDay = new Map(tallies.map(({ day, total }) => [day, total.spend]));
  const spent = Amounts.sum([...byDay].filter(([day]) => day >= month.from).map(([, amounts]) => amounts));
  const totals = { today: nothing, month: spent, isTodayBilled: true, isMonthBilled: true };
  const state = budgetStates(budgets, totals).find(({ period }) => period === "month");
  if (!state || state.level === "spent") return undefined;
  // In the unit of the budget, which counts USD and DIEM.
  const counted = (amounts: Amounts) => Counted.of(amounts).in("USD");
  const forecast = forecastOf({
    spentOn: (day) => counted(byDay.get(day) ?? nothing),
    nowMs,
    fromDay: month.from,
    toDay: month.to - 1,
    knownFromDay: range.from,
    spentAtLeast: counted(spent),
  });
  if (!forecast?.expected.exceeds(state.limit.in("USD"))) return undefined;
  return forecastAlert(connection, state, forecast.expected.digits(), nowMs);
}
