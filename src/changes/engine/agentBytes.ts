import * as vscode from "vscode";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { TemporaryFiles } from "../../platform/files/durable/temporaryFiles.ts";
import { sha256 } from "../../platform/sha256.ts";
import { formatBytes } from "../../shared/chat/chatAttachments.ts";
import { changeableUri } from "./files/changeablePlace.ts";
import { type Content, readContent, textIn } from "./files/contents.ts";
import { modeOf, replaceFile, setMode } from "./files/fileAccess.ts";
import { nameOf, type StoredContents, storedState, toFileChange } from "./files/fileState.ts";
import { mostTextBytes } from "./files/replaceText.ts";
import type { FileChange, NewBytes } from "./pendingChanges.ts";
import type { ChangeRecords } from "./records/changeRecord.ts";

interface AgentBytesDeps {
  readonly contents: StoredContents;
  readonly records: ChangeRecords;
  readonly temporary: TemporaryFiles;
}

/** Bits of those who may run a file, and of those who may read it. */
const runs = 0o111;
const reads = 0o444;

/**
 * Changes of files that are no texts, and of modes. As those by commands, they are restored by a rewind, and have no hunks.
 * One runs at a time.
 */
export class AgentBytes {
  readonly #deps: AgentBytesDeps;

  constructor(deps: AgentBytesDeps) {
    this.#deps = deps;
  }

  async put(asked: string, { base, bytes }: NewBytes): Promise<FileChange> {
    const { contents, records, temporary } = this.#deps;
    const uri = await changeableUri(asked);
    const path = vscode.workspace.asRelativePath(uri);
    if (bytes.byteLength > mostTextBytes)
      throw new Refusal(
        `${path} was not written: it has ${formatBytes(bytes.byteLength)}, and the limit is ${formatBytes(mostTextBytes)}.`,
      );
    const content = await readContent(uri, path, records.get(uri));
    refuseOther(path, content, base);
    const before = await storedState(contents, content);
    const record = records.syncedWith(uri, content);
    const change = toFileChange(uri, before, { content: nameOf(bytes) });
    if (change.before === change.after) return change;
    await records.quietly(uri, () => replaceFile(uri, path, bytes, { temporary }));
    // Its hunks were lines of a text.
    const isText = textIn({ bytes, document: undefined }, path) !== undefined;
    if (record && !isText && record.kind !== "moved") records.forget(uri);
    return change;
  }

  async setProgram(asked: string, isProgram: boolean): Promise<FileChange | undefined> {
    const { contents, records, temporary } = this.#deps;
    const uri = await changeableUri(asked);
    const path = vscode.workspace.asRelativePath(uri);
    const mode = await modeOf(uri);
    const content = await readContent(uri, path, records.get(uri));
    if (mode === undefined || !content) throw new Refusal(`There is no file ${path}.`);
    const next = isProgram ? mode | ((mode & reads) >> 2) : mode & ~runs;
    if (next === mode) return undefined;
    const state = await storedState(contents, content);
    await setMode(uri, next, temporary);
    const record = records.syncedWith(uri, content);
    const isEdited = record && record.hunks.length > 0 && record.kind !== "created";
    if (isEdited && record.mode === undefined) records.set({ ...record, mode });
    return toFileChange(uri, { ...state, mode }, state);
  }
}

/** Refuses to replace anything but the content with this digest. */
function refuseOther(path: string, content: Content | undefined, base: string | undefined): void {
  if (content?.saved !== undefined)
    throw new Refusal(`${path} was not written, because it has unsaved text of the user.`);
  if (content && base === undefined)
    throw new Refusal(`${path} was not created: there is a file of this name now.`);
  if (content && sha256(content.bytes) !== base)
    throw new Refusal(`${path} was left as it is: it has changed since the subagent began.`);
  if (!content && base !== undefined) throw new Refusal(`${path} was not changed, because the file is gone.`);
}
