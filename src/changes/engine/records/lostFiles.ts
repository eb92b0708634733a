import { randomUUID } from "node:crypto";
import { workspaceUri } from "../../../platform/editor/workspaceUri.ts";
import { contentText, decoded, readContent } from "../files/contents.ts";
import type { StoredContents } from "../files/fileState.ts";
import { afterAgentEdit } from "../hunkList.ts";
import { type ChangeRecord, type ChangeRecords, replacedBy } from "./changeRecord.ts";

/** A file before it was deleted. */
interface LostFile {
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
}

interface LostFilesDeps {
  readonly contents: StoredContents;
  /** Of deleted files that can be restored. */
  readonly deleted: StoredContents;
  readonly records: ChangeRecords;
}

/** The records of files that the user has lost, because an agent has deleted them or taken their places. */
export class LostFiles {
  readonly #deps: LostFilesDeps;

  constructor(deps: LostFilesDeps) {
    this.#deps = deps;
  }

  /** The record of a lost file. Undefined if the user has another file at its place. */
  async at(path: string, lost: LostFile, isFree: boolean): Promise<ChangeRecord | undefined> {
    const { deleted, records } = this.#deps;
    const uri = workspaceUri(path);
    const original = await deleted.put(lost.bytes);
    const deletion = { original, ...(lost.mode === undefined ? {} : { mode: lost.mode }) };
    const content = isFree ? undefined : await readContent(uri, path, records.get(uri));
    if (!content) return { uri, path, kind: "deleted", hunks: [], ...deletion };
    const record = records.syncedWith(uri, content);
    if (record?.kind === "moved") return { ...replacedBy(deletion), ...record };
    return record?.kind === "created"
      ? this.changedFrom(lost, record, contentText(content, path))
      : undefined;
  }

  /** The record of a created file that took the place of a lost one. */
  async changedFrom({ bytes, mode }: LostFile, record: ChangeRecord, text: string): Promise<ChangeRecord> {
    const hunks = afterAgentEdit([], decoded(bytes), text, randomUUID);
    const original = await this.#deps.contents.put(bytes);
    return { ...record, kind: "changed", hunks, original, ...(mode === undefined ? {} : { mode }) };
  }
}
