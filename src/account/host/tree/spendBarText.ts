import type { Budgets } from "../../../platform/settings.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { ChainSpend } from "../../../session/spend/spend.ts";
import type { ScopeSpend } from "../../../session/spend/spendBook.ts";
import {
  type BudgetState,
  budgetStates,
  byRest,
  limitText,
  restText,
  ruleText,
  scopedState,
} from "../../../session/spend/spendBudget.ts";
import { membersOf, optionalMember, ownMember } from "../../../shared/members.ts";
import { type Amounts, type AmountTexts, fromAmountTexts, nothing } from "../../../shared/money/amounts.ts";
import {
  Counted,
  type CountedCurrency,
  toCountedCurrency,
  unitOf,
} from "../../../shared/money/budgetRule.ts";
import { moneyText, spendText } from "../../../shared/money/moneyText.ts";
import {
  type BudgetFault,
  type BudgetPeriod,
  faultText,
  type ScopedBudget,
  scopeId,
  scopeLabel,
} from "../../../shared/money/scopedBudget.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import { dayMs, dayOf, monthOf } from "../../../shared/time/days.ts";

/** The last totals of a connection, so that a new window can show them without loading the ledger. */
export interface ShownSpend {
  /** UTC day of the totals. */
  readonly day: number;
  readonly today: AmountTexts;
  readonly month: AmountTexts;
  readonly isTodayBilled: boolean;
  readonly isMonthBilled: boolean;
  /** Of the parts of the calls that have budgets, by `scopeId`. */
  readonly scopes?: Readonly<Record<string, ShownScope>>;
  readonly paidIn?: CountedCurrency;
  /** The features that show no money of their own in the status bar. */
  readonly features?: ShownFeatures;
}

/** The spending of features on `day`. */
interface ShownFeatures {
  readonly completions?: AmountTexts;
  readonly chain?: { readonly credits: number; readonly spent: AmountTexts };
}

/** The cost of completions and of chain RPC, as far as there is any. */
export function shownFeatures(completions: Amounts, chain: ChainSpend): ShownFeatures {
  return {
    ...(completions.size > 0 ? { completions: completions.toTexts() } : {}),
    ...(chain.credits > 0 ? { chain: { credits: chain.credits, spent: chain.spent.toTexts() } } : {}),
  };
}

/** Rows of the tooltip. */
function featureRows(stored: unknown, nowMs: number): readonly (readonly [label: string, value: string])[] {
  const { day, features } = membersOf(stored) as Partial<ShownSpend>;
  if (day !== dayOf(nowMs) || typeof features !== "object") return [];
  const completions = fromAmountTexts(features.completions);
  const chain = fromAmountTexts(features.chain?.spent);
  return [
    ...(completions ? [["Inline completions today", spendText(completions, moneyText)] as const] : []),
    ...(chain
      ? [["Chain RPC today", `${features.chain?.credits} credits, ${spendText(chain, moneyText)}`] as const]
      : []),
  ];
}

/** The recorded calls of a part, as of `day`. */
interface ShownScope {
  readonly today: AmountTexts;
  readonly month: AmountTexts;
  /** Calls of unknown price. */
  readonly unpricedToday: number;
  readonly unpricedMonth: number;
}

/** What the bar needs of the sum of a part. */
export function shownScope({ today, month }: Pick<ScopeSpend, "today" | "month">): ShownScope {
  return {
    today: today.spent.toTexts(),
    month: month.spent.toTexts(),
    unpricedToday: today.unpriced,
    unpricedMonth: month.unpriced,
  };
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
  /** The currency in which calls are paid, if it is known. */
  readonly paidIn?: CountedCurrency;
}

/** Undefined if there is neither a budget nor anything known of today. `stored` is the last `ShownSpend`, if it is valid. */
export function spendBarOf(
  connection: Pick<Connection, "name" | "kind">,
  budgets: Budgets,
  stored: unknown,
  nowMs: number,
): SpendBar | undefined {
  const sums = readSums(stored, nowMs);
  const ofConnection = budgetStates(budgets, {
    today: sums.today.spend,
    month: sums.month.spend,
    isTodayBilled: sums.today.isWhole,
    isMonthBilled: sums.month.isWhole,
    ...optionalMember("paidIn", sums.paidIn),
  });
  const { scoped = [], faults = [] } = budgets.parts ?? {};
  const states = [...ofConnection, ...scoped.flatMap((budget) => shownState(budget, stored, nowMs))].sort(
    byRest,
  );
  if (!isKnown(sums.today) && states.length + faults.length === 0) return undefined;
  const [tightest] = states;
  const play = connection.kind === "sandbox" ? " play money" : "";
  const today = isKnown(sums.today)
    ? `${atLeast(sums.today)}${spendText(sums.today.spend, moneyText, unitOf(sums.month.spend, sums.paidIn))}`
    : "–";
  const rest = faults.length > 0 ? "a budget can't be read" : tightest && barRest(tightest);
  const parts = [`${today}${isKnown(sums.today) ? play : ""} today`, ...(rest ? [rest] : [])];
  // VS Code cuts the end of a long item, and that must not be the budget.
  const text = (sums.today.spend.size > 2 ? parts.toReversed() : parts).join(" · ");
  return {
    text,
    label: wordsOf(text).replace(/^–/, "unknown"),
    tooltip: tooltipOf(connection, sums, states, faults, featureRows(stored, nowMs)),
    colour: faults.length > 0 ? "error" : colourOf(states),
  };
}

