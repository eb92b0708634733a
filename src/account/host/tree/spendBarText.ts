import type { Budgets } from "../../../platform/settings.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import { type BudgetState, budgetStates, restText, ruleText } from "../../../session/spend/spendBudget.ts";
import { type Amounts, type AmountTexts, fromAmountTexts, nothing } from "../../../shared/money/amounts.ts";
import { moneyText, spendText } from "../../../shared/money/moneyText.ts";
import { dayMs, dayOf, monthOf } from "../../../shared/time/days.ts";

/** The last totals of a connection, so that a new window can show them without loading the ledger. */
export interface ShownSpend {
  /** UTC day of the totals. */
  readonly day: number;
  readonly today: AmountTexts;
  readonly month: AmountTexts;
  readonly isTodayBilled: boolean;
  readonly isMonthBilled: boolean;
}

/** The item in the status bar. */
export interface SpendBar {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  /** Markdown. */
  readonly tooltip: string;
  readonly colour: "error" | "warning" | undefined;
}

/** A sum of a day or a month. */
interface Sum {
  readonly spend: Amounts;
  /** False if the bill of that time is not completely read: the account may have spent more. */
  readonly isWhole: boolean;
}

interface Sums {
  readonly today: Sum;
  readonly month: Sum;
}

/** Undefined if there is neither a budget nor anything known of today. `stored` is the last `ShownSpend`, if it is valid. */
export function spendBarOf(
  connection: Pick<Connection, "name" | "kind">,
  budgets: Budgets,
  stored: unknown,
  nowMs: number,
): SpendBar | undefined {
  const sums = readSums(stored, nowMs);
  const states = budgetStates(budgets, {
    today: sums.today.spend,
    month: sums.month.spend,
    isTodayBilled: sums.today.isWhole,
    isMonthBilled: sums.month.isWhole,
  });
  if (!isKnown(sums.today) && states.length === 0) return undefined;
  const [tightest] = states;
  const play = connection.kind === "sandbox" ? " play money" : "";
  const today = isKnown(sums.today) ? `${atLeast(sums.today)}${spendText(sums.today.spend)}` : "–";
  const rest = tightest && boundedRest(tightest);
  const parts = [`${today}${isKnown(sums.today) ? play : ""} today`, ...(rest ? [rest] : [])];
  // VS Code cuts the end of a long item, and that must not be the budget.
  const text = (sums.today.spend.size > 2 ? parts.toReversed() : parts).join(" · ");
  return {
    text,
    label: wordsOf(text).replace(/^–/, "unknown"),
    tooltip: tooltipOf(connection, sums, states),
    colour: colourOf(states),
  };
}

function readSums(stored: unknown, nowMs: number): Sums {
  const unread: Sum = { spend: nothing, isWhole: false };
  // The shape of older versions has no currencies.
  if (typeof stored !== "object" || stored === null) return { today: unread, month: unread };
  const { day, today, month, isTodayBilled, isMonthBilled } = stored as Partial<ShownSpend>;
  const sum = (texts: unknown, isCurrent: boolean, isWhole: boolean | undefined): Sum => {
    const spend = isCurrent ? fromAmountTexts(texts) : undefined;
    return spend ? { spend, isWhole: isWhole === true } : unread;
  };
  const isToday = day === dayOf(nowMs);
  const isThisMonth = day !== undefined && day >= monthOf(nowMs).from && day * dayMs <= nowMs;
  return {
    today: sum(today, isToday, isTodayBilled),
    // What other days had since is not known.
    month: sum(month, isThisMonth, isToday && isMonthBilled),
  };
}

function isKnown({ spend, isWhole }: Sum): boolean {
  return isWhole || spend.size > 0;
}

function atLeast({ isWhole }: Sum): string {
  return isWhole ? "" : "≥ ";
}

/** What is left is at most this much while not all of the bill is read. */
function boundedRest(state: BudgetState): string {
  if (state.isWhole) return restText(state);
  return `${state.overUsd > 0n ? "≥" : "≤"} ${restText(state)}`;
}

function tooltipOf(
  { name, kind }: Pick<Connection, "name" | "kind">,
  sums: Sums,
  states: readonly BudgetState[],
): string {
  const asPlain = (text: string) => text.replace(/[\\`*_{}[\]()<>#|~$]/g, "\\$&");
  const rows = [
    ["Today (UTC)", sumText(sums.today)],
    ["This month (UTC)", sumText(sums.month)],
    ...states.map((state) => [
      state.period === "day" ? "Budget of the day" : "Budget of the month",
      `${moneyText(state.limitUsd, "USD")}, ${wordsOf(boundedRest(state))}`,
    ]),
  ].map(([label = "", value = ""]) => `| ${label} | ${asPlain(value)} |`);
  const head = `**${asPlain(name)}**: spend${kind === "sandbox" ? ", in play money" : ""}`;
  const isWhole = sums.today.isWhole && sums.month.isWhole;
  const notes = [
    isWhole
      ? ""
      : "The bill is not completely read: the account may have spent more. The dashboard reads it.",
    ...new Set(states.map(ruleText)),
  ].filter(Boolean);
  return [head, "", "| | |", "|:--|--:|", ...rows, ...notes.flatMap((note) => ["", asPlain(note)])].join(
    "\n",
  );
}

function sumText(sum: Sum): string {
  return isKnown(sum) ? `${wordsOf(atLeast(sum))}${spendText(sum.spend)}` : "unknown";
}

function wordsOf(text: string): string {
  return text.replaceAll("≥", "at least").replaceAll("≤", "at most");
}

function colourOf(states: readonly BudgetState[]): SpendBar["colour"] {
  const levels = states.map(({ level }) => level);
  if (levels.includes("spent")) return "error";
  return levels.includes("near") ? "warning" : undefined;
}
