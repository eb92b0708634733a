import * as vscode from "vscode";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { TemporaryFiles } from "../../platform/files/durable/temporaryFiles.ts";
import { lostByElision } from "../../shared/text/elision.ts";
import { changeableUri, removableUri } from "./files/changeablePlace.ts";
import {
  type Content,
  changeAndSave,
  contentText,
  decoded,
  hasMark,
  inLinesOf,
  readContent,
  textIn,
  unmarked,
  withMark,
} from "./files/contents.ts";
import { isPlainText } from "./files/editorText.ts";
import { encodedText, exactBytes, refuseUnwritable } from "./files/encodedText.ts";
import {
  isReadOnly,
  modeOf,
  moveQuietly,
  type ReplaceOptions,
  removeFile,
  replaceFile,
  separateNames,
  setMode,
} from "./files/fileAccess.ts";
import {
  type FileState,
  isLinkName,
  nameOf,
  namesOf,
  type StoredContents,
  storedState,
  toFileChange,
} from "./files/fileState.ts";
import { documentOf } from "./files/openEditors.ts";
import { mostTextBytes } from "./files/replaceText.ts";
import type { FileChange, WriteOptions } from "./pendingChanges.ts";
import {
  type ChangeRecord,
  type ChangeRecords,
  inPlaceOf,
  type TextBefore,
  withoutReplaced,
} from "./records/changeRecord.ts";
import { editedRecord, type FormerText, type Place, rewrittenRecord } from "./records/editedRecord.ts";
import type { KnownTexts } from "./records/knownTexts.ts";
import type { LostFiles } from "./records/lostFiles.ts";

interface AgentEditsDeps {
  readonly contents: StoredContents;
  /** Of deleted files that can be restored. */
  readonly deleted: StoredContents;
  readonly lost: LostFiles;
  readonly records: ChangeRecords;
  readonly temporary: TemporaryFiles;
  /** The content without pending hunks. */
  readonly originalOf: (uri: vscode.Uri) => Promise<Uint8Array | undefined>;
}

/** The new text of a file. */
export interface NewText {
  /** Makes it of the present one; undefined stands for a file that does not exist. */
  readonly of: (text: string | undefined) => string;
  /** It replaces the present one, so a model must know that. */
  readonly isWhole: boolean;
  readonly known: KnownTexts | undefined;
  readonly onWritten?: WriteOptions["onWritten"] | undefined;
}

/** A file before its text is written. */
interface Former {
  readonly content: Content | undefined;
  /** Its text; undefined for a file that does not exist. */
  readonly before: string | undefined;
  readonly state: FileState;
  /** Resolves once its contents are stored. */
  readonly storing: Promise<unknown>;
}

/** A change before it is written. */
interface Draft {
  /** With a byte order mark if the file gets one. */
  readonly text: string;
  /** The mode that the file gets; undefined for that which it has. */
  readonly mode: number | undefined;
  /** The file was deleted. */
  readonly isRewritten: boolean;
  /** The record of the file with the text that was really written. */
  readonly recordOf: (written: string) => ChangeRecord;
}

/** Changes of files by an agent, which become pending. Only those of `put` may run at the same time, for existing files. */
export class AgentEdits {
  readonly #deps: AgentEditsDeps;

  constructor(deps: AgentEditsDeps) {
    this.#deps = deps;
  }

