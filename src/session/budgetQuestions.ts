import * as vscode from "vscode";
import { warnModally } from "../platform/modal.ts";
import { commands } from "../shared/ids.ts";
import { moneyText } from "../shared/money/moneyText.ts";
import { type BudgetState, countedText, restText, ruleText } from "./spendBudget.ts";
import type { OverdraftAnswer } from "./spendGate.ts";

const change = "Change Budget";

/** Warns that a budget is nearly used up. */
export async function warnOfBudget(budget: BudgetState): Promise<void> {
  const answer = await vscode.window.showWarningMessage(
    [`${spentOf(budget)}: ${restText(budget)}.`, ruleText(budget)].filter(Boolean).join(" "),
    change,
  );
  if (answer === change) await vscode.commands.executeCommand(commands.budgetEdit);
}

/** Asks whether a call may exceed a budget. */
export async function askOverdraft(budget: BudgetState): Promise<OverdraftAnswer> {
  const once = "Send Anyway";
  const all = budget.period === "day" ? "Allow for the Rest of the Day" : "Allow for the Rest of the Month";
  const answer = await warnModally(
    `${spentOf(budget)}. Send this anyway?`,
    {
      detail: ["It costs money.", ruleText(budget), "Days and months are in UTC."].filter(Boolean).join(" "),
    },
    once,
    all,
    change,
  );
  if (answer === change) await vscode.commands.executeCommand(commands.budgetEdit);
  if (answer === all) return "period";
  return answer === once ? "once" : "no";
}

function spentOf(budget: BudgetState): string {
  const { period, claimedUsd } = budget;
  const sum = `${countedText(budget, `${period === "day" ? "today's" : "this month's"} budget of `)} is spent`;
  return claimedUsd > 0n
    ? `${sum}, and up to ${moneyText(claimedUsd, "USD")} more by calls in progress or of unknown price`
    : sum;
}
