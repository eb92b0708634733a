import { sentenceCase } from "../../../platform/errors/errorMessage.ts";
import type { Budgets } from "../../../platform/settings.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import { tagsOfEntry } from "../../../session/spend/scopes/callTags.ts";
import { isInScope } from "../../../session/spend/scopes/spendTags.ts";
import type { Spend } from "../../../session/spend/spend.ts";
import { allBudgetStates, type BudgetState, countedText } from "../../../session/spend/spendBudget.ts";
import { paidFor, type SpentEntry } from "../../../session/spend/spendLines.ts";
import { type Amounts, nothing } from "../../../shared/money/amounts.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { moneyText } from "../../../shared/money/moneyText.ts";
import { faultText, scopeId } from "../../../shared/money/scopedBudget.ts";
import { dayMs, dayOf, daysBetween, monthOf } from "../../../shared/time/days.ts";
import type { BudgetsState, BurnDown } from "../../protocol/budgetsProtocol.ts";
import { forecastOf } from "../usage/forecast.ts";
import { budgetLabel, budgetRest } from "./budgetNodes.ts";

const hourMs = 3_600_000;
/** The days whose rate a forecast uses may be in the month before. */
const rateMs = 8 * dayMs;

/** The part of the ledger that the burn-down of a budget reads. */
export interface BurnFacts {
  /** The calls since some days before the month, newest first. */
  readonly entries: readonly SpentEntry[];
  /** All that the budget counts of a UTC day, in any currency. */
  readonly spentOn: (day: number) => Amounts;
  readonly nowMs: number;
}

/** All budgets of a connection over their periods. */
export async function budgetsState(
  spend: Pick<Spend, "totals" | "scopes" | "entries" | "spentOn">,
  connection: Connection,
  budgets: Budgets,
  nowMs: number,
): Promise<BudgetsState> {
  const states = await allBudgetStates(spend, connection, budgets);
  const sinceMs = Math.min(monthOf(nowMs).from * dayMs, nowMs - rateMs);
  const days = await spend.spentOn(
    connection,
    states.map(({ per }) => per),
    sinceMs,
  );
  const entries = states.length > 0 ? await spend.entries(connection, sinceMs) : [];
  return {
    budgets: states.map((state, index) =>
      burnDown(state, { entries, spentOn: days[index] ?? (() => nothing), nowMs }),
    ),
    faults: (budgets.parts?.faults ?? []).map((fault) => `A budget can't be read: ${faultText(fault)}.`),
  };
}

export function burnDown(state: BudgetState, facts: BurnFacts): BurnDown {
  const { period, per, limit } = state;
  const { from, to } = spanOf(state, facts.nowMs);
  const textOf = textsOf(state);
  const forecast = forecastIn(state, facts);
  return {
    id: `${period} ${per ? scopeId(per) : ""}`,
    name: sentenceCase(budgetLabel(state)),
    summary: `${sentenceCase(countedText(state))} spent, ${budgetRest(state)}`,
    limit: textOf(limit),
    from: period === "day" ? "00:00" : dayLabel(from),
    to: period === "day" ? "24:00" : dayLabel(to - 1),
    points: pointsOf(state, facts).map(({ label, atMs, spent }) => {
      const left = limit.minus(spent);
      return {
        label,
        elapsed: Math.min(1, Math.max(0, (atMs / dayMs - from) / (to - from))),
        left: signedShare(left, limit),
        text: textOf(left),
      };
    }),
    forecast: forecast ? signedShare(forecast.left, limit) : null,
    forecastText: forecast
      ? forecast.text(textOf)
      : "No forecast yet. It needs three full days of calls, and some of the period to have passed.",
    level: state.level,
  };
}

/** UTC days, the last one excluded. */
function spanOf({ period }: Pick<BudgetState, "period">, nowMs: number) {
  const today = dayOf(nowMs);
  return period === "day" ? { from: today, to: today + 1 } : monthOf(nowMs);
}

interface Spent {
  readonly label: string;
  readonly atMs: number;
  readonly spent: Counted;
}

/** The spend until each time, as the budget counts it. The last time is now. */
function pointsOf(state: BudgetState, { entries, spentOn, nowMs }: BurnFacts): Spent[] {
  const { from } = spanOf(state, nowMs);
  const start = from * dayMs;
  const now: Spent = { label: "now", atMs: nowMs, spent: state.counted };
  const first: Spent = { label: "start", atMs: start, spent: Counted.zero };
  if (state.period === "month") {
    let spent = Counted.zero;
    const days = daysBetween(from, dayOf(nowMs) - 1).map((day): Spent => {
      spent = spent.plus(Counted.of(spentOn(day)));
      return { label: dayLabel(day), atMs: (day + 1) * dayMs, spent };
    });
    return [first, ...days, now];
  }
  // The bill of a day has no hours, so that they are those of the recorded calls alone.
  const calls = entries.filter((entry) => entry.atMs >= start && isCounted(state, entry));
  const hours = Math.floor((nowMs - start) / hourMs);
  const byHour = Array.from({ length: hours }, (_, hour): Spent => {
    const atMs = start + (hour + 1) * hourMs;
    const until = calls
      .filter((entry) => entry.atMs < atMs)
      .map((entry) => Counted.of(paidFor(entry) ?? nothing));
    return { label: hourLabel(hour + 1), atMs, spent: Counted.zero.plusAll(until) };
  });
  return [first, ...byHour, now];
}

function isCounted({ per }: BudgetState, entry: SpentEntry): boolean {
  return !per || isInScope(per, tagsOfEntry(entry));
}

/** What is left at the end at the rate of the last full days; undefined if too few are known. */
function forecastIn(state: BudgetState, { entries, spentOn, nowMs }: BurnFacts) {
  const { limit, counted, period } = state;
  const { from, to } = spanOf(state, nowMs);
  // DIEM counts 1:1, so that the sum goes through the arithmetic of one currency. `textsOf` says it.
  const forecast = forecastOf({
    spentOn: (day) => Counted.of(spentOn(day)).in("USD"),
    nowMs,
    fromDay: from,
    toDay: to - 1,
    knownFromDay: knownFromDay(state, entries, nowMs),
    spentAtLeast: counted.in("USD"),
  });
  if (!forecast) return undefined;
  const left = limit.minus(Counted.price(forecast.expected));
  return {
    left,
    text: (textOf: (amount: Counted) => string) =>
      left.sign < 0
        ? `At the rate of the last full days it is over by ${textOf(left.negated())} at the end of the ${period}.`
        : `At the rate of the last full days ${textOf(left)} is left at the end of the ${period}.`,
  };
}

/** The first day of the calls; of a budget whose month is completely billed, that of the month if it is earlier. */
function knownFromDay(
  { period, per, isWhole }: BudgetState,
  entries: BurnFacts["entries"],
  nowMs: number,
): number {
  const oldest = entries.at(-1);
  const called = dayOf(oldest?.atMs ?? nowMs);
  const isBilled = period === "month" && !per && isWhole;
  return isBilled ? Math.min(called, monthOf(nowMs).from) : called;
}

/** Amounts in the currency in which the budget is used up; shares of the limit if there are two. */
function textsOf({ unit, limit }: BudgetState): (amount: Counted) => string {
  return (amount) => (unit ? moneyText(amount.shownIn(unit)) : `${amount.percentOf(limit)} %`);
}

function signedShare(part: Counted, whole: Counted): number {
  return part.sign < 0 ? -part.negated().shareOf(whole) : part.shareOf(whole);
}

function dayLabel(day: number): string {
  return new Date(day * dayMs).toLocaleDateString("en-US", {
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
}

function hourLabel(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
