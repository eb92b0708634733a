import * as vscode from "vscode";
import { localNetwork } from "../../shared/rpc/networks.ts";
import { askForCredits } from "./ask.ts";
import { executeCell } from "./executeCell.ts";
import { endWith } from "./failureOutput.ts";
import { networksOfCell } from "./language/project.ts";
import { estimateCell, sumEstimates } from "./plan/estimate.ts";
import { cellsToRun } from "./plan/upstream.ts";
import type { RunDeps } from "./runDeps.ts";

/** Runs cells in their order, with those that they need; the first that fails ends it. */
export async function executeCells(
  deps: RunDeps,
  notebook: vscode.NotebookDocument,
  asked: readonly vscode.NotebookCell[],
  executions: readonly vscode.NotebookCellExecution[],
  closed: AbortSignal,
): Promise<void> {
  await deps.projects.settled(notebook);
  await hearNetworks(deps, notebook);
  const open = deps.projects.of(notebook);
  const { project, cells } = open;
  const byCell = new Map(asked.map((cell, at) => [cell, executions[at]]));
  const wanted = asked.map((cell) => cells.indexOf(cell)).filter((index) => index >= 0);
  const values = deps.values(notebook);
  const indexes = cellsToRun(project, wanted, values);
  const refused = vscode.workspace.isTrusted
    ? undefined
    : "This folder is not trusted: cells can be read and written, but nothing is sent. Trust the workspace to run them.";
  const estimate = sumEstimates(indexes.map((index) => estimateCell(project, index)));
  const agreed = refused === undefined && (await askForCredits(estimate, deps.price.now()));
  let goesOn = agreed;
  for (const index of indexes) {
    const cell = cells[index];
    if (!cell) continue;
    const execution = byCell.get(cell) ?? deps.controller.createNotebookCellExecution(cell);
    byCell.delete(cell);
    if (refused !== undefined) await endWith(execution, refused);
    else if (goesOn && !execution.token.isCancellationRequested && !closed.aborted)
      goesOn = await executeCell(deps, project, index, execution, closed);
    else skip(execution);
  }
  for (const execution of byCell.values()) if (execution) skip(execution);
}

/** What is on no list may be on the service's own: then its answer is waited for. */
async function hearNetworks(
  { offered, projects }: RunDeps,
  notebook: vscode.NotebookDocument,
): Promise<void> {
  const { project } = projects.of(notebook);
  const asked = project.cells.flatMap((cell) => networksOfCell(project, cell));
  if (asked.every((one) => one === localNetwork)) return;
  const hearing = offered.hear();
  if (asked.some((one) => !projects.offered.includes(one))) await hearing;
}

function skip(execution: vscode.NotebookCellExecution): void {
  execution.start();
  execution.end(undefined);
}
