// The part of the editor's API that changes files, over real files: documents with unsaved text, line ends and byte
// order marks, saves that notice newer files, and watchers that are late. Modules that `loadWithEditor` imports get it as
// "vscode", apart from all others of the process.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  Document,
  EventEmitter,
  events,
  moments,
  Position,
  Range,
  toBytes,
  toText,
  Uri,
} from "./editorDocument.ts";
import { disk, gatedUrl, never } from "./modelDisk.ts";
import {
  Notebook,
  NotebookCellData,
  NotebookCellKind,
  NotebookEdit,
  NotebookRange,
  notebookMoments,
} from "./notebookDocument.ts";

/** The inputs of tabs, as the editor tells their kinds. */
class TabInput {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}
class TabInputCustom extends TabInput {}
class TabInputNotebook extends TabInput {}
class TabInputNotebookDiff {}

class WorkspaceEdit {
  readonly texts: { readonly uri: Uri; readonly range: Range; readonly text: string }[] = [];
  readonly renames: { readonly from: Uri; readonly to: Uri }[] = [];
  readonly creations: { readonly uri: Uri; readonly contents: Uint8Array }[] = [];
  readonly notebooks: { readonly uri: Uri; readonly edits: readonly NotebookEdit[] }[] = [];
  get size(): number {
    const texts = new Set(this.texts.map(({ uri }) => uri.path));
    return texts.size + this.renames.length + this.notebooks.length;
  }
  set(uri: Uri, edits: readonly NotebookEdit[]): void {
    this.notebooks.push({ uri, edits });
  }
  replace(uri: Uri, range: Range, text: string): void {
    this.texts.push({ uri, range, text });
  }
  createFile(uri: Uri, { contents }: { readonly contents: Uint8Array }): void {
    this.creations.push({ uri, contents });
  }
  renameFile(from: Uri, to: Uri): void {
    this.renames.push({ from, to });
  }
}

/** State of the one editor; `start` gives it a new folder. */
export const editor = {
  root: "/",
  documents: [] as Document[],
  notebooks: [] as Notebook[],
  /** Editors that are not text editors. */
  others: [] as { readonly isNotebook: boolean; readonly uri: Uri; isDirty: boolean }[],
  /** False from before its first use: the files are listed in this process, without starting another one. */
  hasRipgrep: true,
  /** The setting files.encoding. */
  encoding: "utf8",
  /** The encoding in which files are opened; undefined for that of the setting. */
  guessed: undefined as string | undefined,
  /** What other extensions offer to models. */
  modelTools: [] as readonly { readonly name: string; readonly description: string }[],
  /** Other settings, such as `search.exclude`. */
  settings: {} as Record<string, unknown>,
  /** The code of the error with which the file system answers for a path; undefined for none. */
  failure: (_path: string): string | undefined => undefined,
  start(root: string): void {
    editor.root = root;
    editor.documents = [];
    editor.others = [];
    editor.notebooks = [];
    editor.encoding = "utf8";
    editor.guessed = undefined;
    editor.settings = {};
    editor.modelTools = [];
    editor.failure = () => undefined;
    moments.at = () => {};
    notebookMoments.at = () => {};
  },
  findNotebook: (uri: Uri) => editor.notebooks.find((notebook) => notebook.uri.path === uri.path),
  openNotebook(uri: Uri): Notebook {
    const found = editor.findNotebook(uri);
    if (found) return found;
    const notebook = new Notebook(uri);
    editor.notebooks.push(notebook);
    return notebook;
  },
  /** Without saving. */
  closeNotebook(notebook: Notebook): void {
    editor.notebooks.splice(editor.notebooks.indexOf(notebook), 1);
    notebook.isClosed = true;
  },
  find: (uri: Uri) => editor.documents.find((document) => document.uri.path === uri.path),
  open(uri: Uri, encoding = "utf8"): Document {
    const found = editor.find(uri);
    if (found) return found;
    const document = new Document(uri, encoding);
    editor.documents.push(document);
    events.opened.fire(document);
    return document;
  },
  /** Without saving. */
  close(document: Document): void {
    editor.documents.splice(editor.documents.indexOf(document), 1);
    document.isClosed = true;
    events.closed.fire(document);
  },
  /** A new process of the editor, which shows the same files and restores what was not saved. */
  restart(): void {
    const { documents, notebooks } = editor;
    editor.documents = [];
    editor.notebooks = [];
    for (const former of documents) {
      former.isClosed = true;
      const document = new Document(former.uri, former.encoding);
      if (former.isDirty) {
        document.eol = former.eol;
        document.put(former.getText());
      }
      editor.documents.push(document);
    }
    for (const former of notebooks) {
      former.isClosed = true;
      editor.notebooks.push(former.movedTo(former.uri));
    }
  },
  /** Makes documents without unsaved text follow their files, as the watchers do some time after a change. */
  settle(): void {
    for (const document of [...editor.documents, ...editor.notebooks]) document.follow();
  },
  /** A rename by the user, who sees unsaved text move along. */
  rename(from: Uri, to: Uri): void {
    editor.move(from, to);
    events.renamed.fire({ files: [{ oldUri: from, newUri: to }] });
  },
  /** A move that no extension is told of. */
  move(from: Uri, to: Uri): void {
    const document = editor.find(from);
    mkdirSync(dirname(to.path), { recursive: true });
    renameSync(from.path, to.path);
    if (document) {
      editor.close(document);
      const moved = editor.open(to, document.encoding);
      if (document.isDirty) {
        // Unsaved text keeps its line ends, whatever the file has.
        moved.eol = document.eol;
        moved.put(document.getText());
      }
    }
    const notebook = editor.findNotebook(from);
    if (notebook) {
      editor.closeNotebook(notebook);
      if (to.path.endsWith(".ipynb")) editor.notebooks.push(notebook.movedTo(to));
    }
  },
  /** A deletion by the user. */
  delete(uri: Uri): void {
    const document = editor.find(uri);
    rmSync(uri.path);
    if (document) editor.close(document);
    const notebook = editor.findNotebook(uri);
    if (notebook) editor.closeNotebook(notebook);
    events.deleted.fire({ files: [uri] });
  },
};

