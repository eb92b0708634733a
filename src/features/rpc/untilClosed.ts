import * as vscode from "vscode";

/** A signal that is there until it is disposed of. */
export interface Closing extends vscode.Disposable {
  readonly signal: AbortSignal;
}

/** Aborted once the notebook is closed. */
export function untilClosed(notebook: vscode.NotebookDocument): Closing {
  const closing = new AbortController();
  const listener = vscode.workspace.onDidCloseNotebookDocument((one) => one === notebook && closing.abort());
  return { signal: closing.signal, dispose: () => listener.dispose() };
}
