import * as vscode from "vscode";

export interface FindFiles {
  /** In addition to the excludes of the user's settings. */
  readonly exclude?: string;
  /** Maximum number of files. */
  readonly most: number;
  readonly signal?: AbortSignal | undefined;
}

/** File systems with a search provider. The stable API does not let extensions provide one. */
const searched = new Set(["file", "vscode-remote", "vscode-vfs"]);

/** True if VS Code can search there. */
export function isSearched({ scheme }: vscode.Uri): boolean {
  return searched.has(scheme);
}

/** The file search of VS Code. It finds nothing in file systems without search, and nothing after the signal aborts. */
export async function findFiles(
  include: string | vscode.RelativePattern,
  { exclude, most, signal }: FindFiles,
): Promise<vscode.Uri[]> {
  // For other file systems alone, VS Code would wait forever for a search provider.
  if (signal?.aborted || !placesOf(include).some(isSearched)) return [];
  const source = new vscode.CancellationTokenSource();
  const cancelled = Promise.withResolvers<vscode.Uri[]>();
  const cancel = () => {
    source.cancel();
    cancelled.resolve([]);
  };
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    const found = vscode.workspace.findFiles(include, exclude, most, source.token);
    return await Promise.race([found, cancelled.promise]);
  } finally {
    signal?.removeEventListener("abort", cancel);
    source.dispose();
  }
}

function placesOf(include: string | vscode.RelativePattern): readonly vscode.Uri[] {
  if (typeof include !== "string") return [include.baseUri];
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}
