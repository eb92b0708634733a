import * as vscode from "vscode";
import { notebooks } from "../../shared/ids.ts";
import { usdText } from "../../shared/rpc/usdText.ts";
import type { RpcController } from "./controller.ts";
import { createDaySums, type Sum } from "./daySums.ts";
import { type CreditPrice, usdRange } from "./money.ts";
import { estimateCell, sumEstimates } from "./plan/estimate.ts";
import type { Projects } from "./projects.ts";

/** In the window's status bar: what the whole notebook would cost, and what it has cost today. */
export function registerNotebookSum(
  projects: Projects,
  controller: RpcController,
  state: vscode.Memento,
  price: CreditPrice,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("inference.rpc", vscode.StatusBarAlignment.Right, 49);
  item.name = "RPC Notebook";
  const sums = createDaySums(state, Date.now);
  const show = () => {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook?.notebookType !== notebooks.rpc) return item.hide();
    const { project } = projects.of(notebook);
    const { credits } = sumEstimates(project.cells.map((_, index) => estimateCell(project, index)));
    const [own, all] = [sums.of(notebook).credits, sums.all().credits];
    const others = all > own ? ` (${all} in all notebooks)` : "";
    item.text = `$(notebook) Run all: ${credits} credits · spent ${own} today${others}`;
    item.tooltip = [
      `All cells once: ${credits} credits, ${usdRange(credits, price.now())}.`,
      `Spent today (UTC) in this notebook: ${sumText(sums.of(notebook))}.`,
      `In all notebooks: ${sumText(sums.all())}.`,
    ].join("\n");
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveNotebookEditor(show),
    vscode.workspace.onDidChangeNotebookDocument(show),
    vscode.workspace.onDidOpenNotebookDocument(show),
    vscode.workspace.onDidCloseNotebookDocument(async (notebook) => {
      // Its name is free for another one; what it has cost stays in the sum of all.
      if (notebook.isUntitled) await sums.forget(notebook);
      show();
    }),
    controller.onDidRun(async ({ cell, cost }) => {
      if (cost) await sums.add(cell.notebook, cost);
      show();
    }),
  );
}

function sumText({ credits, usd }: Sum): string {
  return `${credits} credits, ${usdText(usd)} USD`;
}
