import * as vscode from "vscode";
import { readTextIfThere, writeDurably, writeDurablyNow } from "../../platform/durableFile.ts";
import { contentText, documentOf, readContent } from "./contents.ts";
import { afterForeignEdit, afterUserEdit, countLines, type HunkList, toLineChange } from "./hunkList.ts";
import type { ChangedFile } from "./pendingChanges.ts";

export interface ChangeRecordsDeps {
  /** File in which the pending hunks of this workspace are kept; undefined without a folder. */
  readonly stateFile: string | undefined;
  readonly report: (error: unknown) => void;
}

/** The pending changes of one file. */
export interface ChangeRecord {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly kind: ChangedFile["kind"];
  readonly movedFrom?: string;
  readonly hunks: HunkList;
  /** Name of the content of a deleted file. */
  readonly original?: string;
  /** The text that the hunks refer to, while no editor has the file open. */
  readonly known?: string;
}

/** The records of a window. They follow the user's edits, and are kept over a reload. */
export interface ChangeRecords extends vscode.Disposable {
  readonly files: readonly ChangedFile[];
  readonly onDidChange: vscode.Event<void>;
  /** Resolves once the records of the last window are read. */
  readonly loaded: Promise<void>;
  get(uri: vscode.Uri): ChangeRecord | undefined;
  /** The record after what others have changed in the file on disk. */
  synced(uri: vscode.Uri): Promise<ChangeRecord | undefined>;
  /** `text` is that of the file now. A record without pending changes is dropped. */
  set(record: ChangeRecord, text?: string): void;
  forget(uri: vscode.Uri): void;
  /** Changes of this file during the work are not the user's. */
  quietly(uri: vscode.Uri, work: () => Promise<void>): Promise<void>;
}

/** Delay in milliseconds from a change to its storage. */
const afterMs = 500;

export function createChangeRecords(deps: ChangeRecordsDeps): ChangeRecords {
  return new Records(deps);
}

class Records implements ChangeRecords {
  readonly #deps: ChangeRecordsDeps;
  readonly #records = new Map<string, ChangeRecord>();
  readonly #quiet = new Set<string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #files: readonly ChangedFile[] | undefined;
  readonly loaded: Promise<void>;