/** Refuses a change of a document that has another version than when the call began, as the editor does. */
async function applyEdit({ texts, renames, creations, notebooks }: WorkspaceEdit): Promise<boolean> {
  if (!disk.isThere()) return never;
  for (const { uri, contents } of creations) {
    if (existsSync(uri.path)) return false;
    writeFileSync(uri.path, contents);
  }
  const documents = new Set(texts.map(({ uri }) => cellDocument(uri) ?? editor.open(uri)));
  for (const document of documents) {
    const { version } = document;
    moments.at("before the change", document);
    if (document.version !== version) return false;
    document.edit(texts.filter(({ uri }) => uri.path === document.uri.path));
    moments.at("after the change", document);
  }
  for (const { uri, edits } of notebooks) editor.findNotebook(uri)?.apply(edits);
  for (const notebook of editor.notebooks) notebookMoments.at("after the change", notebook);
  for (const { from, to } of renames) {
    if (!existsSync(from.path) || existsSync(to.path)) return false;
    editor.rename(from, to);
  }
  return disk.isThere() ? true : never;
}

function cellDocument({ path, scheme }: Uri): Document | undefined {
  if (scheme === "file") return undefined;
  const cells = editor.notebooks.flatMap((notebook) => notebook.getCells());
  return cells.find(({ document }) => document.uri.path === path)?.document;
}

function failIfAsked(path: string): void {
  const code = editor.failure(path);
  if (code !== undefined) throw Object.assign(new Error(`${code} at ${path}`), { code });
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0) && !(bytes[0] === 0xff && bytes[1] === 0xfe);
}

class FileSystemError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const notFound = () => new FileSystemError("FileNotFound", "the file does not exist");

