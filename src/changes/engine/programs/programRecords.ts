import { isUtf8 } from "node:buffer";
import * as vscode from "vscode";
import { lineHunks } from "../../../shared/text/lineHunks.ts";
import { type Content, decoded, encodingOf, hasMark, isSameText, shownText } from "../files/contents.ts";
import { isLinkName, linkNameOf, nameOf, type StoredContents, toFileChange } from "../files/fileState.ts";
import { documentOf } from "../files/openEditors.ts";
import { afterForeignEdit } from "../hunkList.ts";
import type { FileChange, KeptFile, ProgramFile } from "../pendingChanges.ts";
import {
  type ChangeRecord,
  type ChangeRecords,
  deletionBelow,
  linkedRecord,
  settledKind,
} from "../records/changeRecord.ts";
import { editedRecord, type Place, rewrittenRecord } from "../records/editedRecord.ts";
import type { LostFiles } from "../records/lostFiles.ts";
import type { FoundChange, FoundFile } from "./workspaceSnapshot.ts";

/** The record of a changed file: how to restore it, or why that is not possible. */
export interface RecordedFile {
  readonly file: ProgramFile;
  readonly change?: FileChange;
  readonly kept?: KeptFile;
}

interface ProgramRecordsDeps {
  readonly contents: StoredContents;
  /** Of deleted files that can be restored. */
  readonly deleted: StoredContents;
  readonly lost: LostFiles;
  readonly records: ChangeRecords;
  /** The content without pending hunks of a file that is gone. */
  readonly originalOf: (uri: vscode.Uri, was: Content) => Promise<Uint8Array | undefined>;
}

/** The contents of a file, and its texts. */
interface Texts {
  /** Undefined for a file that did not exist, and for what is no text. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Undefined for UTF-8. */
  readonly encoding: string | undefined;
}

/**
 * Records of what programs have changed, as if an agent had edited the files. Recording a change again that is recorded
 * already changes nothing, because a killed process may have recorded a part.
 */
export class ProgramRecords {
  readonly #deps: ProgramRecordsDeps;
  /**
   * Records of lost files by their place, as long as the record there tells what another lost file was: a moved one, which
   * the program has deleted, too. `from` is where the lost file was.
   */
  readonly #waiting = new Map<string, { readonly lost: ChangeRecord; readonly from: vscode.Uri }>();

  constructor(deps: ProgramRecordsDeps) {
    this.#deps = deps;
  }

  /** Without `hasHunks`, the change can be rewound, and is not pending. */
  async record({ path: fsPath, before, after }: FoundChange, hasHunks: boolean): Promise<RecordedFile> {
    const uri = vscode.Uri.file(fsPath);
    const place = { uri, path: vscode.workspace.asRelativePath(uri) };
    const kind = before && after ? "changed" : before ? "deleted" : "created";
    const why = before?.why ?? after?.why;
    if (why !== undefined) {
      const reason = `${place.path} can't be restored, because ${why}.`;
      return { file: { path: place.path, kind }, kept: { path: place.path, reason } };
    }
    const texts = await this.#textsOf(uri, before, after);
    const name = await this.#stored(before);
    if (hasHunks) await this.#setRecord(place, { before, after, name }, texts);
    const hasMode = before && before.target === undefined && before.mode !== after?.mode;
    const change = toFileChange(
      uri,
      { content: name, ...(hasMode ? { mode: before.mode } : {}) },
      { content: nameIn(after) },
    );
    return { file: { path: place.path, kind, ...linesOf(texts, kind) }, change };
  }

