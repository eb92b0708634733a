import * as vscode from "vscode";
import { notebooks } from "../../../shared/names/ids.ts";

/** The target of a command, else the selected cell; undefined outside of RPC notebooks. */
export function selectedCell(target: unknown): vscode.NotebookCell | undefined {
  if (isCell(target)) return target;
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.rpc) return undefined;
  const at = editor.selection.start;
  return at < editor.notebook.cellCount ? editor.notebook.cellAt(at) : undefined;
}

/** The cell that a command was called for, and the notebook of it or the active one; undefined outside of RPC notebooks. */
export function targetOf(
  target: unknown,
):
  | { readonly cell: vscode.NotebookCell | undefined; readonly notebook: vscode.NotebookDocument }
  | undefined {
  const cell = isCell(target) ? target : undefined;
  const notebook = cell?.notebook ?? vscode.window.activeNotebookEditor?.notebook;
  return notebook?.notebookType === notebooks.rpc ? { cell, notebook } : undefined;
}

function isCell(target: unknown): target is vscode.NotebookCell {
  return typeof target === "object" && target !== null && "notebook" in target && "document" in target;
}
