import * as vscode from "vscode";
import { visibleItem } from "../../../platform/editor/dialogs/ask.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { plural } from "../../../shared/text/plural.ts";
import { type RunSummary, summaryText } from "../../run/summary.ts";

/** A cell that failed in a run. */
interface FailedCell {
  readonly cell: vscode.NotebookCell;
  readonly reason: string;
}

interface EndedRun extends Pick<RunSummary, "stopped" | "left" | "total"> {
  readonly failed: readonly FailedCell[];
  /** The cell that ended the run. */
  readonly stoppedAt: vscode.NotebookCell | undefined;
}

/**
 * Says how many cells of a run failed and leads to them, because the editor marks only the cells themselves, which may be
 * scrolled out of view.
 */
export async function reportRun({ failed, stopped, left, total, stoppedAt }: EndedRun): Promise<void> {
  const message = summaryText({
    failed: failed.length,
    stopped,
    left,
    total,
    ...(stoppedAt ? { endedBy: { place: stoppedAt.index + 1, line: firstLine(stoppedAt) } } : {}),
  });
  if (message === undefined) {
    const isWhole = stopped === 0 && left === 0;
    if (isWhole) vscode.window.setStatusBarMessage(`$(check) ${plural(total, "cell")} passed`, passedMs);
    return;
  }
  const [first, ...others] = failed;
  const [go, list] = ["Go to First", "Show Failed Cells…"];
  const buttons = others.length > 0 ? [go, list] : [go];
  const chosen = await vscode.window.showWarningMessage(visibleLine(message), ...buttons);
  if (chosen === list) await chooseCell(failed);
  if (chosen === go && first) await showCell(first.cell);
}

/** Time in the status bar. */
const passedMs = 8_000;

interface CellItem extends vscode.QuickPickItem {
  readonly cell: vscode.NotebookCell;
}

/** The list shows each cell while the selection moves. */
async function chooseCell(failed: readonly FailedCell[]): Promise<void> {
  const items = failed.map(({ cell, reason }): CellItem => {
    const label = `Cell ${cell.index + 1}: ${firstLine(cell)}`;
    return { label, detail: reason.replace(/\s+/g, " "), cell };
  });
  const chosen = await vscode.window.showQuickPick(
    items.map((one) => ({ ...one, ...visibleItem(one) })),
    {
      title: `${failed.length} Failed Cells`,
      placeHolder: "Choose a cell to show it",
      matchOnDetail: true,
      onDidSelectItem: (item: CellItem) => void reveal(item.cell),
    },
  );
  if (chosen) await showCell(chosen.cell);
}

function reveal(cell: vscode.NotebookCell): void {
  const editor = vscode.window.visibleNotebookEditors.find(({ notebook }) => notebook === cell.notebook);
  if (editor) revealIn(editor, cell);
}

async function showCell(cell: vscode.NotebookCell): Promise<void> {
  if (cell.notebook.isClosed) return;
  const selections = [rangeOf(cell)];
  revealIn(await vscode.window.showNotebookDocument(cell.notebook, { selections }), cell);
}

function revealIn(editor: vscode.NotebookEditor, cell: vscode.NotebookCell): void {
  editor.revealRange(rangeOf(cell), vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

function rangeOf({ index }: vscode.NotebookCell): vscode.NotebookRange {
  return new vscode.NotebookRange(index, index + 1);
}

/** The first line of a cell that is no comment and no directive. */
function firstLine({ document }: vscode.NotebookCell): string {
  const lines = document.getText().slice(0, 2_000).split("\n");
  return (lines.find((one) => one.trim() !== "" && !/^\s*[#@]/.test(one)) ?? "").trim();
}
