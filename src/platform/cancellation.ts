import type * as vscode from "vscode";

/** An AbortSignal that follows a cancellation token, until it is disposed. */
export function signalOf(token: vscode.CancellationToken): { readonly signal: AbortSignal; dispose(): void } {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  const listening = token.onCancellationRequested(() => abort.abort());
  return { signal: abort.signal, dispose: () => listening.dispose() };
}
