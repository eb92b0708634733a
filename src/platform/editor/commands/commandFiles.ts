import * as vscode from "vscode";

/** The files that a command was called on: the selected ones, else the clicked one; empty without any. */
export function chosenFiles(clicked: unknown, selected?: unknown): readonly vscode.Uri[] {
  return (Array.isArray(selected) ? selected : [clicked]).filter((uri) => uri instanceof vscode.Uri);
}
