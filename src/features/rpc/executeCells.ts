import * as vscode from "vscode";
import { localNetwork } from "../../shared/rpc/networks.ts";
import { askForCredits } from "./ask.ts";
import { executeCell } from "./executeCell.ts";
import { endWith } from "./failureOutput.ts";
import { networksOfCell } from "./language/project.ts";
import { cellsToRun, estimateCell, sumEstimates } from "./plan/plan.ts";
import type { RunDeps } from "./runDeps.ts";

/** A cell whose turn is yet to come. */
export interface QueuedCell {
  readonly cell: vscode.NotebookCell;
  /** Its execution, once its turn has come; undefined where it was stopped before. */
  take(): vscode.NotebookCellExecution | undefined;
}

/** Queues a cell. Stop ends it at once, whatever runs before it. */
export function queueCell(controller: vscode.NotebookController, cell: vscode.NotebookCell): QueuedCell {
  let waiting: vscode.NotebookCellExecution | undefined = controller.createNotebookCellExecution(cell);
  const { token } = waiting;
  const take = () => {
    const execution = waiting;
    waiting = undefined;
    stopping.dispose();
    return execution;
  };
  const end = () => {
    const execution = take();
    if (execution) skip(execution);
  };
  const stopping = token.onCancellationRequested(end);
  return { cell, take };
}

/** Runs cells in their order, with those that they need; the first that fails ends it. */
export async function executeCells(
  deps: RunDeps,
  notebook: vscode.NotebookDocument,
  asked: readonly QueuedCell[],
  closed: AbortSignal,
): Promise<void> {
  await deps.projects.settled(notebook);
  await hearNetworks(deps, notebook);
  const open = deps.projects.of(notebook);
  const { project, cells } = open;
  const byCell = new Map(asked.map((queued) => [queued.cell, queued]));
  const wanted = asked.map(({ cell }) => cells.indexOf(cell)).filter((index) => index >= 0);
  const values = deps.values(notebook);
  const indexes = cellsToRun(project, wanted, values);
  const refused = vscode.workspace.isTrusted
    ? undefined
    : "This folder is not trusted: cells can be read and written, but nothing is sent. Trust the workspace to run them.";
  const estimate = sumEstimates(indexes.map((index) => estimateCell(project, index)));
  const agreed = refused === undefined && (await askForCredits(estimate, deps.price));
  let goesOn = agreed;
  let stoppedAt: vscode.NotebookCell | undefined;
  let left = 0;
  for (const index of indexes) {
    const cell = cells[index];
    if (!cell) continue;
    const execution = (byCell.get(cell) ?? queueCell(deps.controller, cell)).take();
    byCell.delete(cell);
    if (!execution) continue;
    if (refused !== undefined) await endWith(execution, refused);
    else if (goesOn && !execution.token.isCancellationRequested && !closed.aborted) {
      goesOn = await executeCell(deps, project, index, execution, closed);
      if (!goesOn && !execution.token.isCancellationRequested) stoppedAt = cell;
    } else {
      if (stoppedAt && !execution.token.isCancellationRequested) left++;
      skip(execution);
    }
  }
  if (stoppedAt && left > 0 && !closed.aborted) void tellStop(stoppedAt, left);
  for (const queued of byCell.values()) {
    const execution = queued.take();
    if (execution) skip(execution);
  }
}

/** Says where a run of several cells ended, for the cell that did it may be far out of sight. */
async function tellStop(cell: vscode.NotebookCell, left: number): Promise<void> {
  const show = "Show Cell";
  const [line = ""] = cell.document
    .getText()
    .split("\n")
    .filter((one) => one.trim() !== "" && !/^\s*[#@]/.test(one));
  const named = line === "" ? "" : ` (${line.trim().slice(0, 60)})`;
  const cells = left === 1 ? "The cell after it was" : `The ${left} cells after it were`;
  const message = `The run stopped at cell ${cell.index + 1}${named}. ${cells} not run.`;
  if ((await vscode.window.showWarningMessage(message, show)) !== show || cell.notebook.isClosed) return;
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  const editor = await vscode.window.showNotebookDocument(cell.notebook, { selections: [range] });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
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
