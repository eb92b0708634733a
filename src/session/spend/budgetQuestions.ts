import * as vscode from "vscode";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { sentenceCase } from "../../platform/errors/errorMessage.ts";
import type { JournalEvents } from "../../platform/files/durable/journal.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { moneyText } from "../../shared/money/moneyText.ts";
import { scopeText } from "../../shared/money/scopedBudget.ts";
import { commands } from "../../shared/names/ids.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { type BudgetState, countedText, restText, ruleText } from "./spendBudget.ts";
import type { OverdraftAnswer } from "./spendGate.ts";

const change = "Change Budget";

/** Warns that a budget is nearly used up. */
export async function warnOfBudget(budget: BudgetState): Promise<void> {
  const answer = await vscode.window.showWarningMessage(
    [`${spentOf(budget)}: ${restText(budget)}.`, ruleText(budget)].filter(Boolean).join(" "),
    change,
  );
  if (answer === change) await vscode.commands.executeCommand(commands.accountChangeBudget);
}

/** Tells of a price of a service that can't be right, in a notice and in the log. */
export function warnOfDoubt(sentence: string, report: (error: unknown) => void): void {
  report(new Error(sentence));
  void vscode.window.showWarningMessage(withoutLinks(sentence));
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
  if (answer === change) await vscode.commands.executeCommand(commands.accountChangeBudget);
  if (answer === all) return "period";
  return answer === once ? "once" : "no";
}

function spentOf(budget: BudgetState): string {
  const { period, claimed } = budget;
  const whose = `${period === "day" ? "today's" : "this month's"} budget of `;
  const counted = `${countedText(budget, whose)}${budget.per ? ` for ${scopeText(budget.per)}` : ""}`;
  const sum = `${sentenceCase(counted)} is spent`;
  return claimed.sign > 0
    ? `${sum}, and up to ${moneyText(claimed.shownIn(budget.unit))} more by calls in progress or of unknown price`
    : sum;
}

/** Tells the user about damage to the ledger, once, and that spend can't be recorded, for as long as it can't. */
export function createLedgerNotices(report: (error: unknown) => void): JournalEvents {
  let isDamageTold = false;
  let shown: Promise<void> | undefined;
  return {
    onDamaged(lines) {
      const what = lines === 1 ? "1 entry" : `${lines} entries`;
      report(new Error(`${what} of the recorded spend can't be read`));
      if (isDamageTold) return;
      isDamageTold = true;
      const refresh = "Refresh Account";
      const sentence = `A file is damaged: ${what} of the recorded spend can't be read. The sums may be too low until the bill is read.`;
      const asked = vscode.window.showWarningMessage(sentence, refresh);
      void asked.then((answer) => {
        if (answer === refresh) void vscode.commands.executeCommand(commands.accountRefresh);
      });
    },
    onKept(error, written) {
      report(error);
      // A full disk stops the ledgers of all months and connections.
      if (shown) return;
      shown = written;
      void written.then(() => {
        shown = undefined;
      });
      const location = vscode.ProgressLocation.Notification;
      void vscode.window.withProgress({ location, title: keptWords(error) }, () => written);
    },
  };
}

function keptWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT")
    return "Free space on the full disk: the spend can't be recorded.";
  const why = messageOf(error);
  return `Make the file of the spend writable: ${why}`;
}
