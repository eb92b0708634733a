import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import * as vscode from "vscode";
import { workspaceUri } from "../../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import { againWhileTyped, writeText } from "../agentEdits.ts";
import type { ChangedFile } from "../changedFile.ts";
import { changeableUri, checkChangeable } from "../files/changeablePlace.ts";
import {
  type Content,
  contentText,
  hasMark,
  hasSameLines,
  readContent,
  shownText,
  withMark,
} from "../files/contents.ts";
import { encodedText } from "../files/encodedText.ts";
import { moveFile, placeTaken, removeFile, replaceFile, statOf } from "../files/fileAccess.ts";
import { isLinkName, linkNameOf, nameOf, type StoredContents, targetIn } from "../files/fileState.ts";
import { linkAt } from "../files/linkAt.ts";
import { documentOf } from "../files/openEditors.ts";
import { placeLink } from "../files/placeLink.ts";
import { afterForeignEdit, originalText, rejectedHunk } from "../hunkList.ts";
import {
  type ChangeRecord,
  type ChangeRecords,
  inPlaceOf,
  toChangedFile,
  withoutReplaced,
} from "../records/changeRecord.ts";
import { connectedRecords, isInWay, isMoved, type MovedRecord } from "../records/connectedRecords.ts";
import { restoreEntry, restoreFile } from "./restoreFile.ts";

interface RejectionsDeps {
  readonly contents: StoredContents;
  readonly deleted: StoredContents;
  readonly records: ChangeRecords;
  readonly temporary: TemporaryFiles;
}

interface Restored {
  readonly text: string;
  readonly bytes: Uint8Array | undefined;
}

/** The way back of pending changes. One runs at a time. */
export class Rejections {
  readonly #contents: StoredContents;
  readonly #deleted: StoredContents;
  readonly #records: ChangeRecords;
  readonly #temporary: TemporaryFiles;

  constructor({ contents, deleted, records, temporary }: RejectionsDeps) {
    this.#temporary = temporary;
    this.#contents = contents;
    this.#deleted = deleted;
    this.#records = records;
  }

  /**
   * The content of a file if all of its pending hunks were rejected; undefined if it would not exist. `was` is the content of a
   * file that is gone.
   */
  async originalOf(uri: vscode.Uri, was?: Content): Promise<Uint8Array | undefined> {
    const record = this.#records.get(uri);
    if (record?.kind === "created") return undefined;
    if (record?.kind === "deleted") return this.#deleted.get(record.original);
    if (record?.kind === "linked") return record.replaced ? this.#deleted.get(record.replaced) : undefined;
    const content = was ?? (await readContent(uri, uri.path, record));
    if (!content || !record?.hunks.length) return content?.bytes;
    const { text, bytes } = await this.#restored(record, content);
    return bytes ?? encodedText(content, text);
  }

