import * as vscode from "vscode";
import type { RpcOutput } from "../../output/rpcOutput.ts";
import { priceOf } from "../../output/usdText.ts";
import { shortText } from "../../run/output.ts";
import { selectedCell } from "../commands/selectedCell.ts";
import type { History, PastRun } from "./history.ts";
import { showComparison, showResult } from "./runDocuments.ts";

/** Lists the stored runs of a cell, newest first, and compares the chosen one with the newest. */
export async function showHistory(history: History, target: unknown): Promise<void> {
  const cell = selectedCell(target);
  if (!cell) return;
  await history.load(cell.notebook);
  const runs = [...history.of(cell)].reverse();
  const [newest] = runs;
  if (!newest) {
    void vscode.window.showInformationMessage("This cell has not run yet.");
    return;
  }
  const picked = await vscode.window.showQuickPick(
    runs.map((run) => toItem(run, run === newest)),
    { title: "Past runs of this cell", placeHolder: "Compare with the newest run", matchOnDetail: true },
  );
  if (!picked) return;
  if (picked.run === newest) return showResult(history, newest.output.runId, "");
  await showComparison(history, picked.run, newest, `Run of ${timeOf(picked.run)} ↔ newest run`);
}

function toItem(run: PastRun, isNewest: boolean) {
  const { total } = run.output;
  return {
    run,
    label: `${timeOf(run)}${isNewest ? " (newest)" : ""}`,
    description: `${total.credits} credits · ${priceOf(total.usd, run.output)} · ${Math.round(total.ms)} ms`,
    detail: summaryOf(run.output),
  };
}

function timeOf({ output }: PastRun): string {
  return new Date(output.atMs).toLocaleString("en-US", {
    dateStyle: "medium",
    timeStyle: "medium",
    hour12: false,
  });
}

function summaryOf({ lines, networks }: RpcOutput): string {
  const texts = lines.map(({ name, method, network, outcome }) => {
    const on = networks.length > 1 ? `${network} ` : "";
    return `${on}${name ?? method}: ${shortText(outcome, method)}`;
  });
  return texts.join(" · ").slice(0, 200);
}
