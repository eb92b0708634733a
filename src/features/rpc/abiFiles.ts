import * as vscode from "vscode";
import { type AbiFile, readAbiJson } from "./language/abiJson.ts";

/** The files of ABIs that notebooks name. */
export interface AbiFiles extends vscode.Disposable {
  /** What is known of these paths by now; what is not is read, and told of. */
  of(notebook: vscode.NotebookDocument, paths: readonly string[]): ReadonlyMap<string, AbiFile>;
  /** Resolves when all that was asked for is read. */
  settled(): Promise<unknown>;
  readonly onDidChange: vscode.Event<void>;
}

interface Entry {
  file: AbiFile | undefined;
  reading: Promise<void>;
  atMs: number;
}

/** A build may be writing it, or it is not there yet: it is looked for again after so long. */
const staleMs = 5_000;
const mostBytes = 20_000_000;

export function createAbiFiles(): AbiFiles {
  const changed = new vscode.EventEmitter<void>();
  const watchers = new Map<string, vscode.FileSystemWatcher>();
  const entries = new Map<string, Entry>();
  const forget = (key: string) => {
    entries.delete(key);
    changed.fire();
  };
  const watch = (key: string, uri: vscode.Uri) => {
    if (watchers.has(key)) return;
    const [, name = ""] = /([^/]*)$/.exec(uri.path) ?? [];
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      event(() => forget(key));
    watchers.set(key, watcher);
  };
  const read = (notebook: vscode.NotebookDocument, path: string, key: string): Entry => {
    const entry: Entry = { file: undefined, reading: Promise.resolve(), atMs: Date.now() };
    entry.reading = readFirst(candidates(notebook, path), (uri) => watch(key, uri))
      // It may nest deeper than can be followed.
      .catch((error: unknown): AbiFile => ({ problem: `This file can't be read: ${String(error)}` }))
      .then((file) => {
        entry.file = file;
        changed.fire();
      });
    entries.set(key, entry);
    return entry;
  };
  return {
    of(notebook, paths) {
      const known = new Map<string, AbiFile>();
      for (const path of paths) {
        const key = `${notebook.uri.toString()} ${path}`;
        const had = entries.get(key);
        const isStale = had?.file && "problem" in had.file && Date.now() - had.atMs > staleMs;
        const { file } = had && !isStale ? had : read(notebook, path, key);
        const shown = file ?? had?.file;
        if (shown) known.set(path, shown);
      }
      return known;
    },
    settled: () => Promise.all([...entries.values()].map(({ reading }) => reading)),
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(changed, ...watchers.values()).dispose(),
  };
}

/** Beside the notebook, or in a folder of the workspace. */
function candidates(notebook: vscode.NotebookDocument, path: string): vscode.Uri[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const beside = notebook.isUntitled ? [] : [vscode.Uri.joinPath(notebook.uri, "..")];
  return [...beside, ...folders].map((folder) => vscode.Uri.joinPath(folder, path));
}

async function readFirst(uris: readonly vscode.Uri[], onFound: (uri: vscode.Uri) => void): Promise<AbiFile> {
  for (const uri of uris) {
    const stat = await vscode.workspace.fs.stat(uri).then(
      (value) => value,
      () => undefined,
    );
    if (!stat) continue;
    onFound(uri);
    if (stat.size > mostBytes) return { problem: "This file is too large for an ABI" };
    const bytes = await vscode.workspace.fs.readFile(uri).then(
      (value) => value,
      (error: unknown) => String(error),
    );
    return typeof bytes === "string" ? { problem: bytes } : readAbiJson(new TextDecoder().decode(bytes));
  }
  return { problem: "There is no such file beside this notebook or in the workspace" };
}
