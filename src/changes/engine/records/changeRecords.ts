import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { hasEnded } from "../../../platform/files/durable/writerName.ts";
import type { ChangedFile } from "../changedFile.ts";
import { isGone } from "../files/changeablePlace.ts";
import { type Content, entryAt, hasSameLines, isSameText, readContent, textIn } from "../files/contents.ts";
import { reasonOf } from "../files/fileAccess.ts";
import { linkAbove, linkAt } from "../files/linkAt.ts";
import { documentOf } from "../files/openEditors.ts";
import { FollowedDocuments, type FollowedRecords } from "../followedDocuments.ts";
import { afterForeignEdit } from "../hunkList.ts";
import {
  type ChangeRecord,
  type ChangeRecords,
  type ChangeRecordsDeps,
  deletionBelow,
  inPlaceOf,
  type KeptRewind,
  type KnownPatch,
  type NextRecord,
  notMovedTo,
  type ProgramState,
  patchOf,
  type StoredRecord,
  settledKind,
  shownIn,
  type TextBefore,
  toChangedFile,
} from "./changeRecord.ts";
import { keyOfNext, madeRecord, nextKeyOf, toStoredNext } from "./nextRecord.ts";
import { RecordLog } from "./recordLog.ts";
import {
  programKeyOf,
  rewindKey,
  toProgramState,
  toRecord,
  toRewind,
  windowOfProgram,
} from "./storedRecord.ts";

/** With the short form of its text. */
interface AnnouncedRecord extends NextRecord {
  readonly patch: KnownPatch | undefined;
}

export function createChangeRecords(deps: ChangeRecordsDeps): ChangeRecords {
  return new Records(deps);
}

class Records implements ChangeRecords {
  readonly #records = new Map<string, ChangeRecord>();
  /** The form of each record for views. */
  readonly #views = new WeakMap<ChangeRecord, ChangedFile>();
  /** Short forms of their `known`, which are written at once, and in full some time later. */
  readonly #patches = new WeakMap<ChangeRecord, KnownPatch>();
  /** Changes that are being made, by the keys of their records after it. */
  readonly #next = new Map<string, AnnouncedRecord>();
  /** Keys of changes that the log has and that were made, while it does not have their records. */
  readonly #unwritten = new Map<string, { readonly gone: string | undefined }>();
  readonly #quiet = new Set<string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #documents: FollowedDocuments;
  readonly #log: RecordLog | undefined;
  /** The place of each file in the list, by its key. */
  readonly #places = new Map<string, number>();
  #nextPlace = 0;
  #files: readonly ChangedFile[] | undefined;
  #lastRewind: KeptRewind | undefined;
  /** Of this window. */
  #program: ProgramState | undefined;
  /** Of other windows, and of those that were killed until their changes are recorded. */
  readonly #otherPrograms = new Map<string, ProgramState>();
  readonly loaded: Promise<void>;

  constructor(deps: ChangeRecordsDeps) {
    const { stateFile: path, report } = deps;
    const read = (key: string, isShort: boolean) => this.#stored(key, isShort);
    this.#log = path === undefined ? undefined : new RecordLog({ path, read, report });
    this.#documents = new FollowedDocuments(this.#followed(), deps.report);
    this.loaded = this.#load(deps).catch(deps.report);
  }

