import * as vscode from "vscode";

/** A signal that is there until it is disposed of. */
export interface Closing extends vscode.Disposable {
  readonly signal: AbortSignal;
}

/** Aborted once no tab has the notebook any more: the editor itself keeps a document whose cells still run. */
export function untilClosed({ uri }: vscode.NotebookDocument): Closing {
  const closing = new AbortController();
  const isIt = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputNotebook && input.uri.toString() === uri.toString();
  const listener = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    const isLeft = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isIt));
    if (closed.some(isIt) && !isLeft) closing.abort();
  });
  return { signal: closing.signal, dispose: () => listener.dispose() };
}
