import * as vscode from "vscode";
import { type Content, documentOf, isSameText, readContent, textIn, withoutReturns } from "./contents.ts";
import { afterForeignEdit, afterUserEdit, countLines, type HunkList, toLineChange } from "./hunkList.ts";
import type { ChangedFile, LastRewind } from "./pendingChanges.ts";
import { createRecordLog, type RecordLog } from "./recordLog.ts";

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
  /** Name of the content before the agent. */
  readonly original?: string;
  /** Name of the content of a deleted file whose place a moved one took. */
  readonly replaced?: string;
  /** The text that the hunks refer to, while no editor has it. */
  readonly known?: string;
}

/** The records of a window. They follow the user's edits, and are kept over a reload. */
export interface ChangeRecords extends vscode.Disposable {
  readonly files: readonly ChangedFile[];
  readonly onDidChange: vscode.Event<void>;
  fileOf(uri: vscode.Uri): ChangedFile | undefined;
  /** Kept over a reload, too. */
  lastRewind: LastRewind | undefined;
  /** Resolves once the records of the last window are read. */
  readonly loaded: Promise<void>;
  get(uri: vscode.Uri): ChangeRecord | undefined;
  /** The record after what others have changed in the file on disk. */
  synced(uri: vscode.Uri): Promise<ChangeRecord | undefined>;
  /** The same with the content that was just read. */
  syncedWith(uri: vscode.Uri, content: Content | undefined): ChangeRecord | undefined;
  /** The hunks refer to `text`; what an editor has beyond it is the user's. A record without pending changes is dropped. */
  set(record: ChangeRecord, text?: string): void;
  forget(uri: vscode.Uri): void;
  /** Changes of this file during the work are not the user's, if the work sets the record. */
  quietly<Value>(uri: vscode.Uri, work: () => Promise<Value>): Promise<Value>;
}

export function createChangeRecords(deps: ChangeRecordsDeps): ChangeRecords {
  return new Records(deps);
}

class Records implements ChangeRecords {
  readonly #records = new Map<string, ChangeRecord>();
  /** What views read of each record. */
  readonly #views = new WeakMap<ChangeRecord, ChangedFile>();
  readonly #quiet = new Set<string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  readonly #log: RecordLog | undefined;
  #files: readonly ChangedFile[] | undefined;
  #lastRewind: LastRewind | undefined;
  readonly loaded: Promise<void>;

  constructor(deps: ChangeRecordsDeps) {
    const { stateFile: path, report } = deps;
    const read = (key: string) => this.#stored(key);
    this.#log = path === undefined ? undefined : createRecordLog({ path, read, report });
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
    this.#files ??= [...this.#records.values()].map((record) => this.#viewOf(record));
    return this.#files;
  }

  fileOf(uri: vscode.Uri): ChangedFile | undefined {
    const record = this.get(uri);
    return record && this.#viewOf(record);
  }

