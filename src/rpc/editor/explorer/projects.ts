import * as vscode from "vscode";
import { isOf, onUnsavedChange, unsavedText } from "../../../platform/editor/unsavedText.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import { languages, notebooks } from "../../../shared/names/ids.ts";
import { localNetwork, networks } from "../../../shared/rpc/networks.ts";
import { fileName } from "../../../shared/text/fileName.ts";
import { declarationsOf, isAbiPath } from "../../language/check/declarations.ts";
import { type AbiFile, readAbiJson } from "../../language/encode/abiJson.ts";
import type { Span } from "../../language/parse/nodes.ts";
import { type Cell, parseCell } from "../../language/parse/parseCell.ts";
import { namedEnvironment, type Project } from "../../language/project.ts";
import {
  maxAbiBytes,
  notRegular,
  notThere,
  outside,
  readAbiFile,
  tooLarge,
} from "../../run/inputs/readAbiFile.ts";
import type { RpcDeps } from "../deps.ts";
import type { EnvironmentFiles } from "../environment/environmentFiles.ts";
import { environmentOfNotebook, networksOfNotebook, readCellMetadata } from "../serializer.ts";

/** A notebook, its project, and the request cells in the order of the project. */
export interface OpenProject {
  readonly notebook: vscode.NotebookDocument;
  readonly cells: readonly vscode.NotebookCell[];
  readonly project: Project;
}

/** The parsed notebooks. */
export interface Projects {
  of(notebook: vscode.NotebookDocument): OpenProject;
  /** The notebook of a cell's document, and the index of the cell in its project. */
  at(document: vscode.TextDocument): (OpenProject & { readonly index: number }) | undefined;
  /** The networks that can be used: a static list, until the service has sent its own. */
  offered: readonly string[];
  /** Resolves when the ABI files of a notebook are read, and its environments are read again. */
  settled(notebook: vscode.NotebookDocument): Promise<unknown>;
  /** Fires when a file of a notebook was read or has changed. */
  readonly onDidChangeFiles: vscode.Event<void>;
}

interface Parsed {
  readonly version: number;
  readonly cell: Cell;
}

export function createProjects(
  abiFiles: AbiFiles,
  environments: Pick<EnvironmentFiles, "of" | "refresh" | "onDidChange">,
): Projects {
  const parsed = new WeakMap<vscode.TextDocument, Parsed>();
  const cellOf = (document: vscode.TextDocument): Cell => {
    const previous = parsed.get(document);
    if (previous?.version === document.version) return previous.cell;
    const cell = parseCell(document.getText(), previous?.cell);
    parsed.set(document, { version: document.version, cell });
    return cell;
  };
  const pathsIn = (notebook: vscode.NotebookDocument) =>
    notebook
      .getCells()
      .filter(isRequestCell)
      .flatMap(({ document }) => declarationsOf(cellOf(document)))
      .filter(isAbiPath);
  /** The newest project of each notebook, which is kept while all its parts stay: what is known of it is cached by it. */
  const newest = new WeakMap<vscode.NotebookDocument, Project>();
  const kept = (notebook: vscode.NotebookDocument, made: Project): Project => {
    const before = newest.get(notebook);
    if (before && isSame(before, made)) return before;
    newest.set(notebook, made);
    return made;
  };
  const projects: Projects = {
    onDidChangeFiles(listener, ...rest) {
      const [abi, environment] = [abiFiles.onDidChange, environments.onDidChange];
      return vscode.Disposable.from(abi(listener, ...rest), environment(listener, ...rest));
    },
    async settled(notebook) {
      projects.of(notebook);
      await Promise.all([abiFiles.settled(), environments.refresh(notebook)]);
    },
    offered: [...networks.map(({ slug }) => slug), localNetwork],
    of(notebook) {
      const cells = notebook.getCells().filter(isRequestCell);
      const parsed = cells.map(({ document, metadata }) => {
        const { facts } = readCellMetadata(metadata);
        return { key: document.uri.toString(), cell: cellOf(document), facts };
      });
      const named = parsed.flatMap(({ cell }) => namedEnvironment(cell) ?? []);
      const project: Project = {
        networks: networksOfNotebook(notebook.metadata),
        offered: projects.offered,
        abiFiles: abiFiles.of(notebook, pathsIn(notebook)),
        environments: environments.of(notebook, named, environmentOfNotebook(notebook.metadata)),
        cells: parsed,
      };
      return { notebook, cells, project: kept(notebook, project) };
    },
    at(document) {
      for (const notebook of vscode.workspace.notebookDocuments) {
        if (notebook.notebookType !== notebooks.rpc) continue;
        if (!notebook.getCells().some((cell) => cell.document === document)) continue;
        const open = projects.of(notebook);
        const index = open.cells.findIndex((cell) => cell.document === document);
        return index < 0 ? undefined : { ...open, index };
      }
      return undefined;
    },
  };
  return projects;
}

/** True if an event changes what a notebook says. Its runs change only outputs and times. */
export function changesText({
  contentChanges,
  cellChanges,
  metadata,
}: vscode.NotebookDocumentChangeEvent): boolean {
  return (
    contentChanges.length > 0 ||
    metadata !== undefined ||
    cellChanges.some((change) => change.document !== undefined || change.metadata !== undefined)
  );
}

