import * as vscode from "vscode";

export interface FindFiles {
  /** Beside what the user's settings hide. */
  readonly exclude?: string;
  /** No more than so many. */
  readonly most: number;
  readonly signal?: AbortSignal | undefined;
}

/** The editor's own search for files. It ends with what it has once the signal fires. */
export async function findFiles(
  include: vscode.GlobPattern,
  { exclude, most, signal }: FindFiles,
): Promise<vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    return await vscode.workspace.findFiles(include, exclude, most, source.token);
  } finally {
    signal?.removeEventListener("abort", cancel);
    source.dispose();
  }
}