  /**
   * The content without pending hunks: byte for byte that before the agent, if nobody else has changed it. Other bytes
   * than those are known for UTF-8 only; the rest is written in the encoding of the file.
   */
  async #restored({ path, hunks, original }: ChangeRecord, content: Content): Promise<Restored> {
    const { encoding } = content;
    const text = originalText(contentText(content, path), hunks);
    const former = original === undefined ? undefined : await this.#contents.get(original).catch(() => {});
    const shown = former && (await shownText(encoding, former));
    if (former && shown !== undefined && hasSameLines(shown, text)) return { text: shown, bytes: former };
    return { text, bytes: encoding === undefined ? withMark(text, hasMark(content.bytes)) : undefined };
  }

  /** The other files that must be rejected with this one, because they have the places to which files go back. */
  connectedWith(uri: vscode.Uri): readonly ChangedFile[] {
    const record = this.#records.get(uri);
    return record ? connectedRecords(this.#records)(record).slice(1).map(toChangedFile) : [];
  }

  /** Restores files as a whole. Refuses one whose connected files are not among them. */
  async reject(uris: readonly vscode.Uri[]): Promise<void> {
    const left = new Set(uris.map(String));
    const groupOf = connectedRecords(this.#records);
    for (const uri of uris) {
      const record = left.has(String(uri)) ? await this.#records.synced(uri) : undefined;
      if (!record) continue;
      const group = groupOf(record);
      const others = group.filter((one) => !left.has(String(one.uri)));
      if (others.length > 0)
        throw new Refusal(
          `${failureOf(record)}: ${others.map(({ path }) => path).join(", ")} must be rejected together with it.`,
        );
      await this.#rejectGroup(group);
      for (const one of group) left.delete(String(one.uri));
    }
  }

  /** Restores files that may have each other's places. The records are true after each step, so that all can be repeated. */
  async #rejectGroup(group: readonly ChangeRecord[]): Promise<void> {
    for (const record of group) await refuseUnlessFree(record, group);
    for (const { uri, path, kind } of group)
      if (kind === "changed" || kind === "moved")
        await againWhileTyped(path, () => this.#rejectHunks(uri, undefined));
    for (const record of group)
      if (record.kind === "created" || record.kind === "linked") await this.#removeCreated(record);
    await this.#moveBack(group.filter(({ kind }) => kind === "changed" || kind === "moved"));
    // Also those whose place a moved file had taken.
    for (const { uri } of group) {
      const record = this.#records.get(uri);
      if (record?.kind === "deleted") await this.#restoreDeleted(record);
    }
  }

  /** Restores the lines of one hunk; a created or deleted file as a whole. */
  async rejectHunk(uri: vscode.Uri, hunkId: string): Promise<void> {
    const record = await this.#records.synced(uri);
    if (!record) return;
    if (/^(created|deleted|linked)$/.test(record.kind)) return this.reject([uri]);
    await checkChangeable(uri, record.path);
    await againWhileTyped(record.path, () => this.#rejectHunks(uri, hunkId));
  }

  async #removeCreated(record: ChangeRecord): Promise<void> {
    const { uri, path, kind, target = "", replaced, replacedMode } = record;
    const temporary = this.#temporary;
    if (kind === "created" && replaced === undefined) await removeFile(uri, path);
    else {
      const now = kind === "linked" ? linkNameOf(target) : await this.#savedName(record);
      const bytes = replaced === undefined ? undefined : await this.#deleted.get(replaced);
      const entry = { now, target: replaced ?? null, bytes };
      await restoreEntry(uri, path, entry, { temporary, mode: replacedMode });
    }
    // The record of the deletion whose place it had taken.
    if (replaced !== undefined) this.#records.forget(uri);
    this.#records.forget(uri);
  }

  /** The name of the content of a created file, in whose place a link can be put if its text is saved. */
  async #savedName({ uri, path, replaced }: ChangeRecord): Promise<string | null> {
    const content = await readContent(uri, path);
    if (content?.saved !== undefined && isLinkName(replaced))
      throw new Refusal(`${path} has unsaved text, so the link at its place was not restored.`);
    return content ? nameOf(content.bytes) : null;
  }

  async #restoreDeleted({ uri, path, original, mode }: ChangeRecord): Promise<void> {
    const taken = await placeTaken(uri, path);
    if (taken !== undefined) throw new Refusal(taken);
    if (linkAt(uri) !== undefined || (await readContent(uri, path)))
      throw new Refusal(`${path} exists again, so the deleted file was not restored.`);
    const temporary = this.#temporary;
    const bytes = await this.#deleted.get(original);
    if (isLinkName(original))
      await placeLink(uri, path, { expected: null, target: targetIn(bytes), temporary });
    else await replaceFile(uri, path, bytes, { temporary, mode });
    this.#records.forget(uri);
  }

  /** Undefined with nothing changed if the user types meanwhile. */
  async #rejectHunks(uri: vscode.Uri, hunkId: string | undefined): Promise<true | undefined> {
    const path = vscode.workspace.asRelativePath(uri);
    const content = await readContent(uri, path, this.#records.get(uri));
    const record = this.#records.syncedWith(uri, content);
    if (!record || !content) {
      this.#records.forget(uri);
      return true;
    }
    if (record.hunks.length === 0) return true;
    const text = contentText(content, record.path);
    const one = hunkId === undefined ? { text: "", hunks: [] } : rejectedHunk(text, record.hunks, hunkId);
    if (!one) return true;
    const { hunks } = one;
    // The last hunk restores the whole content.
    const restored: Restored =
      hunks.length > 0 ? { text: one.text, bytes: undefined } : await this.#restored(record, content);
    return this.#records.quietly(uri, async () => {
      const temporary = this.#temporary;
      const options = { temporary, isRestore: true };
      const written = await writeText(record, content, text, restored.text, options);
      if (written === undefined) return undefined;
      const { mode } = record;
      if (restored.bytes && !documentOf(uri)?.isDirty)
        await restoreFile(uri, record.path, restored.bytes, { temporary, mode });
      // The save may have formatted the text that the hunks refer to.
      const left = afterForeignEdit(hunks, one.text, written);
      this.#records.set({ ...record, hunks: left }, written);
      return true;
    });
  }

  /** Moves files back, each once its place is free. Of files that wait for each other, one makes way for the others. */
  async #moveBack(group: readonly ChangeRecord[]): Promise<void> {
    let waiting = group.flatMap(({ uri }) => this.#records.get(uri) ?? []).filter(isMoved);
    const aside = new Set<ChangeRecord>();
    while (waiting.length > 0) {
      const left: MovedRecord[] = [];
      let reason: string | undefined;
      // A file follows the one that waits for it, so in reverse each finds its place free.
      for (const record of waiting.toReversed()) {
        reason = await reasonAgainst(record);
        if (reason === undefined) await this.#move(record, await changeableUri(record.movedFrom));
        else left.unshift(record);
      }
      const isStuck = left.length === waiting.length;
      waiting = left;
      if (!isStuck) continue;
      const first = waiting.find((one) => !aside.has(one) && waiting.some((other) => waitsFor(other, one)));
      if (!first) throw new Refusal(reason ?? failureOf(waiting[0]));
      const moved = await this.#move(first, besideOf(first.uri));
      aside.add(moved);
      waiting = waiting.map((one) => (one === first ? moved : one));
    }
  }

  /** Moves a file with its record, which is gone at its former place. */
  async #move(record: MovedRecord, target: vscode.Uri): Promise<MovedRecord> {
    const records = this.#records;
    const path = vscode.workspace.asRelativePath(target);
    const moved = inPlaceOf(records.get(target), { ...withoutReplaced(record), uri: target, path });
    const text = documentOf(record.uri)?.getText() ?? record.known;
    await records.quietly(record.uri, () =>
      records.quietly(target, () =>
        records.announced({ record: moved, text, gone: record.uri }, async () => {
          await moveFile(record.uri, target, failureOf(record));
          records.forget(record.uri);
          records.set(moved, text);
          return moved;
        }),
      ),
    );
    return moved;
  }
}

