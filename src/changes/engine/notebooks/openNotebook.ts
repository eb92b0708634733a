import * as vscode from "vscode";
import { withLineFeeds } from "../../../shared/text/lineFeeds.ts";
import { changeOpen, decoded } from "../files/contents.ts";
import {
  type CellKind,
  type CellOutput,
  hasPlannedCells,
  isSameCell,
  type NotebookCell,
  type PlannedCell,
} from "./cellPlan.ts";

/** The cells of an open notebook as its editor shows them, with what is not saved. */
export function cellsOf(notebook: vscode.NotebookDocument): readonly NotebookCell[] {
  return notebook.getCells().map(({ kind, document, metadata, outputs }) => ({
    id: typeof metadata.id === "string" ? metadata.id : undefined,
    kind: kindOf(kind, document.languageId),
    language: document.languageId,
    source: withLineFeeds(document.getText()),
    outputs: outputs.flatMap(({ items }) => toOutputs(items)),
  }));
}

function kindOf(kind: vscode.NotebookCellKind, language: string): CellKind {
  if (kind === vscode.NotebookCellKind.Markup) return "markdown";
  return language === "raw" ? "raw" : "code";
}

const streamMimes: readonly string[] = [
  "application/vnd.code.notebook.stdout",
  "application/vnd.code.notebook.stderr",
];
const errorMime = "application/vnd.code.notebook.error";

/** A stream may come in pieces that end inside a line. */
function toOutputs(items: readonly vscode.NotebookCellOutputItem[]): readonly CellOutput[] {
  const isStream = items.length > 0 && items.every(({ mime }) => streamMimes.includes(mime));
  if (isStream) return [{ mime: "text/plain", text: items.map(({ data }) => decoded(data)).join("") }];
  return items.map(({ mime, data }) => {
    if (mime === errorMime) return { mime: "error", text: errorText(data) };
    return { mime, text: mime === "text/plain" ? decoded(data) : undefined };
  });
}

function errorText(data: Uint8Array): string {
  const text = decoded(data);
  try {
    const { name, message, stack } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return typeof stack === "string" && stack !== "" ? stack : `${String(name)}: ${String(message)}`;
  } catch {
    return text;
  }
}

/**
 * Makes the planned changes of an open notebook through the editor: cells that are not touched keep their outputs and what is
 * being typed in them. False if it is no longer as it was planned for, because the user types: then a part may be changed.
 */
export async function changeCells(
  notebook: vscode.NotebookDocument,
  plan: readonly PlannedCell[],
): Promise<boolean> {
  const before = cellsOf(notebook);
  for (const planned of plan) {
    const { from = -1, kind, source } = planned;
    const [former, cell] = [before[from], notebook.getCells()[from]];
    if (!former || !cell || former.kind !== kind || isSameCell(planned, former)) continue;
    if (!(await changeOpen(cell.document, cell.document.getText(), source))) return false;
  }
  const edits = structuralEdits(notebook, plan);
  if (edits.length === 0) return true;
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, edits);
  return vscode.workspace.applyEdit(edit);
}

/** What inserts, deletes and turns cells into another kind. All indexes are those before the edits. */
function structuralEdits(
  notebook: vscode.NotebookDocument,
  plan: readonly PlannedCell[],
): readonly vscode.NotebookEdit[] {
  const edits: vscode.NotebookEdit[] = [];
  const cells = notebook.getCells();
  const kept = new Map(plan.flatMap((cell) => (cell.from === undefined ? [] : [[cell.from, cell] as const])));
  for (const [index, { kind, document, metadata }] of cells.entries()) {
    const range = new vscode.NotebookRange(index, index + 1);
    const planned = kept.get(index);
    if (!planned) edits.push(vscode.NotebookEdit.deleteCells(range));
    else if (planned.kind !== kindOf(kind, document.languageId))
      edits.push(vscode.NotebookEdit.replaceCells(range, [toData(notebook, planned, metadata)]));
  }
  let position = 0;
  let added: vscode.NotebookCellData[] = [];
  const insert = () => {
    if (added.length > 0) edits.push(vscode.NotebookEdit.insertCells(position, added));
    added = [];
  };
  for (const planned of plan) {
    if (planned.from === undefined) added.push(toData(notebook, planned));
    else {
      insert();
      position = planned.from + 1;
    }
  }
  insert();
  return edits;
}

function toData(
  notebook: vscode.NotebookDocument,
  { kind, language, source }: PlannedCell,
  metadata?: vscode.NotebookCell["metadata"],
): vscode.NotebookCellData {
  const isMarkup = kind === "markdown";
  const { Markup, Code } = vscode.NotebookCellKind;
  const codeLanguage = language || (notebook.notebookType === "jupyter-notebook" ? "python" : "plaintext");
  const data = new vscode.NotebookCellData(
    isMarkup ? Markup : Code,
    source,
    kind === "code" ? codeLanguage : kind,
  );
  if (metadata) data.metadata = { ...metadata };
  return data;
}

/** A copy of all cells with their outputs, which `restoreCells` puts back. */
export function copyCells(notebook: vscode.NotebookDocument): readonly vscode.NotebookCellData[] {
  return notebook.getCells().map(({ kind, document, metadata, outputs, executionSummary }) => {
    const data = new vscode.NotebookCellData(kind, document.getText(), document.languageId);
    data.metadata = { ...metadata };
    data.outputs = [...outputs];
    if (executionSummary) data.executionSummary = executionSummary;
    return data;
  });
}

/** Takes back changes of an agent. False with nothing changed if the user has typed since. */
export async function restoreCells(
  notebook: vscode.NotebookDocument,
  copy: readonly vscode.NotebookCellData[],
  plan: readonly PlannedCell[],
): Promise<boolean> {
  if (!hasPlannedCells(cellsOf(notebook), plan)) return false;
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.NotebookRange(0, notebook.cellCount);
  edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(all, [...copy])]);
  return vscode.workspace.applyEdit(edit);
}