  async put(asked: string, change: NewText): Promise<FileChange> {
    const uri = await changeableUri(asked);
    const path = vscode.workspace.asRelativePath(uri);
    return againWhileTyped(path, () => this.#put(uri, path, change));
  }

  async #put(uri: vscode.Uri, path: string, change: NewText): Promise<FileChange | undefined> {
    const { contents, records } = this.#deps;
    const content = await readAsShown(uri, path, records.get(uri));
    const record = records.syncedWith(uri, content);
    const before = content && contentText(content, path);
    const after = change.of(before);
    refuseLong(path, after);
    refuseElided(path, before, after);
    if (content && before !== after) await refuseUnwritable(path, content, before, after);
    const isKnown = change.isWhole || (before !== undefined && change.known?.has(before));
    if (change.isWhole) refuseUnknown(path, content, before, change);
    const storing = storedState(contents, content);
    storing.catch(() => {}); // awaited below
    // The former content is stored while a temporary file is written, which replaces the file afterwards.
    if (!content || content.document || before === after) await storing;
    const state = namesOf(content);
    if (content && before === after) return toFileChange(uri, state, state);
    const place = { uri, path };
    const draft =
      (await this.#rewrite(place, record, after)) ??
      (await this.#edit(place, record, { text: before, original: state.content ?? undefined }, after));
    if (isKnown) change.known?.add(after);
    const text = await this.#write(place, { content, before, state, storing }, draft);
    if (text === undefined) return undefined;
    change.onWritten?.({ uri, path, before, after: text });
    const now = content?.document
      ? namesOf(await afterTyping(place, { ...content, text: before }, text))
      : { content: nameOf(await encodedText(content, draft.text)) };
    return toFileChange(uri, state, now);
  }

  /** A deleted file that is written again. Undefined if hunks could not restore it, so that the file is a new one. */
  async #rewrite(
    place: Place,
    deletion: ChangeRecord | undefined,
    after: string,
  ): Promise<Draft | undefined> {
    if (deletion?.kind !== "deleted" || isLinkName(deletion.original)) return undefined;
    const deleted = await this.#deps.deleted.get(deletion.original);
    // Hunks can't restore another encoding.
    if (textIn({ bytes: deleted, document: undefined }, place.path) === undefined) return undefined;
    const former = { text: decoded(deleted), original: await this.#deps.contents.put(deleted) };
    return {
      // Hunks don't show a byte order mark, so rejecting them could not restore the one before the deletion.
      text: `${hasMark(deleted) ? "\ufeff" : ""}${unmarked(after)}`,
      mode: deletion.mode,
      isRewritten: true,
      recordOf: (written) => rewrittenRecord(place, deletion, former, written),
    };
  }

  async #edit(
    place: Place,
    record: ChangeRecord | undefined,
    former: FormerText,
    after: string,
  ): Promise<Draft> {
    return {
      text: after,
      mode: former.text === undefined ? await this.#modeOfMoved(place.path) : undefined,
      isRewritten: false,
      recordOf: (written) => editedRecord(place, record, former, written),
    };
  }

  /** Writes a draft with its record. Returns the text as `writeText` does. */
  async #write(place: Place, former: Former, draft: Draft): Promise<string | undefined> {
    const { records, temporary } = this.#deps;
    const { uri } = place;
    const { content, before, storing } = former;
    const plain = unmarked(draft.text);
    const expected = content?.document ? inLinesOf(content.document, plain) : plain;
    const stored = storedText(former);
    // A document that has yet to read the file does not tell the encoding of the hunks.
    const own = content?.encoding === undefined ? {} : { encoding: content.encoding };
    const recordOf = (text: string): ChangeRecord => ({ ...draft.recordOf(text), ...own });
    const next = { record: recordOf(expected), text: expected, before: stored };
    return records.quietly(uri, () =>
      records.announced(next, async () => {
        const options = { temporary, isReady: storing, mode: draft.mode };
        const written = await writeText(place, content, before, draft.text, options);
        if (written === undefined) return undefined;
        // The hunks hold the content before the deletion.
        if (draft.isRewritten) records.forget(uri);
        records.set(written === expected ? next.record : recordOf(written), written, stored);
        return written;
      }),
    );
  }