const vscode = {
  Uri,
  Range,
  Position,
  Selection: Range,
  ViewColumn: { Active: -1, Beside: -2 },
  WorkspaceEdit,
  EventEmitter,
  FileSystemError,
  EndOfLine: { LF: 1, CRLF: 2 },
  FileType: { File: 1, Directory: 2 },
  Disposable: {
    from: (...all: readonly { dispose(): unknown }[]) => ({
      dispose: () => void all.map((one) => one.dispose()),
    }),
  },
  TabInputCustom,
  TabInputNotebook,
  TabInputNotebookDiff,
  NotebookCellData,
  NotebookCellKind,
  NotebookEdit,
  NotebookRange,
  // ripgrep is where npm has installed it.
  env: {
    get appRoot() {
      return editor.hasRipgrep ? join(import.meta.dirname, "../../..") : "/none";
    },
  },
  lm: {
    get tools() {
      return editor.modelTools;
    },
  },
  window: {
    visibleTextEditors: [],
    tabGroups: {
      get all() {
        const toTab = ({ isNotebook, uri, isDirty }: (typeof editor.others)[number]) => ({
          isDirty,
          input: isNotebook ? new TabInputNotebook(uri) : new TabInputCustom(uri),
        });
        const open = editor.notebooks.map(({ uri, isDirty }) => ({ isNotebook: true, uri, isDirty }));
        return [{ tabs: [...editor.others, ...open].map(toTab) }];
      },
      onDidChangeTabs: events.tabs.event,
    },
  },
  workspace: {
    get notebookDocuments() {
      return [...editor.others.filter(({ isNotebook }) => isNotebook), ...editor.notebooks];
    },
    getConfiguration: (section: string) => ({
      get: (name: string, fallback?: unknown) =>
        section === "files" && name === "encoding"
          ? editor.encoding
          : (editor.settings[`${section}.${name}`] ?? fallback),
      inspect: (name: string) => ({ languageIds: editor.settings[`${section}.${name} by language`] }),
    }),
    isTrusted: true,
    get workspaceFolders() {
      return [{ uri: new Uri(editor.root), name: "work", index: 0 }];
    },
    // The cells of a notebook are in no folder.
    getWorkspaceFolder: ({ path, scheme }: Uri) =>
      scheme === "file" && path.startsWith(editor.root)
        ? { uri: new Uri(editor.root), name: "work", index: 0 }
        : undefined,
    asRelativePath: ({ path }: Uri) => path.slice(editor.root.length + 1),
    get textDocuments() {
      const cells = editor.notebooks.flatMap((notebook) => notebook.getCells());
      return [...editor.documents, ...cells.map(({ document }) => document)];
    },
    openTextDocument: async (uri: Uri) => {
      if (!existsSync(uri.path)) throw notFound();
      const encoding = editor.guessed ?? editor.encoding;
      // The editor refuses what seems to be binary.
      if (encoding === "utf8" && !editor.find(uri) && isBinary(readFileSync(uri.path)))
        throw new Error("File seems to be binary and cannot be opened as text");
      return editor.open(uri, encoding);
    },
    applyEdit,
    decode: async (bytes: Uint8Array, { encoding }: { readonly encoding: string }) => {
      if (encoding !== "utf16le" && isBinary(bytes)) throw new Error("The content is binary.");
      return toText(bytes, encoding).replace(/^\ufeff/, "");
    },
    encode: async (text: string, { encoding }: { readonly encoding: string }) => toBytes(text, encoding),
    findFiles: async () => [],
    fs: {
      stat: async ({ path }: Uri) => {
        failIfAsked(path);
        const found = statSync(path, { throwIfNoEntry: false });
        if (!found) throw notFound();
        return { type: found.isDirectory() ? 2 : 1, size: found.size, mtime: 0, ctime: 0 };
      },
      readFile: async ({ path }: Uri) => {
        failIfAsked(path);
        return new Uint8Array(readFileSync(path));
      },
      readDirectory: async ({ path }: Uri) => {
        if (!existsSync(path)) throw notFound();
        return readdirSync(path, { withFileTypes: true }).map((entry) => [
          entry.name,
          entry.isDirectory() ? 2 : 1,
        ]);
      },
      createDirectory: async ({ path }: Uri) => void mkdirSync(path, { recursive: true }),
      writeFile: async ({ path }: Uri, bytes: Uint8Array) => writeFileSync(path, bytes),
      rename: async (uri: Uri, to: Uri, { overwrite = false }) => {
        const { path } = uri;
        if (!disk.isThere()) return never;
        if (!existsSync(path)) throw notFound();
        if (!overwrite && existsSync(to.path)) throw new FileSystemError("FileExists", "the file exists");
        editor.move(uri, to);
        return disk.isThere() ? undefined : never;
      },
      delete: async ({ path }: Uri) => {
        if (!disk.isThere()) return never;
        rmSync(path);
        return disk.isThere() ? undefined : never;
      },
    },
    onDidChangeTextDocument: events.changed.event,
    onDidCloseTextDocument: events.closed.event,
    onDidSaveTextDocument: events.saved.event,
    onDidOpenTextDocument: events.opened.event,
    onDidSaveNotebookDocument: events.savedNotebook.event,
    onDidCreateFiles: events.created.event,
    onDidDeleteFiles: events.deleted.event,
    onDidRenameFiles: events.renamed.event,
  },
};

Object.assign(globalThis, { editorModel: vscode });
const exported = Object.keys(vscode).map((name) => `export const ${name} = globalThis.editorModel.${name};`);
const moduleUrl = `data:text/javascript,${encodeURIComponent(exported.join("\n"))}`;
const own = "?editorModel";
/** Modules whose process can be killed. Watching their accesses to the disk takes time. */
const killable = `${own}=killable`;
const suffixOf = (url = "") => [killable, own].find((suffix) => url.endsWith(suffix));

registerHooks({
  resolve(specifier, context, next) {
    const suffix = suffixOf(context.parentURL);
    if (suffix === undefined) return next(specifier, context);
    const url = specifier === "vscode" ? moduleUrl : suffix === killable ? gatedUrl(specifier) : undefined;
    if (url !== undefined) return { url, format: "module", shortCircuit: true };
    const found = next(specifier, context);
    return found.url.includes("/src/") && suffixOf(found.url) === undefined
      ? { ...found, url: found.url + suffix }
      : found;
  },
});

/** Imports a module of `src` over this editor. */
export async function loadWithEditor<Module>(path: string, isKillable = false): Promise<Module> {
  const file = pathToFileURL(join(import.meta.dirname, "../../..", path));
  return (await import(`${file}${isKillable ? killable : own}`)) as Module;
}