/** The state of a budget of a part; none if its sum is not known. */
function shownState(budget: ScopedBudget, stored: unknown, nowMs: number): BudgetState[] {
  const { day, scopes, paidIn } = membersOf(stored) as Partial<ShownSpend>;
  const shown = scopes && ownMember(scopes, scopeId(budget.per));
  if (!shown || day === undefined || !isOfPeriod(budget.period, day, nowMs)) return [];
  const sum = (texts: unknown, unpriced: number) => {
    const spent = fromAmountTexts(texts);
    return spent && { spent, unpriced, most: Counted.zero };
  };
  const [today, month] = [sum(shown.today, shown.unpricedToday), sum(shown.month, shown.unpricedMonth)];
  return today && month ? [scopedState(budget, { today, month }, toCountedCurrency(paidIn))] : [];
}

/** True if a sum of this day is one of the current day or month. */
function isOfPeriod(period: BudgetPeriod, day: number, nowMs: number): boolean {
  if (period === "day") return day === dayOf(nowMs);
  return day >= monthOf(nowMs).from && day * dayMs <= nowMs;
}

/** Characters of the name of a part: the bar is short. */
const longestPart = 30;

function barRest(state: BudgetState): string {
  const part = state.per && ` (${shortened(scopeLabel(state.per), longestPart)})`;
  return `${boundedRest(state)}${part ?? ""}`;
}

function readSums(stored: unknown, nowMs: number): Sums {
  const unread: Sum = { spend: nothing, isWhole: false };
  // The shape of older versions has no currencies.
  if (typeof stored !== "object" || stored === null) return { today: unread, month: unread };
  const { day, today, month, isTodayBilled, isMonthBilled, paidIn } = stored as Partial<ShownSpend>;
  const sum = (texts: unknown, isCurrent: boolean, isWhole: boolean | undefined): Sum => {
    const spend = isCurrent ? fromAmountTexts(texts) : undefined;
    return spend ? { spend, isWhole: isWhole === true } : unread;
  };
  const isToday = day !== undefined && isOfPeriod("day", day, nowMs);
  const isThisMonth = day !== undefined && isOfPeriod("month", day, nowMs);
  return {
    today: sum(today, isToday, isTodayBilled),
    // What other days had since is not known.
    month: sum(month, isThisMonth, isToday && isMonthBilled),
    ...optionalMember("paidIn", toCountedCurrency(paidIn)),
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
  return `${state.over.sign > 0 ? "≥" : "≤"} ${restText(state)}`;
}

/** The budgets with the least left. */
const mostBudgets = 5;

function tooltipOf(
  { name, kind }: Pick<Connection, "name" | "kind">,
  sums: Sums,
  states: readonly BudgetState[],
  faults: readonly BudgetFault[],
  features: readonly (readonly [label: string, value: string])[],
): string {
  const asPlain = (text: string) => text.replace(/[\\`*_{}[\]()<>#|~$]/g, "\\$&");
  const rows = [
    ["Today (UTC)", sumText(sums, sums.today)],
    ...features,
    ["This month (UTC)", sumText(sums, sums.month)],
    ...states
      .slice(0, mostBudgets)
      .map((state) => [
        `Budget of the ${state.period}${state.per ? `, ${asPlain(scopeLabel(state.per))}` : ""}`,
        `${limitText(state)}, ${wordsOf(boundedRest(state))}`,
      ]),
  ].map(([label = "", value = ""]) => `| ${label} | ${asPlain(value)} |`);
  const others = states.length - mostBudgets;
  const head = `**${asPlain(name)}**: spend${kind === "sandbox" ? ", in play money" : ""}`;
  const isWhole = sums.today.isWhole && sums.month.isWhole;
  const notes = [
    isWhole
      ? ""
      : "The bill is not completely read: the account may have spent more. The dashboard reads it.",
    others > 0 ? `${others} more budgets have more left. The account's view lists them.` : "",
    ...faults.map((fault) => `A budget can't be read: ${faultText(fault)}.`),
    ...new Set(states.map(ruleText)),
  ].filter(Boolean);
  return [head, "", "| | |", "|:--|--:|", ...rows, ...notes.flatMap((note) => ["", asPlain(note)])].join(
    "\n",
  );
}

function sumText({ month, paidIn }: Sums, sum: Sum): string {
  if (!isKnown(sum)) return "unknown";
  return `${wordsOf(atLeast(sum))}${spendText(sum.spend, moneyText, unitOf(month.spend, paidIn))}`;
}

function wordsOf(text: string): string {
  return text.replaceAll("≥", "at least").replaceAll("≤", "at most");
}

function colourOf(states: readonly BudgetState[]): SpendBar["colour"] {
  const levels = states.map(({ level }) => level);
  if (levels.includes("spent")) return "error";
  return levels.includes("near") ? "warning" : undefined;
}
