import * as vscode from "vscode";
import { onUnsavedChange, unsavedText } from "../../../platform/editor/unsavedText.ts";
import {
  type EnvFile,
  envFileEnding,
  environmentsAmong,
  isEnvironmentName,
  maxEnvBytes,
  readEnvFile,
} from "../../language/environment/envFile.ts";
import type { Environments } from "../../language/environment/environments.ts";
import {
  listEnvironments,
  missingFile,
  mostEnvironments,
  mostParents,
  noEnvironmentName,
  readEnvironment,
  tooLargeFile,
  tooManyEnvironments,
} from "../../run/inputs/readEnvironment.ts";

/** Files and names of a notebook. */
interface Entry {
  files: ReadonlyMap<string, EnvFile>;
  names: readonly string[];
  offered: readonly string[];
  isFresh: boolean;
  reading: Promise<void>;
}

const chosenKey = "rpc.environment";

/** The environments of notebooks, and the one that was chosen for this workspace. */
export class EnvironmentFiles implements vscode.Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #didRead = new vscode.EventEmitter<EnvFile>();
  readonly #entries = new Map<string, Entry>();
  readonly #watching = new Watching(() => this.#outdate());
  readonly #subscriptions = vscode.Disposable.from(
    this.#changed,
    this.#didRead,
    this.#watching,
    vscode.workspace.onDidGrantWorkspaceTrust(() => this.#outdate()),
    onUnsavedChange(
      ({ uri }) => uri.path.endsWith(envFileEnding),
      () => this.#outdate(),
    ),
    vscode.workspace.onDidCloseNotebookDocument(({ uri }) => void this.#entries.delete(uri.toString())),
  );
  /** Fires when a file was read or has changed, and when another environment was chosen. */
  readonly onDidChange = this.#changed.event;
  /** Fires with each file that was read. */
  readonly onDidRead = this.#didRead.event;

  constructor(workspaceState: vscode.Memento) {
    this.#workspaceState = workspaceState;
  }

  /**
   * The environments that are read already. Starts to read the others, and fires `onDidChange` when they are there.
   * `head`: the environment of the front matter.
   */
  of(notebook: vscode.NotebookDocument, named: readonly string[], head: string | undefined): Environments {
    const environment = head ?? this.#workspaceState.get<string>(chosenKey);
    const key = notebook.uri.toString();
    const entry: Entry = this.#entries.get(key) ?? newEntry();
    this.#entries.set(key, entry);
    const names = [...new Set([...(environment === undefined ? [] : [environment]), ...named])];
    const isKnown = names.every((name) => entry.names.includes(name));
    entry.names = names;
    if (!entry.isFresh || !isKnown) this.#read(notebook, entry);
    this.#watching.add(notebook);
    const { files, offered } = entry;
    return {
      files,
      offered,
      given: noVariables,
      ...(environment === undefined ? {} : { chosen: environment }),
    };
  }

  /** Reads all files of a notebook again, because a run must not use older values, nor a list older names. */
  async refresh(notebook: vscode.NotebookDocument): Promise<void> {
    const entry = this.#entries.get(notebook.uri.toString());
    if (entry) this.#read(notebook, entry);
    await entry?.reading;
  }

  /** The environment of notebooks that name none. */
  async choose(environment: string | undefined): Promise<void> {
    await this.#workspaceState.update(chosenKey, environment);
    this.#outdate();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #outdate(): void {
    for (const entry of this.#entries.values()) entry.isFresh = false;
    this.#changed.fire();
  }

  #read(notebook: vscode.NotebookDocument, entry: Entry): void {
    entry.isFresh = true;
    entry.reading = entry.reading.then(async () => {
      const { names } = entry;
      entry.offered = await offeredFor(notebook);
      const read = names.map((name, at) =>
        at < mostEnvironments ? readFor(notebook, name) : tooManyEnvironments,
      );
      const files = await Promise.all(read);
      entry.files = new Map(names.map((name, at) => [name, files[at] ?? tooManyEnvironments]));
      for (const file of files) this.#didRead.fire(file);
      this.#changed.fire();
    });
  }
}

const noVariables: Environments["given"] = new Map();

