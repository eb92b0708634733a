import * as vscode from "vscode";
import { readBudgets } from "../../platform/settings.ts";
import type { Connection } from "../../session/connection.ts";
import type { Session, SpendEvent } from "../../session/session.ts";
import { type BudgetState, budgetStates } from "../../session/spendBudget.ts";
import { dayOf } from "../../shared/days.ts";
import { commands } from "../../shared/ids.ts";
import { exactText, toExact } from "../../shared/money/exact.ts";
import { moneyText } from "../../shared/money/moneyText.ts";

/** The last text for a connection, so that a new window can show it without loading the ledger. */
interface Shown {
  readonly day: number;
  readonly todayUsd: string;
  readonly monthUsd: string;
}

const shownKey = "spend.shown";

/** Shows today's spend of the active connection and the rest of its budgets; hidden if there is neither. */
export function registerSpendBar(session: Session, state: vscode.Memento): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("inference.spend", vscode.StatusBarAlignment.Right, 49);
  item.name = "Inference Spend";
  item.command = commands.usageDashboard;
  const all = () => state.get<Readonly<Record<string, Shown>>>(shownKey, {});
  const show = () => {
    const { active } = session;
    const budgets = readBudgets();
    const last = active && all()[active.id];
    const isToday = last?.day === dayOf(Date.now());
    const hasBudget = budgets.dayUsd !== undefined || budgets.monthUsd !== undefined;
    if (!active || !(isToday || hasBudget)) return item.hide();
    const totals = {
      todayUsd: toExact(isToday ? last.todayUsd : 0),
      monthUsd: toExact(last?.monthUsd ?? 0),
      unbilledUsd: 0n,
      unpriced: 0,
      isMonthBilled: false,
    };
    const states = budgetStates(budgets, totals);
    const [tightest] = states;
    const play = active.kind === "sandbox" ? " play money" : "";
    const today = `${moneyText(totals.todayUsd, "USD")}${play} today`;
    item.text = `$(pulse) ${today}${tightest ? ` · ${leftText(tightest)}` : ""}`;
    item.tooltip = tooltipOf(active, totals.todayUsd, totals.monthUsd, states);
    item.backgroundColor = colourOf(states);
    item.accessibilityInformation = { label: `Inference spend: ${item.text.replace("$(pulse) ", "")}` };
    item.show();
  };
  const save = async ({ connection, totals }: SpendEvent) => {
    const { todayUsd, monthUsd } = totals;
    const latest: Shown = {
      day: dayOf(Date.now()),
      todayUsd: exactText(todayUsd),
      monthUsd: exactText(monthUsd),
    };
    // The new value can be read at once. Writing it to disk may take seconds.
    const stored = state.update(shownKey, { ...all(), [connection.id]: latest });
    show();
    await stored;
  };
  show();
  return vscode.Disposable.from(
    item,
    session.onDidSpend(save),
    session.onDidChangeActive(show),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration("inference.budget") && show(),
    ),
  );
}

function tooltipOf(
  { name, kind }: Connection,
  todayUsd: bigint,
  monthUsd: bigint,
  states: readonly BudgetState[],
): vscode.MarkdownString {
  const asPlain = (text: string) => text.replace(/[\\`*_{}[\]()<>#|~$]/g, "\\$&");
  const rows = [
    ["Today (UTC)", moneyText(todayUsd, "USD")],
    ["This month (UTC)", moneyText(monthUsd, "USD")],
    ...states.map((state) => [
      state.period === "day" ? "Budget of the day" : "Budget of the month",
      `${moneyText(state.limit, "USD")}, ${leftText(state)}`,
    ]),
  ].map(([label = "", value = ""]) => `| ${label} | ${asPlain(value)} |`);
  const worth = kind === "sandbox" ? "in play money" : "in USD";
  const head = `**${asPlain(name)}**: spend, ${worth}`;
  return new vscode.MarkdownString([head, "", "| | |", "|:--|--:|", ...rows].join("\n"));
}

function colourOf(states: readonly BudgetState[]): vscode.ThemeColor | undefined {
  const levels = states.map(({ level }) => level);
  if (levels.includes("spent")) return new vscode.ThemeColor("statusBarItem.errorBackground");
  return levels.includes("near") ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
}

function leftText({ left, over }: BudgetState): string {
  return over > 0n ? `${moneyText(over, "USD")} over budget` : `${moneyText(left, "USD")} left`;
}