  /** The mode of the file that was moved away from this place. A new file there replaces it if that one is removed. */
  async #modeOfMoved(path: string): Promise<number | undefined> {
    const moved = this.#deps.records.files.find(({ movedFrom }) => movedFrom === path);
    return moved && modeOf(moved.uri);
  }

  async remove(asked: string): Promise<FileChange> {
    const { contents, records, originalOf } = this.#deps;
    const uri = await removableUri(asked);
    const path = vscode.workspace.asRelativePath(uri);
    const content = await readContent(uri, path, records.get(uri));
    if (!content) throw new Refusal(`There is no file ${path}.`);
    if (content.saved !== undefined)
      throw new Refusal(`${path} was not deleted, because it has unsaved changes of the user.`);
    const record = records.syncedWith(uri, content);
    const mode = await modeOf(uri);
    const state = { ...(await storedState(contents, content)), mode };
    const bytes = record ? await originalOf(uri) : content.bytes;
    // The user has lost the file at its former place.
    const lost =
      bytes &&
      (await this.#deps.lost.at(
        record?.movedFrom ?? path,
        { bytes, mode: record?.mode ?? mode },
        record?.movedFrom === undefined,
      ));
    const remove = async () => {
      await removeFile(uri, path);
      records.forget(uri);
      if (lost) records.set(lost);
      return true;
    };
    await (lost ? records.announced({ record: lost, gone: uri }, remove) : remove());
    return toFileChange(uri, state, { content: null });
  }

  async move(askedFrom: string, askedTo: string): Promise<readonly FileChange[]> {
    const { contents, deleted, records, temporary } = this.#deps;
    const [source, target] = [await removableUri(askedFrom), await changeableUri(askedTo)];
    const [from, to] = [source, target].map((uri) => vscode.workspace.asRelativePath(uri)) as [
      string,
      string,
    ];
    const found = await readContent(source, from, records.get(source));
    if (!found) throw new Refusal(`There is no file ${from}.`);
    if (found.saved === null)
      throw new Refusal(`${from} was not moved, because only its editor has it: the file was deleted.`);
    if (await readContent(target, to)) throw new Refusal(`${to} exists, so ${from} was not moved.`);
    // A rewind restores what was unsaved as such.
    const before = await storedState(contents, found);
    const content =
      found.saved === undefined
        ? found
        : await savedBefore({ uri: source, path: from }, records.get(source), temporary);
    const record = records.syncedWith(source, content);
    const former = await records.synced(target);
    const mode = await modeOf(source);
    const state = await storedState(contents, content);
    const text = content.document?.getText() ?? record?.known;
    const now = { ...withoutReplaced(record ?? { hunks: [] }), uri: target, path: to };
    const moved: ChangeRecord =
      record?.kind === "created"
        ? { ...now, kind: "created" }
        : { ...now, kind: "moved", movedFrom: record?.movedFrom ?? from };
    const isAgain = moved.kind === "created" && former?.kind === "deleted" && !isLinkName(former.original);
    const set = isAgain
      ? await this.#deps.lost.changedFrom(
          { bytes: await deleted.get(former.original), mode: former.mode },
          moved,
          text ?? "",
        )
      : inPlaceOf(former, moved);
    await records.quietly(source, () =>
      records.quietly(target, () =>
        records.announced({ record: set, text, gone: source }, async () => {
          await moveQuietly(source, target, `${from} could not be moved to ${to}`);
          records.forget(source);
          // The hunks hold the content before the deletion.
          if (isAgain) records.forget(target);
          records.set(set, text);
          // Without hunks, nothing is left that a rejection could restore.
          if (isAgain && set.hunks.length === 0) await setMode(target, former.mode, temporary);
          return set;
        }),
      ),
    );
    const none: FileState = { content: null };
    return [toFileChange(source, { ...before, mode }, none), toFileChange(target, none, state)];
  }
}

/**
 * Saves the unsaved text of a file that is about to be moved: the editor would take it along only in an edit of which other
 * extensions are told, and some of them ask the user then.
 */
async function savedBefore(
  { uri, path }: Place,
  record: ChangeRecord | undefined,
  temporary: TemporaryFiles,
): Promise<Content> {
  await separateNames(uri, path, temporary);
  await documentOf(uri)?.save();
  const content = await readContent(uri, path, record);
  if (content && content.saved === undefined) return content;
  throw new Refusal(
    `${path} was not moved, because it has unsaved text that could not be saved: its file is newer than the text in the editor, or can't be written. The user must save or revert it first.`,
  );
}