function newEntry(): Entry {
  return { files: new Map(), names: [], offered: [], isFresh: false, reading: Promise.resolve() };
}

/** The folder of a notebook and its parents up to the workspace folder, nearest first. */
export function environmentFolders(notebook: vscode.NotebookDocument): readonly vscode.Uri[] {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (notebook.isUntitled) return first ? [first.uri] : [];
  const root = vscode.workspace.getWorkspaceFolder(notebook.uri)?.uri;
  const folders = [vscode.Uri.joinPath(notebook.uri, "..")];
  for (let at = folders[0]; at && root && folders.length <= mostParents && at.path !== root.path; ) {
    at = vscode.Uri.joinPath(at, "..");
    folders.push(at);
  }
  return folders;
}

const untrusted: EnvFile = {
  problem: "Files of environments are not read, because this folder is not trusted",
};

async function readFor(notebook: vscode.NotebookDocument, name: string): Promise<EnvFile> {
  if (!vscode.workspace.isTrusted) return untrusted;
  const folders = environmentFolders(notebook);
  if (folders.some(({ scheme }) => scheme !== "file")) return readElsewhere(name, folders);
  return readEnvironment(
    name,
    folders.map(({ fsPath }) => fsPath),
    (file) => vscode.workspace.asRelativePath(file, false),
    (file) => vscode.Uri.file(file).toString(),
    { unsaved: (file) => unsavedText(vscode.Uri.file(file)) },
  );
}

function readTyped(text: string, path: string, uri: vscode.Uri): EnvFile {
  if (text.length > maxEnvBytes) return { problem: tooLargeFile(path) };
  return readEnvFile(text, path, uri.toString());
}

/** Reads from a virtual file system. */
async function readElsewhere(name: string, folders: readonly vscode.Uri[]): Promise<EnvFile> {
  if (!isEnvironmentName(name)) return { problem: noEnvironmentName(name) };
  const uris = folders.map((folder) => vscode.Uri.joinPath(folder, `${name}${envFileEnding}`));
  for (const uri of uris) {
    const path = vscode.workspace.asRelativePath(uri, false);
    const typed = unsavedText(uri);
    if (typed !== undefined) return readTyped(typed, path, uri);
    try {
      const { type, size } = await vscode.workspace.fs.stat(uri);
      if (type !== vscode.FileType.File) return { problem: `${path} is not a regular file` };
      if (size > maxEnvBytes) return { problem: tooLargeFile(path) };
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      return readEnvFile(text, path, uri.toString());
    } catch (error) {
      const isMissing = error instanceof vscode.FileSystemError && error.code === "FileNotFound";
      if (!isMissing) return { problem: `${path} can't be read: ${String(error)}` };
    }
  }
  return { problem: missingFile(uris.map((uri) => vscode.workspace.asRelativePath(uri, false))) };
}

async function offeredFor(notebook: vscode.NotebookDocument): Promise<readonly string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = environmentFolders(notebook);
  if (folders.every(({ scheme }) => scheme === "file"))
    return listEnvironments(folders.map(({ fsPath }) => fsPath));
  const lists = await Promise.all(
    folders.map((folder) =>
      vscode.workspace.fs.readDirectory(folder).then(
        (list) => list.map(([name]) => name),
        () => [],
      ),
    ),
  );
  return environmentsAmong([...new Set(lists.flat())]);
}

/** One watcher for the workspace, and one for each other folder of a notebook. */
class Watching implements vscode.Disposable {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, vscode.FileSystemWatcher>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  add(notebook: vscode.NotebookDocument): void {
    const isInside = notebook.isUntitled || vscode.workspace.getWorkspaceFolder(notebook.uri) !== undefined;
    const folder = vscode.Uri.joinPath(notebook.uri, "..");
    const key = isInside ? "" : folder.toString();
    if (this.#watchers.has(key)) return;
    const pattern = isInside
      ? `**/*${envFileEnding}`
      : new vscode.RelativePattern(folder, `*${envFileEnding}`);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      event(this.#onChange);
    this.#watchers.set(key, watcher);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#watchers.values()).dispose();
  }
}
