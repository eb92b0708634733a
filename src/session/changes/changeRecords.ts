import * as vscode from "vscode";
import { isGone } from "./changeablePlace.ts";
import {
  type ChangeRecord,
  type ChangeRecords,
  type ChangeRecordsDeps,
  isStoredRecord,
  isStoredRewind,
  type KnownPatch,
  knownText,
  notMovedTo,
  patchOf,
  settledKind,
  type TextBefore,
  toChangedFile,
} from "./changeRecord.ts";
import { type Content, documentOf, isSameText, readContent, textIn, withoutReturns } from "./contents.ts";
import { afterForeignEdit, afterUserEdit, toLineChange } from "./hunkList.ts";
import type { ChangedFile, LastRewind } from "./pendingChanges.ts";
import { createRecordLog, type RecordLog } from "./recordLog.ts";

export function createChangeRecords(deps: ChangeRecordsDeps): ChangeRecords {
  return new Records(deps);
}

class Records implements ChangeRecords {
  readonly #records = new Map<string, ChangeRecord>();
  /** What views read of each record. */
  readonly #views = new WeakMap<ChangeRecord, ChangedFile>();
  /** Short forms of their `known`, until they are written in full. */
  readonly #patches = new WeakMap<ChangeRecord, KnownPatch>();
  /** The texts of open files with records as long as they are saved. */
  readonly #saved = new WeakMap<vscode.TextDocument, string>();
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
    this.loaded = this.#load(deps.contentOf).catch(deps.report);
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#close(document)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.get(uri) && this.#noteSaved(uri)),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (this.get(uri)) void this.synced(uri).then(() => this.#noteSaved(uri), deps.report);
      }),
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
    const view = toChangedFile(record);
    this.#views.set(record, view);
    return view;
  }

  get lastRewind(): LastRewind | undefined {
    return this.#lastRewind;
  }

  set lastRewind(rewind: LastRewind | undefined) {
    this.#lastRewind = rewind;
    this.#log?.write(rewindKey);
    this.#changed.fire();
  }

  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  get(uri: vscode.Uri): ChangeRecord | undefined {
    return this.#records.get(uri.toString());
  }

  async synced(uri: vscode.Uri): Promise<ChangeRecord | undefined> {
    const record = this.get(uri);
    // Rejecting a deletion says that the file exists again.
    if (!record || record.kind === "deleted" || this.#isQuiet(uri)) return record;
    const content = await readContent(uri, vscode.workspace.asRelativePath(uri));
    // A file on a network drive that is away is not gone.
    if (!content && !(await isGone(uri))) return this.get(uri);
    return this.syncedWith(uri, content);
  }

  syncedWith(uri: vscode.Uri, content: Content | undefined): ChangeRecord | undefined {
    const record = this.get(uri);
    if (!record || this.#isQuiet(uri)) return record;
    const text = content && textIn(content, record.path);
    const base = record.known ?? documentOf(uri)?.getText();
    // A file at the place of a deleted one is the user's.
    if (record.kind === "deleted") content && this.forget(uri);
    // Nothing of the agent is left in a file that is gone, or no longer a text.
    else if (!content || (text === undefined && record.kind !== "moved")) this.forget(uri);
    else if (text === undefined || base === undefined) return record;
    else if (text !== base || (record.known !== undefined && content.document))
      this.#followText(record, base, text);
    return this.get(uri);
  }

  set(record: ChangeRecord, text?: string, before?: TextBefore): void {
    this.#put(record, text);
    const now = this.get(record.uri);
    const patch = before && now?.known !== undefined ? patchOf(before, now.known) : undefined;
    if (now && patch) this.#patches.set(now, patch);
    const key = record.uri.toString();
    this.#log?.write(key);
    if (now && this.#patches.delete(now)) this.#log?.changed(key);
  }

  #put(given: ChangeRecord, text?: string): void {
    const { known: _, ...rest } = notMovedTo(vscode.workspace.asRelativePath(given.uri), given);
    const { uri, kind, hunks } = rest;
    const [key, document] = [uri.toString(), documentOf(uri)];
    const isPending = hunks.length > 0 || kind === "deleted" || kind === "moved";
    // An empty created file has no lines.
    if (!isPending && !(kind === "created" && text === "")) {
      if (this.#records.delete(key)) this.#fire(uri);
      return;
    }
    const former = this.#records.get(key);
    const replaced = rest.replaced ?? (former?.kind === "deleted" ? former.original : undefined);
    const record = replaced === undefined ? rest : { ...rest, replaced };
    const known = text ?? given.known;
    const isShown = known === undefined || (document && isSameText(document.getText(), known));
    this.#records.set(key, isShown ? record : { ...record, known });
    this.#noteSaved(uri);
    this.#fire(uri);
    // A document without unsaved text has yet to read the file.
    if (!isShown && document?.isDirty && kind !== "deleted")
      this.#followText({ ...record, known }, known, document.getText());
  }

  forget(uri: vscode.Uri): void {
    const record = this.get(uri);
    if (!record) return;
    const { path, replaced } = record;
    this.#records.delete(uri.toString());
    if (replaced !== undefined) {
      this.#records.set(uri.toString(), { uri, path, kind: "deleted", hunks: [], original: replaced });
      void this.#dropRestored(uri).catch(() => {}); // checked again by the next use
    }
    this.#fire(uri);
    this.#log?.write(uri.toString());
  }

  /** Drops the deletion of a file that exists again. */
  async #dropRestored(uri: vscode.Uri): Promise<void> {
    const record = this.get(uri);
    if (record?.kind !== "deleted") return;
    const content = await readContent(uri, record.path);
    if (content && this.get(uri) === record) this.forget(uri);
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
      if (this.get(uri) !== record) await this.#dropRestored(uri).catch(() => {});
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
    // The editor reads a changed file as one edit from its first to its last difference, which may span hunks.
    const before = record.known ?? (document.isDirty ? undefined : this.#saved.get(document));
    if (before !== undefined) {
      this.#followText(record, before, document.getText());
      return;
    }
    this.#saved.delete(document);
    const changes = contentChanges.map(({ range, text }) => toLineChange(range, text));
    const hunks = afterUserEdit(record.hunks, changes);
    const kind = settledKind(record);
    if (hunks !== record.hunks || kind !== record.kind) this.#put({ ...record, kind, hunks });
    // The stored text is another one.
    else this.#log?.changed(document.uri.toString());
  }

  /** Others have changed the text of a record, whose hunks refer to `before`. */
  #followText(record: ChangeRecord, before: string, text: string): void {
    const [from, to] = [withoutReturns(before), withoutReturns(text)];
    const changed = { ...record, hunks: afterForeignEdit(record.hunks, from, to) };
    // A file that others have changed, too, must not be deleted by rejecting its creation.
    this.#put(from === to ? changed : { ...changed, kind: settledKind(record) }, text);
  }

  #noteSaved(uri: vscode.Uri): void {
    const document = documentOf(uri);
    if (document?.isDirty) this.#saved.delete(document);
    else if (document) this.#saved.set(document, document.getText());
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
      // The renamed file was another one than the deleted one.
      if (record.kind === "deleted" && record.uri.toString() === from.toString()) continue;
      const uri = to.with({ path: to.path + record.uri.path.slice(from.path.length) });
      const known = record.known ?? documentOf(record.uri)?.getText();
      const { replaced: _, ...rest } = record;
      this.forget(record.uri);
      this.set({ ...rest, uri, path: vscode.workspace.asRelativePath(uri) }, known);
    }
  }

  /** The records of a file, or of all files in a folder. */
  #below(place: vscode.Uri): readonly ChangeRecord[] {
    return [...this.#records.values()].filter(({ uri }) => `${uri}/`.startsWith(`${place}/`));
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
    return { ...rest, known: this.#patches.get(record) ?? record.known ?? documentOf(uri)?.getText() };
  }

  async #load(contentOf: ChangeRecordsDeps["contentOf"]): Promise<void> {
    for (const [uri, record] of (await this.#log?.read()) ?? []) {
      if (uri === rewindKey && isStoredRewind(record)) this.#lastRewind ??= record;
      if (this.#records.has(uri) || !isStoredRecord(record)) continue;
      const place = vscode.Uri.parse(uri);
      const { known: stored, ...rest } = record;
      const known = await knownText(stored, contentOf);
      // The content that the text was stored against is gone, so nothing tells where the hunks are.
      if (stored !== undefined && known === undefined) continue;
      this.#records.set(uri, { ...rest, ...(known === undefined ? {} : { known }), uri: place });
      if (typeof stored === "object") this.#log?.changed(uri);
      await this.synced(place).catch(() => {}); // compared with the file by the next use
      this.#noteSaved(place);
    }
    this.#files = undefined;
    if (this.#records.size > 0 || this.#lastRewind) this.#changed.fire();
  }
}

/** The others are URIs. */
const rewindKey = "rewind";