/**
 * Reads a file as `readContent`, and one that is not in UTF-8 as its editor shows it, because that is what tools read of it.
 */
async function readAsShown(
  uri: vscode.Uri,
  path: string,
  record: ChangeRecord | undefined,
): Promise<Content | undefined> {
  const content = await readContent(uri, path, record);
  const isShown = !content || content.document || content.encoding !== undefined;
  if (isShown || isPlainText(uri, content.bytes)) return content;
  await vscode.workspace.openTextDocument(uri).then(undefined, () => {}); // refused as no text
  return readContent(uri, path, record);
}

/** Unsaved text is nowhere but in its editor, so nothing replaces what the user typed and the model has not read. */
function refuseUnknown(
  path: string,
  content: Content | undefined,
  before: string | undefined,
  { known }: NewText,
): void {
  if (content?.saved === undefined || before === undefined || known?.has(before)) return;
  throw new Refusal(
    `${path} was not written: it has unsaved text of the user that you have not read. Read it with read_file, then write it with what the user typed, or change parts of it with edit_file.`,
  );
}

function refuseLong(path: string, text: string): void {
  const length = Buffer.byteLength(text);
  if (length > mostTextBytes)
    throw new Refusal(
      `${path} was not changed: it would have ${length} bytes, and the limit is ${mostTextBytes}.`,
    );
}

/** A comment such as `// ... existing code ...` would take the place of the code that it stands for. */
function refuseElided(path: string, before: string | undefined, after: string): void {
  const elision = before === undefined ? undefined : lostByElision(before, after, path);
  if (!elision) return;
  const text = elision.text.length > 80 ? `${elision.text.slice(0, 79)}…` : elision.text;
  throw new Refusal(
    `${path} was not changed: its line ${elision.line} would be “${text}” in place of code that the file has there. Write that code out, or change only the other lines with edit_file.`,
  );
}

/** The text of a closed file in UTF-8 under the name of its content, to which a record can refer. */
function storedText({ content, before, state: { content: name } }: Former): TextBefore | undefined {
  const isClosed = content?.document === undefined && content?.encoding === undefined;
  return isClosed && before !== undefined && name ? { name, text: before } : undefined;
}

/**
 * Writes a text in place of the text `before`. Returns it as it is now, without what the user types meanwhile; undefined
 * with nothing changed if the user was faster.
 */
export async function writeText(
  { uri, path }: Place,
  content: Content | undefined,
  before: string | undefined,
  text: string,
  options: ReplaceOptions,
): Promise<string | undefined> {
  const document = (await isFollowed(uri, content)) ? undefined : content?.document;
  const exact = document && content && (await exactBytes(content, before ?? "", text));
  if (document && !exact) {
    await separateNames(uri, path, options.temporary);
    return changeAndSave(document, before ?? "", unmarked(text));
  }
  await replaceFile(uri, path, exact ?? (await encodedText(content, text)), options);
  return unmarked(text);
}

/** True for a read-only file without unsaved text: its editor can't save it, would keep the change unsaved, and follows the file. */
async function isFollowed(uri: vscode.Uri, content: Content | undefined): Promise<boolean> {
  return content?.document !== undefined && content.saved === undefined && (await isReadOnly(uri));
}

/** The file after a change by the agent, without what the user has typed since. */
async function afterTyping(
  { uri, path }: Place,
  before: Content,
  text: string,
): Promise<Content | undefined> {
  const now = await readContent(uri, path);
  if (!now?.document || now.document.getText() === text) return now;
  const isUnsaved = before.saved !== undefined;
  const bytes = isUnsaved ? withMark(text, hasMark(before.bytes)) : await encodedText(before, text);
  return { ...before, bytes };
}

const mostAttempts = 5;

/** Repeats work that has no result as long as the user types. */
export async function againWhileTyped<Value>(
  path: string,
  work: () => Promise<Value | undefined>,
): Promise<Value> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const done = await work();
    if (done !== undefined) return done;
  }
  throw new Refusal(`${path} was not changed, because the user types in it. Try again.`);
}