  async #stored(before: FoundFile | undefined): Promise<string | null> {
    if (before?.target !== undefined) return this.#deps.contents.putLink(before.target);
    return before?.bytes ? this.#deps.contents.put(before.bytes) : null;
  }

  async #textsOf(
    uri: vscode.Uri,
    before: FoundFile | undefined,
    after: FoundFile | undefined,
  ): Promise<Texts> {
    const [record, document] = [this.#deps.records.get(uri), documentOf(uri)];
    const encoding = record?.hunks.length ? record.encoding : document && encodingOf(document);
    const textOf = async (bytes: Uint8Array | undefined) => {
      if (!bytes) return undefined;
      if (encoding !== undefined) return shownText(encoding, bytes);
      return isUtf8(bytes) && !bytes.includes(0) ? decoded(bytes) : undefined;
    };
    return { before: await textOf(before?.bytes), after: await textOf(after?.bytes), encoding };
  }

  async #setRecord(
    place: Place,
    { before, after, name }: Omit<FoundChange, "path"> & { readonly name: string | null },
    texts: Texts,
  ): Promise<void> {
    const isLinked = this.#deps.records.get(place.uri)?.kind === "linked";
    if (isLinked || before?.target !== undefined || after?.target !== undefined)
      return this.#setLink(place, { before, after }, texts);
    if (before?.bytes && !after) return this.#setDeleted(place, before.bytes, before.mode, texts);
    if (!after?.bytes) return;
    if (!before) return this.#setCreated(place, after.bytes, texts);
    const mode = before.mode === after.mode ? undefined : before.mode;
    return this.#setChanged(place, name, mode, texts);
  }

  #setChanged(
    place: Place,
    name: string | null,
    mode: number | undefined,
    { before, after, encoding }: Texts,
  ): void {
    const { records } = this.#deps;
    const record = records.get(place.uri);
    if (before === undefined || after === undefined || name === null) {
      // Its hunks were lines of a text.
      if (record && record.kind !== "moved") records.forget(place.uri);
      return;
    }
    const aligned = alignedTo(record, before, after);
    if (aligned === "recorded") return;
    const edited = editedRecord(place, aligned, { text: before, original: name }, after);
    const former =
      mode === undefined || edited.mode !== undefined || edited.kind === "created" ? {} : { mode };
    const own = encoding === undefined ? {} : { encoding };
    const stored = encoding === undefined && !documentOf(place.uri) ? { name, text: before } : undefined;
    records.set({ ...edited, ...former, ...own }, after, stored);
  }

  async #setCreated(place: Place, bytes: Uint8Array, { after, encoding }: Texts): Promise<void> {
    const { records, contents } = this.#deps;
    const record = records.get(place.uri);
    // Otherwise an agent, or this program before the process was killed, has written it.
    if (record && record.kind !== "deleted") return;
    if (after === undefined) return record && records.forget(place.uri);
    const own = encoding === undefined ? {} : { encoding };
    const deleted = record && (await this.#deps.deleted.get(record.original).catch(() => undefined));
    const isText = deleted && !isLinkName(record?.original) && isUtf8(deleted) && !deleted.includes(0);
    // Hunks don't show a byte order mark.
    if (!record || !isText || encoding !== undefined || hasMark(deleted) !== hasMark(bytes)) {
      const created = editedRecord(place, record, { text: undefined, original: undefined }, after);
      return records.set({ ...created, ...own }, after);
    }
    const former = { text: decoded(deleted), original: await contents.put(deleted) };
    const rewritten = rewrittenRecord(place, record, former, after);
    // The hunks hold the content before the deletion.
    records.forget(place.uri);
    records.set(rewritten, after);
  }

  /** A link takes the place of something, or something takes that of a link: the record of the one is below that of the other. */
  async #setLink(
    place: Place,
    { before, after }: Pick<FoundChange, "before" | "after">,
    texts: Texts,
  ): Promise<void> {
    const { records, deleted } = this.#deps;
    const { uri, path } = place;
    const record = records.get(uri);
    if (isRecorded(record, { before, after })) return;
    const target = before?.target;
    if (record?.kind === "linked" && record.target === target) {
      const below = deletionBelow(record);
      if (below) records.set(below);
      else records.forget(uri);
    } else {
      if (isReplaced(record, before)) this.#forgetAll(uri);
      if (before?.bytes) await this.#setDeleted(place, before.bytes, before.mode, texts);
      else if (target !== undefined)
        records.set({
          uri,
          path,
          kind: "deleted",
          hunks: [],
          original: await deleted.putLink(target),
          target,
        });
    }
    await this.#setAfter(place, after, texts);
  }

  /** What others have put in the place of a deleted file is theirs. */
  #forgetAll(uri: vscode.Uri): void {
    for (let times = 0; times < 2; times++) this.#deps.records.forget(uri);
  }

  async #setAfter({ uri, path }: Place, after: FoundFile | undefined, texts: Texts): Promise<void> {
    const { records } = this.#deps;
    if (after?.bytes) return this.#setCreated({ uri, path }, after.bytes, texts);
    if (after?.target === undefined) return;
    const lost = records.get(uri);
    const isBack = lost?.kind === "deleted" && isLinkName(lost.original) && lost.target === after.target;
    if (isBack) records.forget(uri);
    else records.set(linkedRecord(uri, path, after.target));
  }

  async #setDeleted(
    { uri, path }: Place,
    bytes: Uint8Array,
    mode: number,
    { before, encoding }: Texts,
  ): Promise<void> {
    const { records, originalOf } = this.#deps;
    if (records.get(uri)?.kind === "deleted") return;
    const text = encoding === undefined ? {} : { encoding, text: before };
    const content: Content = { bytes, document: undefined, ...text };
    const record = records.syncedWith(uri, content);
    const original = record ? await originalOf(uri, content) : bytes;
    const lost =
      original &&
      (await this.#deps.lost.at(
        record?.movedFrom ?? path,
        { bytes: original, mode: record?.mode ?? mode },
        record?.movedFrom === undefined,
      ));
    const isPlaced = this.#place(uri);
    const isWaiting = lost && this.#mustWait(lost, uri);
    // In this order, a process that is killed in between loses no former content.
    if (isWaiting) this.#waiting.set(lost.uri.toString(), { lost, from: uri });
    else if (lost) records.set(lost);
    const isOwn = lost?.uri.toString() === uri.toString();
    if (!isOwn && !isPlaced && !isWaiting) records.forget(uri);
  }

  /** The records that wait for a deletion which was not found. Call it after the last file of a look. */
  settle(): void {
    for (const { lost } of [...this.#waiting.values()]) this.#place(lost.uri);
  }

  /** True if the record at the place of a lost file is that of another one, whose deletion is recorded later. */
  #mustWait(lost: ChangeRecord, from: vscode.Uri): boolean {
    const [place, source] = [lost.uri.toString(), from.toString()];
    const isRecorded = [...this.#waiting.values()].some((waiting) => waiting.from.toString() === place);
    return place !== source && !isRecorded && this.#deps.records.get(lost.uri)?.kind === "moved";
  }

  /** Sets the record that waits for this place; false if none does. */
  #place(uri: vscode.Uri): boolean {
    const { records } = this.#deps;
    const waiting = this.#waiting.get(uri.toString());
    if (!waiting) return false;
    this.#waiting.delete(uri.toString());
    records.set(waiting.lost);
    if (records.get(waiting.from)?.kind === "moved") records.forget(waiting.from);
    return true;
  }
}

