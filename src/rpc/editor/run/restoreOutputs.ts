import * as vscode from "vscode";
import { extensionId, notebooks } from "../../../shared/names/ids.ts";
import { isFine } from "../../run/output.ts";
import { isRequestCell } from "../explorer/projects.ts";
import { toCellOutput } from "./executeCell.ts";
import type { History, PastRun } from "./history.ts";

interface RestoreDeps {
  readonly controller: vscode.NotebookController;
  readonly history: History;
  /** Cells of a running notebook are not restored. */
  readonly isRunning: (notebook: vscode.NotebookDocument) => boolean;
  readonly report: (error: unknown) => void;
  /** Called when the past runs of a notebook are loaded. */
  readonly onLoaded: () => void;
}

/**
 * Restores the output of the newest run of each cell. The file contains no outputs: the editor drops them when the
 * notebook closes, and when it recreates a cell because the file has changed on disk.
 */
export function restoreOutputs(deps: RestoreDeps): vscode.Disposable {
  const selected = new Set<vscode.NotebookDocument>();
  const seen = new WeakSet<vscode.NotebookCell>();
  const restore = (notebook: vscode.NotebookDocument | undefined) => {
    if (notebook?.notebookType !== notebooks.rpc || notebook.isUntitled) return;
    restoreNotebook(deps, notebook, selected, seen).catch(deps.report);
  };
  restore(vscode.window.activeNotebookEditor?.notebook);
  return vscode.Disposable.from(
    deps.controller.onDidChangeSelectedNotebooks(({ notebook, selected: isSelected }) => {
      if (isSelected) selected.add(notebook);
      else selected.delete(notebook);
      if (isSelected) restore(notebook);
    }),
    vscode.window.onDidChangeActiveNotebookEditor((editor) => restore(editor?.notebook)),
    vscode.workspace.onDidCloseNotebookDocument((notebook) => void selected.delete(notebook)),
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, contentChanges }) => {
      if (contentChanges.some(({ addedCells }) => addedCells.length > 0)) restore(notebook);
    }),
  );
}

async function restoreNotebook(
  { controller, history, isRunning, onLoaded }: RestoreDeps,
  notebook: vscode.NotebookDocument,
  selected: ReadonlySet<vscode.NotebookDocument>,
  seen: WeakSet<vscode.NotebookCell>,
): Promise<void> {
  await history.load(notebook);
  onLoaded();
  const pending = () =>
    notebook.getCells().flatMap((cell) => {
      const run = history.of(cell).at(-1);
      const isMissing = run && !seen.has(cell) && isRequestCell(cell) && cell.outputs.length === 0;
      return isMissing && isOf(run, cell) ? [{ cell, run }] : [];
    });
  if (pending().length === 0) return;
  if (!selected.has(notebook)) {
    // The command applies to the focused notebook. Others are restored when they get the focus.
    if (vscode.window.activeNotebookEditor?.notebook !== notebook) return;
    await vscode.commands.executeCommand("notebook.selectKernel", {
      id: notebooks.rpc,
      extension: extensionId,
    });
  }
  if (!selected.has(notebook) || isRunning(notebook)) return;
  for (const { cell, run } of pending()) {
    seen.add(cell);
    show(controller, cell, run);
  }
}

/** True if the cell still contains the lines of the run. */
function isOf({ output }: PastRun, { document }: vscode.NotebookCell): boolean {
  const text = document.getText();
  return output.lines.every(({ source }) => text.includes(source));
}

/** Synchronous, so that no other execution of the cell can start in between. */
function show(controller: vscode.NotebookController, cell: vscode.NotebookCell, { output }: PastRun): void {
  const execution = controller.createNotebookCellExecution(cell);
  execution.start(output.atMs);
  void execution.replaceOutput(toCellOutput(output));
  execution.end(isFine(output), output.atMs + output.total.ms);
}