  #viewOf(record: ChangeRecord): ChangedFile {
    const found = this.#views.get(record);
    if (found) return found;
    const { known: _, original: __, replaced: ___, ...shown } = record;
    const view = { ...shown, ...countLines(record.hunks) };
    this.#views.set(record, view);
    return view;
  }

  get lastRewind(): LastRewind | undefined {
    return this.#lastRewind;
  }

  set lastRewind(rewind: LastRewind | undefined) {
    this.#lastRewind = rewind;
    this.#log?.changed(rewindKey);
    this.#changed.fire();
  }

  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  get(uri: vscode.Uri): ChangeRecord | undefined {
    return this.#records.get(uri.toString());
  }

  async synced(uri: vscode.Uri): Promise<ChangeRecord | undefined> {
    if (!this.get(uri) || this.#isQuiet(uri)) return this.get(uri);
    return this.syncedWith(uri, await readContent(uri, vscode.workspace.asRelativePath(uri)));
  }

  syncedWith(uri: vscode.Uri, content: Content | undefined): ChangeRecord | undefined {
    const record = this.get(uri);
    const base = record?.known ?? documentOf(uri)?.getText();
    if (!record || record.kind === "deleted" || base === undefined || this.#isQuiet(uri)) return record;
    const text = content && textIn(content, record.path);
    // Nothing of the agent is left in a file that is gone, or no longer a text.
    if (!content || (text === undefined && record.kind !== "moved")) this.forget(uri);
    else if (text === undefined) return record;
    else if (text !== base || (record.known !== undefined && content.document))
      this.#followText(record, base, text);
    return this.get(uri);
  }

  set(record: ChangeRecord, text?: string): void {
    const { known: _, ...rest } = record;
    const document = documentOf(record.uri);
    const isPending = record.hunks.length > 0 || rest.kind === "deleted" || rest.kind === "moved";
    // An empty created file has no lines.
    if (!isPending && !(rest.kind === "created" && text === "")) {
      this.forget(record.uri);
      return;
    }
    const known = text ?? record.known;
    const isShown = known === undefined || (document && isSameText(document.getText(), known));
    this.#records.set(record.uri.toString(), isShown ? rest : { ...rest, known });
    this.#fire(record.uri);
    // A document without unsaved text has yet to read the file.
    if (!isShown && document?.isDirty && rest.kind !== "deleted")
      this.#followText({ ...rest, known }, known, document.getText());
  }

  forget(uri: vscode.Uri): void {
    if (this.#records.delete(uri.toString())) this.#fire(uri);
  }

  async quietly<Value>(uri: vscode.Uri, work: () => Promise<Value>): Promise<Value> {
    const key = uri.toString();
    const record = this.get(uri);
    const text = documentOf(uri)?.getText();
    this.#quiet.add(key);
    try {
      return await work();
    } finally {
      this.#quiet.delete(key);
      const now = documentOf(uri)?.getText();
      if (record && this.get(uri) === record && text !== undefined && now !== undefined && text !== now)
        this.#followText(record, record.known ?? text, now);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#log?.dispose();
  }

  #isQuiet(uri: vscode.Uri): boolean {
    return this.#quiet.has(uri.toString());
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const record = this.get(document.uri);
    if (!record || this.#isQuiet(document.uri) || contentChanges.length === 0) return;
    if (record.known !== undefined) {
      this.#followText(record, record.known, document.getText());
      return;
    }
    const hunks = contentChanges.reduce<HunkList>(
      (left, { range, text }) => afterUserEdit(left, toLineChange(range, text)),
      record.hunks,
    );
    const kind = settledKind(record);
    if (hunks !== record.hunks || kind !== record.kind) this.set({ ...record, kind, hunks });
    // The stored text is another one.
    else this.#log?.changed(document.uri.toString());
  }

  /** Others have changed the text of a record, whose hunks refer to `before`. */
  #followText(record: ChangeRecord, before: string, text: string): void {
    const [from, to] = [withoutReturns(before), withoutReturns(text)];
    const changed = { ...record, hunks: afterForeignEdit(record.hunks, from, to) };
    // A file that others have changed, too, must not be deleted by rejecting its creation.
    this.set(from === to ? changed : { ...changed, kind: settledKind(record) }, text);
  }

  /** From now on, changes are found by comparing texts. */
  #close(document: vscode.TextDocument): void {
    const record = this.get(document.uri);
    if (!record) return;
    const known = record.known ?? document.getText();
    this.#records.set(document.uri.toString(), { ...record, known });
    this.#fire(document.uri);
  }

  #rename(from: vscode.Uri, to: vscode.Uri): void {
    for (const record of this.#below(from)) {
      if (this.#isQuiet(record.uri)) continue;
      const uri = to.with({ path: to.path + record.uri.path.slice(from.path.length) });
      const known = record.known ?? documentOf(record.uri)?.getText();
      const { replaced, ...rest } = record;
      this.forget(record.uri);
      if (replaced !== undefined)
        this.set({ uri: record.uri, path: record.path, kind: "deleted", hunks: [], original: replaced });
      this.set({ ...rest, uri, path: vscode.workspace.asRelativePath(uri) }, known);
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

  #fire(uri: vscode.Uri): void {
    this.#files = undefined;
    this.#log?.changed(uri.toString());
    this.#changed.fire();
  }

  #stored(key: string): unknown {
    if (key === rewindKey) return this.#lastRewind;
    const record = this.#records.get(key);
    if (!record) return undefined;
    const { uri, ...rest } = record;
    return { ...rest, known: record.known ?? documentOf(uri)?.getText() };
  }

  async #load(): Promise<void> {
    for (const [uri, record] of (await this.#log?.read()) ?? []) {
      if (uri === rewindKey && isRewind(record)) this.#lastRewind ??= record;
      if (this.#records.has(uri) || !isRecord(record)) continue;
      const place = vscode.Uri.parse(uri);
      this.#records.set(uri, { ...record, uri: place });
      await this.synced(place).catch(() => this.forget(place));
    }
    this.#files = undefined;
    if (this.#records.size > 0 || this.#lastRewind) this.#changed.fire();
  }
}

/** A created file that the user has changed stays; a moved one can still be moved back. */
function settledKind({ kind }: ChangeRecord): ChangedFile["kind"] {
  return kind === "created" ? "changed" : kind;
}

/** The others are URIs. */
const rewindKey = "rewind";

function isRewind(value: unknown): value is LastRewind {
  const { of, changes } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof of === "string" && Array.isArray(changes);
}

type StoredRecord = Omit<ChangeRecord, "uri">;

const kinds: readonly unknown[] = ["changed", "created", "deleted", "moved"];

function isRecord(value: unknown): value is StoredRecord {
  const { path, kind, hunks } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isHunk = (hunk: { id?: unknown; startLine?: unknown; lineCount?: unknown; before?: unknown }) =>
    typeof hunk?.id === "string" &&
    Number.isInteger(hunk.startLine) &&
    Number.isInteger(hunk.lineCount) &&
    Array.isArray(hunk.before);
  return typeof path === "string" && kinds.includes(kind) && Array.isArray(hunks) && hunks.every(isHunk);
}