  get files(): readonly ChangedFile[] {
    this.#files ??= [...this.#records]
      .map(([key, record]) => [this.#placeOf(key), record] as const)
      .sort(([one], [other]) => one - other)
      .map(([, record]) => this.#viewOf(record));
    return this.#files;
  }

  begin(uri: vscode.Uri): void {
    this.#placeOf(uri.toString());
  }

  #placeOf(key: string): number {
    const place = this.#places.get(key) ?? this.#nextPlace++;
    this.#places.set(key, place);
    return place;
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

  get lastRewind(): KeptRewind | undefined {
    return this.#lastRewind;
  }

  set lastRewind(rewind: KeptRewind | undefined) {
    this.#lastRewind = rewind;
    this.#log?.write(rewindKey);
    this.#changed.fire();
  }

  noteProgram(state: ProgramState | undefined): void {
    const window = state?.folder ?? this.#program?.folder;
    if (window === undefined) return;
    const wasRunning = this.#program !== undefined;
    this.#program = state;
    // After a program, the next window can't see in the files which of the announced changes were made.
    const failed = this.#log?.write(...(state ? this.#announcedBefore() : []), programKeyOf(window));
    if (failed && state) {
      this.#program = undefined;
      throw new Refusal(`What a program changes can't be recorded: ${reasonOf(failed.error)}.`);
    }
    if (wasRunning !== (state !== undefined)) this.#changed.fire();
  }

  hasProgramOf(window: string): boolean {
    return this.#program?.folder === window || this.#otherPrograms.has(window);
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
    if (record.kind === "linked" || linkAt(uri) !== undefined || linkAbove(uri))
      return this.syncedWith(uri, undefined);
    const content = await readContent(uri, vscode.workspace.asRelativePath(uri), record);
    // A file on a network drive that is away is not gone.
    if (!content && !(await isGone(uri))) return this.get(uri);
    return this.syncedWith(uri, content);
  }

  syncedWith(uri: vscode.Uri, content: Content | undefined): ChangeRecord | undefined {
    const record = this.get(uri);
    if (!record || this.#isQuiet(uri)) return record;
    if (hasNoText(record)) {
      if (isReplaced(record, content)) this.forget(uri);
      return this.get(uri);
    }
    const text = content && textIn(content, record.path);
    const base = record.known ?? documentOf(uri)?.getText();
    // Nothing of the agent is left in a file that is gone, or no longer a text.
    if (!content || (text === undefined && record.kind !== "moved")) this.forget(uri);
    else if (text === undefined || base === undefined) return record;
    else if (text !== base || (record.known !== undefined && content.document))
      this.#followText(record, base, text);
    return this.get(uri);
  }

  set(record: ChangeRecord, text?: string, before?: TextBefore): void {
    const key = record.uri.toString();
    const announced = this.#next.get(key);
    const isAnnounced = announced?.record === record;
    this.#put(record, text);
    const now = this.get(record.uri);
    if (now?.known !== undefined) {
      const patch = isAnnounced ? announced.patch : before && patchOf(before, now.known);
      if (patch) this.#patches.set(now, patch);
    }
    // The log has it since it was announced.
    if (!isAnnounced) this.#write(key);
  }

  async announced<Value>(next: NextRecord, work: () => Promise<Value>): Promise<Value> {
    const { record, text, before } = next;
    const key = record.uri.toString();
    const patch = before && text !== undefined ? patchOf(before, text) : undefined;
    this.#next.set(key, { ...next, patch });
    // The record of the change before takes the place of its announcement.
    const failed = this.#log?.write(...this.#heldBy(key), nextKeyOf(key));
    if (failed) {
      this.#next.delete(key);
      const why = reasonOf(failed.error);
      throw new Refusal(`${record.path} was not changed, because the change could not be recorded: ${why}.`);
    }
    this.#unwritten.set(key, { gone: next.gone?.toString() });
    let isMade = false;
    try {
      const done = await work();
      isMade = done !== undefined;
      return done;
    } finally {
      this.#next.delete(key);
      if (!isMade) this.#log?.write(nextKeyOf(key));
      else for (const one of [key, nextKeyOf(key)]) this.#log?.changed(one);
    }
  }

  /** The keys of what must be written before a change of a file: after it, the next window could not see that it was made. */
  #heldBy(key: string): readonly string[] {
    return [...this.#unwritten].flatMap(([other, { gone }]) => {
      if (other === key) return [other];
      // A file may come to the place from which another one was moved.
      return gone === key ? [other, nextKeyOf(other)] : [];
    });
  }

  /** The keys of the changes that were made and whose announcements are their records in the log. */
  #announcedBefore(): readonly string[] {
    const made = [...this.#unwritten].filter(([key]) => !this.#next.has(key));
    return made.flatMap(([key, { gone }]) => [...(gone === undefined ? [] : [gone]), key, nextKeyOf(key)]);
  }

  /** Writes a record at once. What announced it no longer counts. */
  #write(key: string): void {
    const isOver = this.#unwritten.has(key) && !this.#next.has(key);
    this.#log?.write(...(isOver ? [key, nextKeyOf(key)] : [key]));
    const record = this.#records.get(key);
    if (record && this.#patches.has(record)) this.#log?.changed(key);
  }

  #put(given: ChangeRecord, text?: string): void {
    const { known: _, ...rest } = notMovedTo(vscode.workspace.asRelativePath(given.uri), given);
    const { uri, kind } = rest;
    const [key, document] = [uri.toString(), documentOf(uri)];
    if (!isPending(rest, text)) {
      if (this.#drop(key)) this.#fire(uri);
      return;
    }
    const record = inPlaceOf(this.#records.get(key), rest);
    const known = text ?? given.known;
    const isShown = known === undefined || (document && isSameText(document.getText(), known));
    const shown = document ? shownIn(record, document) : record;
    this.#keep(key, isShown ? shown : { ...record, known });
    this.#documents.noteSaved(uri);
    this.#fire(uri);
    // A document without unsaved text has yet to read the file.
    if (!isShown && document?.isDirty && kind !== "deleted")
      this.#followText({ ...record, known }, known, document.getText());
  }

  forget(uri: vscode.Uri): void {
    const record = this.get(uri);
    if (!record) return;
    const deletion = deletionBelow(record);
    this.#drop(uri.toString());
    if (deletion) {
      this.#keep(uri.toString(), deletion);
      void this.#dropRestored(uri).catch(() => {}); // checked again by the next use
    }
    this.#fire(uri);
    this.#write(uri.toString());
  }

  #keep(key: string, record: ChangeRecord): void {
    this.#placeOf(key);
    this.#records.set(key, record);
  }

  #drop(key: string): boolean {
    this.#places.delete(key);
    return this.#records.delete(key);
  }

  /** Drops the deletion of a file that exists again. */
  async #dropRestored(uri: vscode.Uri): Promise<void> {
    const record = this.get(uri);
    if (record?.kind !== "deleted") return;
    const { link, content } = await entryAt(uri, record.path);
    if ((content || link !== undefined) && this.get(uri) === record) this.forget(uri);
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
      const document = documentOf(uri);
      const now = document?.getText();
      if (record && this.get(uri) === record && text !== undefined && now !== undefined && text !== now)
        if (document?.isDirty || record.known === undefined)
          // A document without unsaved text may show what the file was before: the next use compares the file.
          this.#followText(record, record.known ?? text, now);
      if (this.get(uri) !== record) await this.#dropRestored(uri).catch(() => {});
    }
  }

  dispose(): void {
    this.#documents.dispose();
    this.#changed.dispose();
    this.#log?.dispose();
  }

  /** The part of the records that follows the events of the editor. */
  #followed(): FollowedRecords {
    return {
      get: (uri) => this.get(uri),
      below: (place) => [...this.#records.values()].filter(({ uri }) => `${uri}/`.startsWith(`${place}/`)),
      isQuiet: (uri) => this.#isQuiet(uri),
      hasProgram: () => this.#program !== undefined,
      synced: (uri) => this.synced(uri),
      forget: (uri) => this.forget(uri),
      set: (record, text) => this.set(record, text),
      put: (record) => this.#put(record),
      refer: (record) => {
        this.#keep(record.uri.toString(), record);
        this.#fire(record.uri);
      },
      followText: (record, before, text) => this.#followText(record, before, text),
      textChanged: (uri) => this.#log?.changed(uri.toString()),
    };
  }

  #isQuiet(uri: vscode.Uri): boolean {
    return this.#quiet.has(uri.toString());
  }

  /** Others have changed the text of a record, whose hunks refer to `before`. */
  #followText(record: ChangeRecord, before: string, text: string): void {
    const changed = { ...record, hunks: afterForeignEdit(record.hunks, before, text) };
    // A file that others have changed, too, must not be deleted by rejecting its creation.
    this.#put(hasSameLines(before, text) ? changed : { ...changed, kind: settledKind(record) }, text);
  }

  #fire(uri: vscode.Uri): void {
    this.#files = undefined;
    this.#log?.changed(uri.toString());
    this.#changed.fire();
  }

  #stored(key: string, isShort: boolean): unknown {
    if (key === rewindKey) return this.#lastRewind;
    const window = windowOfProgram(key);
    if (window !== undefined)
      return this.#program?.folder === window ? this.#program : this.#otherPrograms.get(window);
    const announced = keyOfNext(key);
    if (announced !== undefined) {
      const next = this.#next.get(announced);
      if (!next) this.#unwritten.delete(announced);
      return next && toStoredNext(next, next.patch);
    }
    const record = this.#records.get(key);
    if (!record) return undefined;
    const { uri, ...rest } = record;
    if (record.kind === "linked") return rest;
    const short = isShort ? this.#patches.get(record) : undefined;
    return { ...rest, known: short ?? record.known ?? documentOf(uri)?.getText() };
  }

  async #load({ contentOf, recover, hasEnded: isOver = hasEnded }: ChangeRecordsDeps): Promise<void> {
    const entries = (await this.#log?.read()) ?? [];
    const places: vscode.Uri[] = [];
    for (const [key, value] of entries) {
      if (key === rewindKey) this.#lastRewind ??= toRewind(value);
      if (!this.#records.has(key)) places.push(...(await this.#loadRecord(key, value, contentOf)));
    }
    for (const [key, value] of entries) {
      const announced = keyOfNext(key);
      if (announced !== undefined) places.push(...(await this.#loadNext(announced, value, contentOf)));
    }
    for (const [key, value] of entries) await this.#loadProgram(key, value, recover, isOver);
    for (const place of places) {
      await this.synced(place).catch(() => {}); // compared with the file by the next use
      this.#documents.noteSaved(place);
    }
    this.#files = undefined;
    if (this.#records.size > 0 || this.#lastRewind) this.#changed.fire();
  }

  /** Records what the programs of a window have changed that was killed. */
  async #loadProgram(
    key: string,
    stored: unknown,
    recover: ChangeRecordsDeps["recover"],
    isOver: (window: string) => boolean,
  ): Promise<void> {
    const window = windowOfProgram(key);
    const state = window === undefined ? undefined : toProgramState(stored);
    if (window === undefined || !state) return;
    this.#otherPrograms.set(window, state);
    if (!isOver(window)) return;
    await recover(state);
    this.#otherPrograms.delete(window);
    this.#log?.write(key);
  }

  /** Takes a stored record. Returns its file. */
  async #loadRecord(
    key: string,
    stored: unknown,
    contentOf: ChangeRecordsDeps["contentOf"],
  ): Promise<readonly vscode.Uri[]> {
    const read = await toRecord(key, stored, contentOf);
    if (!read) return [];
    this.#keep(key, read.record);
    if (read.isPatched) this.#log?.changed(key);
    return [read.record.uri];
  }

  /** Drops the record of a file that was moved or deleted, as `forget`, which the log may have seen or not. */
  #dropGone(key: string): void {
    const former = this.#records.get(key);
    const deletion = former?.kind === "deleted" ? former : former && deletionBelow(former);
    this.#drop(key);
    if (deletion) this.#keep(key, deletion);
  }

  /** Takes the record of a change during which the process was killed, if the change was made. Returns its file. */
  async #loadNext(
    key: string,
    stored: unknown,
    contentOf: ChangeRecordsDeps["contentOf"],
  ): Promise<readonly vscode.Uri[]> {
    const made = await madeRecord(key, stored, this.#records.get(key), contentOf);
    const gone = made?.gone?.toString();
    if (gone !== undefined) this.#dropGone(gone);
    // As when it was made: a file that came back to its former place is not pending any more.
    const record = made && notMovedTo(made.record.path, made.record);
    if (record && isPending(record, record.known)) this.#keep(key, record);
    else if (made) this.#drop(key);
    this.#log?.write(...(gone === undefined ? [] : [gone]), ...(made ? [key] : []), nextKeyOf(key));
    return made ? [made.record.uri] : [];
  }
}

/** False for a record that leaves nothing to reject. `text` is that of the file. */
function isPending({ kind, hunks }: Omit<StoredRecord, "known">, text: string | undefined): boolean {
  if (hunks.length > 0 || kind === "deleted" || kind === "moved" || kind === "linked") return true;
  // An empty created file has no lines.
  return kind === "created" && text === "";
}

/** True if another link is at the place of a link, or anything at that of a deleted file: it is the user's. */
function isReplaced({ uri, kind, target }: ChangeRecord, content: Content | undefined): boolean {
  const link = linkAt(uri);
  return kind === "linked" ? link !== target : content !== undefined || link !== undefined;
}

function hasNoText({ kind }: ChangeRecord): boolean {
  return kind === "linked" || kind === "deleted";
}