/** True if two projects have the same parts. Parsed cells are the same objects while their text is the same. */
function isSame(a: Project, b: Project): boolean {
  const facts = ({ networks, offered, environments }: Project) => [
    networks.join(),
    offered.join(),
    environments?.chosen,
    environments?.files,
    environments?.offered,
  ];
  const others = facts(b);
  const files = [...(b.abiFiles ?? [])];
  return (
    facts(a).every((fact, at) => fact === others[at]) &&
    a.abiFiles?.size === files.length &&
    files.every(([path, file]) => a.abiFiles?.get(path) === file) &&
    a.cells.length === b.cells.length &&
    a.cells.every((one, at) => {
      const other = b.cells[at];
      return (
        one.cell === other?.cell &&
        one.key === other.key &&
        JSON.stringify(one.facts) === JSON.stringify(other.facts)
      );
    })
  );
}

export function toRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

export function isRequestCell({ kind, document }: vscode.NotebookCell): boolean {
  return kind === vscode.NotebookCellKind.Code && document.languageId === languages.rpc;
}

/** The networks of the active service. Without them the static list is used. */
export class OfferedNetworks {
  readonly #deps: Pick<RpcDeps, "session" | "log">;
  readonly #projects: Projects;
  #received: { readonly from: Connection; readonly done: Promise<void> } | undefined;

  constructor(deps: Pick<RpcDeps, "session" | "log">, projects: Projects) {
    this.#deps = deps;
    this.#projects = projects;
  }

  /** Requests them once per connection, which is free. Never throws. */
  async receive(): Promise<void> {
    const { active } = this.#deps.session;
    if (!active) return;
    if (this.#received?.from !== active) this.#received = { from: active, done: this.#ask() };
    await this.#received.done;
  }

  async #ask(): Promise<void> {
    try {
      const { api } = await this.#deps.session.client({ kind: "notebook" });
      const { networks } = await api.rpc.networks({});
      if (networks.length > 0) this.#projects.offered = [...networks, localNetwork];
    } catch (error) {
      this.#received = undefined;
      this.#deps.log.warn(String(error));
    }
  }
}

interface Entry {
  file: AbiFile | undefined;
  reading: Promise<void>;
  atMs: number;
}

/** Milliseconds until a missing or broken file is read again: a build may be writing it. */
const staleMs = 5_000;
/** Files per notebook, because each has a watcher. */
const mostFiles = 20;
const tooMany: AbiFile = { problem: `A notebook can use at most ${mostFiles} ABI files` };

/** The ABI files of notebooks. */
export class AbiFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watchers = new Map<string, vscode.Disposable>();
  readonly #entries = new Map<string, Entry>();
  readonly onDidChange = this.#changed.event;

  /** The files that are read so far. Starts to read the others; `onDidChange` follows. */
  of(notebook: vscode.NotebookDocument, paths: readonly string[]): ReadonlyMap<string, AbiFile> {
    const files = new Map<string, AbiFile>();
    const named = [...new Set(paths)];
    for (const path of named.slice(mostFiles)) files.set(path, tooMany);
    for (const path of named.slice(0, mostFiles)) {
      const key = `${notebook.uri.toString()} ${path}`;
      const entry = this.#entries.get(key);
      const isStale = entry?.file && "problem" in entry.file && Date.now() - entry.atMs > staleMs;
      const { file } = entry && !isStale ? entry : this.#read(notebook, path, key);
      const shown = file ?? entry?.file;
      if (shown) files.set(path, shown);
    }
    return files;
  }

  /** Resolves when all requested files are read. */
  async settled(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ reading }) => reading));
  }

  dispose(): void {
    vscode.Disposable.from(this.#changed, ...this.#watchers.values()).dispose();
  }

  #read(notebook: vscode.NotebookDocument, path: string, key: string): Entry {
    const entry: Entry = { file: undefined, reading: Promise.resolve(), atMs: Date.now() };
    entry.reading = readFrom(notebook, path, (uri) => this.#watch(key, uri))
      // Deeply nested JSON can overflow the stack.
      .catch((error: unknown): AbiFile => ({ problem: `This file can't be read: ${String(error)}` }))
      .then((file) => {
        entry.file = file;
        this.#changed.fire();
      });
    this.#entries.set(key, entry);
    return entry;
  }

  #watch(key: string, uri: vscode.Uri): void {
    if (this.#watchers.has(key)) return;
    const name = fileName(uri.path);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const outdate = () => {
      this.#entries.delete(key);
      this.#changed.fire();
    };
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(outdate);
    const typing = onUnsavedChange((document) => isOf(document, uri), outdate);
    this.#watchers.set(key, vscode.Disposable.from(watcher, typing));
  }
}

/** Reads a path relative to the notebook or to a folder of the workspace. */
function readFrom(
  notebook: vscode.NotebookDocument,
  path: string,
  onFound: (uri: vscode.Uri) => void,
): Promise<AbiFile> {
  const beside = notebook.isUntitled ? [] : [vscode.Uri.joinPath(notebook.uri, "..")];
  const workspace = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const isOfWorkspace = vscode.workspace.getWorkspaceFolder(notebook.uri) !== undefined;
  // For a notebook outside the workspace, its folder is a root.
  const roots = isOfWorkspace ? workspace : [...beside, ...workspace];
  const folders = [...beside, ...workspace];
  if (folders.every(({ scheme }) => scheme === "file")) {
    const pathOf = ({ fsPath }: vscode.Uri) => fsPath;
    return readAbiFile(path, folders.map(pathOf), roots.map(pathOf), {
      onFound: (file) => onFound(vscode.Uri.file(file)),
      unsaved: (file) => unsavedText(vscode.Uri.file(file)),
    });
  }
  return readElsewhere(path, folders, roots, onFound);
}

/** Reads from a virtual file system, which reports links itself. */
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
    const typed = unsavedText(uri);
    if (typed !== undefined) return typed.length > maxAbiBytes ? tooLarge : readAbiJson(typed);
    if (stat.size > maxAbiBytes) return tooLarge;
    return readAbiJson(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  }
  return notThere;
}