/** True for the record of what is no longer there, although no program has changed it. */
function isReplaced(record: ChangeRecord | undefined, before: FoundFile | undefined): boolean {
  if (record?.kind === "linked" || before?.target !== undefined) return true;
  return !before && record?.kind !== "deleted";
}

/** True if the window that was killed has recorded the change. */
function isRecorded(
  record: ChangeRecord | undefined,
  { before, after }: Pick<FoundChange, "before" | "after">,
): boolean {
  if (after?.target !== undefined) return record?.kind === "linked" && record.target === after.target;
  if (!after) return record?.kind === "deleted" && record.target === before?.target;
  return before?.target !== undefined && record !== undefined && !/^(linked|deleted)$/.test(record.kind);
}

function nameIn(found: FoundFile | undefined): string | null {
  if (found?.target !== undefined) return linkNameOf(found.target);
  return found?.bytes ? nameOf(found.bytes) : null;
}

/** The record with hunks that refer to the text before the program; whether that of the program is recorded already. */
function alignedTo(
  record: ChangeRecord | undefined,
  before: string,
  after: string,
): ChangeRecord | "recorded" | undefined {
  // A file at the place of a deleted one is the user's.
  if (!record || record.kind === "deleted") return undefined;
  const known = record.known ?? documentOf(record.uri)?.getText();
  if (known === undefined || isSameText(known, before)) return record;
  if (isSameText(known, after)) return "recorded";
  const hunks = afterForeignEdit(record.hunks, known, before);
  return { ...record, hunks, kind: settledKind(record) };
}

function linesOf(
  { before, after }: Texts,
  kind: ProgramFile["kind"],
): Pick<ProgramFile, "added" | "removed"> {
  const isText = (before !== undefined || kind === "created") && (after !== undefined || kind === "deleted");
  if (!isText) return {};
  const hunks = lineHunks(before ?? "", after ?? "");
  return {
    added: hunks.reduce((sum, { afterStart, afterEnd }) => sum + afterEnd - afterStart, 0),
    removed: hunks.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeEnd - beforeStart, 0),
  };
}
