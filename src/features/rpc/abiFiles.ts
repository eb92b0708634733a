import * as vscode from "vscode";
import { type AbiFile, readAbiJson } from "./language/abiJson.ts";
import { maxAbiBytes, notRegular, notThere, outside, readAbiFile, tooLarge } from "./readAbiFile.ts";

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
/** So many files are looked for; each is watched. */
const mostFiles = 20;
const tooMany: AbiFile = { problem: `A notebook takes at most ${mostFiles} files of ABIs` };

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
    const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      event(() => forget(key));
    watchers.set(key, watcher);
  };
  const read = (notebook: vscode.NotebookDocument, path: string, key: string): Entry => {
    const entry: Entry = { file: undefined, reading: Promise.resolve(), atMs: Date.now() };
    entry.reading = readFrom(notebook, path, (uri) => watch(key, uri))
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
      const named = [...new Set(paths)];
      for (const path of named.slice(mostFiles)) known.set(path, tooMany);
      for (const path of named.slice(0, mostFiles)) {
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
function readFrom(
  notebook: vscode.NotebookDocument,
  path: string,
  onFound: (uri: vscode.Uri) => void,
): Promise<AbiFile> {
  const beside = notebook.isUntitled ? [] : [vscode.Uri.joinPath(notebook.uri, "..")];
  const workspace = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const isOfWorkspace = vscode.workspace.getWorkspaceFolder(notebook.uri) !== undefined;
  // A notebook that was opened on its own has its own folder for a workspace.
  const roots = isOfWorkspace ? workspace : [...beside, ...workspace];
  const folders = [...beside, ...workspace];
  if (folders.every(({ scheme }) => scheme === "file")) {
    const pathOf = ({ fsPath }: vscode.Uri) => fsPath;
    return readAbiFile(path, folders.map(pathOf), roots.map(pathOf), (file) =>
      onFound(vscode.Uri.file(file)),
    );
  }
  return readElsewhere(path, folders, roots, onFound);
}

/** In a file system that is none of this machine's; it says itself what is a link. */
async function readElsewhere(
  path: string,
  folders: readonly vscode.Uri[],
  roots: readonly vscode.Uri[],
  onFound: (uri: vscode.Uri) => void,
): Promise<AbiFile> {
  for (const folder of folders) {
    const uri = vscode.Uri.joinPath(folder, path);
    const stat = await vscode.workspace.fs.stat(uri).then(
      (value) => value,
      () => undefined,
    );
    if (!stat) continue;
    const isInside = roots.some((root) =>
      uri.toString().startsWith(`${root.toString().replace(/\/$/, "")}/`),
    );
    if (!isInside || (stat.type & vscode.FileType.SymbolicLink) !== 0) return outside;
    if (stat.type !== vscode.FileType.File) return notRegular;
    onFound(uri);
    if (stat.size > maxAbiBytes) return tooLarge;
    return readAbiJson(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  }
  return notThere;
}
