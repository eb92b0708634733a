import * as vscode from "vscode";

export interface FindFiles {
  /** Beside what the user's settings hide. */
  readonly exclude?: string;
  /** No more than so many. */
  readonly most: number;
  readonly signal?: AbortSignal | undefined;
}

/** File systems that come with a search; one that an extension brings has none, as far as the stable API goes. */
const searched = new Set(["file", "vscode-remote", "vscode-vfs"]);

/** Whether the editor can search there. */
export function isSearched({ scheme }: vscode.Uri): boolean {
  return searched.has(scheme);
}

/** The editor's own search for files. It finds none where there is no search, and none once the signal fires. */
export async function findFiles(
  include: string | vscode.RelativePattern,
  { exclude, most, signal }: FindFiles,
): Promise<vscode.Uri[]> {
  // Asked about nothing but these, the editor would wait for a search to be brought: for ever.
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