  constructor(deps: ChangeRecordsDeps) {
    this.#deps = deps;
    this.loaded = this.#load().catch(deps.report);
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#close(document)),
      vscode.workspace.onDidOpenTextDocument((document) => void this.synced(document.uri).catch(deps.report)),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const { uri, kind } of files.flatMap((place) => this.#below(place)))
          if (kind !== "deleted" && !this.#isQuiet(uri)) this.forget(uri);
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#rename(oldUri, newUri);
      }),
    );
  }

  get files(): readonly ChangedFile[] {
    this.#files ??= [...this.#records.values()].map(({ known: _, original: __, ...record }) => ({
      ...record,
      ...countLines(record.hunks),
    }));
    return this.#files;
  }

  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  get(uri: vscode.Uri): ChangeRecord | undefined {
    return this.#records.get(uri.toString());
  }

  async synced(uri: vscode.Uri): Promise<ChangeRecord | undefined> {
    const record = this.get(uri);
    if (record?.known === undefined || this.#isQuiet(uri)) return record;
    const content = await readContent(uri, record.path);
    if (!content) {
      this.forget(uri);
      return undefined;
    }
    const text = contentText(content, record.path);
    if (text === record.known && !content.document) return record;
    const { known: _, ...rest } = record;
    // A file that others have changed, too, must not be deleted by rejecting its creation.
    const kind = text === record.known ? record.kind : settledKind(record);
    this.set({ ...rest, kind, hunks: afterForeignEdit(record.hunks, record.known, text) }, text);
    return this.get(uri);
  }

  set(record: ChangeRecord, text?: string): void {
    const { known: _, ...rest } = record;
    const isOpen = documentOf(record.uri) !== undefined;
    const isPending = record.hunks.length > 0 || rest.kind === "deleted" || rest.kind === "moved";
    // An empty created file has no lines.
    if (!isPending && !(rest.kind === "created" && text === "")) {
      this.forget(record.uri);
      return;
    }
    const known = isOpen ? undefined : (text ?? record.known);
    this.#records.set(record.uri.toString(), known === undefined ? rest : { ...rest, known });
    this.#fire();
  }

  forget(uri: vscode.Uri): void {
    if (this.#records.delete(uri.toString())) this.#fire();
  }

  async quietly(uri: vscode.Uri, work: () => Promise<void>): Promise<void> {
    const key = uri.toString();
    this.#quiet.add(key);
    try {
      await work();
    } finally {
      this.#quiet.delete(key);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    // Synchronous: after this returns the process may end.
    const { stateFile } = this.#deps;
    if (stateFile !== undefined) writeDurablyNow(stateFile, this.#stored());
  }

  #isQuiet(uri: vscode.Uri): boolean {
    return this.#quiet.has(uri.toString());
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const record = this.get(document.uri);
    if (!record || this.#isQuiet(document.uri) || contentChanges.length === 0) return;
    const hunks = contentChanges.reduce<HunkList>(
      (left, { range, text }) => afterUserEdit(left, toLineChange(range, text)),
      record.hunks,
    );
    const kind = settledKind(record);
    if (hunks !== record.hunks || kind !== record.kind) this.set({ ...record, kind, hunks });
  }

  /** From now on, changes are found by comparing texts. */
  #close(document: vscode.TextDocument): void {
    const record = this.get(document.uri);
    if (record) this.#records.set(document.uri.toString(), { ...record, known: document.getText() });
    if (record) this.#fire();
  }

  #rename(from: vscode.Uri, to: vscode.Uri): void {
    for (const record of this.#below(from)) {
      if (this.#isQuiet(record.uri)) continue;
      const uri = to.with({ path: to.path + record.uri.path.slice(from.path.length) });
      this.forget(record.uri);
      this.set({ ...record, uri, path: vscode.workspace.asRelativePath(uri) }, record.known);
    }
  }

  /** The records of a file, or of all files in a folder. */
  #below(place: vscode.Uri): readonly ChangeRecord[] {
    const key = place.toString();
    return [...this.#records.values()].filter(({ uri }) => {
      const own = uri.toString();
      return own === key || own.startsWith(`${key}/`);
    });
  }

  #fire(): void {
    this.#files = undefined;
    this.#changed.fire();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#save().catch(this.#deps.report);
    }, afterMs);
  }

  async #save(): Promise<void> {
    const { stateFile } = this.#deps;
    if (stateFile !== undefined) await writeDurably(stateFile, this.#stored());
  }

  #stored(): string {
    const records = [...this.#records.values()].map(({ uri, ...record }) => ({
      ...record,
      uri: uri.toString(),
      known: record.known ?? documentOf(uri)?.getText(),
    }));
    return JSON.stringify({ version: 1, records });
  }

  async #load(): Promise<void> {
    const { stateFile } = this.#deps;
    const text = stateFile === undefined ? undefined : await readTextIfThere(stateFile);
    if (text === undefined) return;
    for (const { uri, ...record } of parseRecords(text)) {
      const place = vscode.Uri.parse(uri);
      if (this.#records.has(uri)) continue;
      this.#records.set(uri, { ...record, uri: place });
      await this.synced(place).catch(() => this.forget(place));
    }
    if (this.#records.size > 0) this.#fire();
  }
}

/** A created file that the user has changed stays; a moved one can still be moved back. */
function settledKind({ kind }: ChangeRecord): ChangedFile["kind"] {
  return kind === "created" ? "changed" : kind;
}

type StoredRecord = Omit<ChangeRecord, "uri"> & { readonly uri: string };

/** Records of another version are dropped: their hunks count as accepted. */
function parseRecords(text: string): readonly StoredRecord[] {
  try {
    const { version, records } = JSON.parse(text) as { version?: unknown; records?: unknown };
    return version === 1 && Array.isArray(records) ? records.filter(isRecord) : [];
  } catch {
    return [];
  }
}

const kinds: readonly unknown[] = ["changed", "created", "deleted", "moved"];

function isRecord(value: unknown): value is StoredRecord {
  const { uri, path, kind, hunks } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isHunk = (hunk: { id?: unknown; startLine?: unknown; lineCount?: unknown; before?: unknown }) =>
    typeof hunk?.id === "string" &&
    Number.isInteger(hunk.startLine) &&
    Number.isInteger(hunk.lineCount) &&
    Array.isArray(hunk.before);
  return (
    typeof uri === "string" &&
    typeof path === "string" &&
    kinds.includes(kind) &&
    Array.isArray(hunks) &&
    hunks.every(isHunk)
  );
}