/** Refuses a file that must not be changed, or whose former place no other file of the group will leave. */
async function refuseUnlessFree(record: ChangeRecord, group: readonly ChangeRecord[]): Promise<void> {
  await checkChangeable(record.uri, record.path);
  if (!isMoved(record)) return;
  const place = await changeableUri(record.movedFrom);
  if (group.some((other) => other !== record && isInWay(other.uri, place))) return;
  const reason = await reasonAgainst(record);
  if (reason !== undefined) throw new Refusal(reason);
}

function waitsFor(record: MovedRecord, other: MovedRecord): boolean {
  return isInWay(other.uri, workspaceUri(record.movedFrom));
}

/** The reason why a file can't be moved back yet. */
async function reasonAgainst(record: MovedRecord): Promise<string | undefined> {
  const place = workspaceUri(record.movedFrom);
  const taken = await placeTaken(place, record.movedFrom);
  if (taken !== undefined) return taken;
  if (linkAt(place) === undefined && !(await statOf(place, record.movedFrom))) return undefined;
  return `${failureOf(record)}: another file has its place.`;
}

function failureOf(record: ChangeRecord | undefined): string {
  if (record?.movedFrom === undefined) return `${record?.path ?? "The file"} could not be restored`;
  return `${record.path} could not be moved back to ${record.movedFrom}`;
}

/** A free name beside a file, of the same type, for which other extensions look. */
function besideOf(uri: vscode.Uri): vscode.Uri {
  const { dir, name, ext } = posix.parse(uri.path);
  return uri.with({ path: posix.join(dir, `${name}.${randomUUID().slice(0, 8)}${ext}`) });
}
