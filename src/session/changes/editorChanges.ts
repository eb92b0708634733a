import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { createBlobStore } from "../../platform/blobStore.ts";
import { ToolRefusal } from "../tools/serviceTool.ts";
import { AgentEdits, againWhileTyped, writeText } from "./agentEdits.ts";
import { changeableUri, checkChangeable } from "./changeablePlace.ts";
import type { ChangeRecord, ChangeRecords, ChangeRecordsDeps } from "./changeRecord.ts";
import { createChangeRecords } from "./changeRecords.ts";
import {
  bytesOf,
  type Content,
  contentText,
  documentOf,
  hasMark,
  hasSameLines,
  readContent,
  shownText,
  withMark,
  withoutReturns,
} from "./contents.ts";
import { moveFile, removeFile, replaceFile } from "./fileAccess.ts";
import { createStoredContents, type StoredContents } from "./fileState.ts";
import { afterForeignEdit, originalText, rejectedHunk } from "./hunkList.ts";
import { lastRewindAfter } from "./lastRewind.ts";
import type {
  AgentWriter,
  AskAboutOthers,
  ChangedFile,
  FileChange,
  LastRewind,
  PendingChanges,
  Rewound,
} from "./pendingChanges.ts";
import { inFormOf, replaceText } from "./replaceText.ts";
import { restoreFile } from "./restoreFile.ts";
import { rewind } from "./rewind.ts";

export interface EditorChangesDeps extends Omit<ChangeRecordsDeps, "contentOf"> {
  /** Absolute path of the folder with the contents that conversations refer to. */
  readonly blobs: string;
}

export function createEditorChanges(deps: EditorChangesDeps): PendingChanges {
  return new EditorChanges(deps);
}

interface Restored {
  readonly text: string;
  readonly bytes: Uint8Array | undefined;
}

class EditorChanges implements PendingChanges {
  readonly #contents: StoredContents;
  /** Deleted files, and those before the last rewind. No conversation names them, so they are kept apart. */
  readonly #deleted: StoredContents;
  readonly #records: ChangeRecords;
  #last: Promise<unknown> = Promise.resolve();
  readonly writer: AgentWriter;

  constructor(deps: EditorChangesDeps) {
    const { blobs, stateFile } = deps;
    this.#contents = createStoredContents(createBlobStore(blobs));
    const apart = stateFile === undefined ? undefined : join(dirname(stateFile), "deleted");
    this.#deleted = apart === undefined ? this.#contents : createStoredContents(createBlobStore(apart));
    const contentOf = (name: string) => this.#contents.get(name);
    this.#records = createChangeRecords({ ...deps, contentOf });
    if (apart !== undefined && stateFile !== undefined)
      this.#inTurn(undefined, () => this.#sweep(apart, stateFile)).catch(deps.report);
    const edits = new AgentEdits({
      contents: this.#contents,
      deleted: this.#deleted,
      records: this.#records,
      originalOf: (uri) => this.originalOf(uri),
    });
    this.writer = {
      edit: (path, replacements, signal) =>
        this.#inTurn(signal, () =>
          edits.put(path, (text) => replaceText(path, needed(text, path), replacements)),
        ),
      write: (path, text, signal) =>
        this.#inTurn(signal, () => edits.put(path, (former) => inFormOf(former, text))),
      move: (from, to, signal) => this.#inTurn(signal, () => edits.move(from, to)),
      remove: (path, signal) => this.#inTurn(signal, () => edits.remove(path)),
    };
  }

  get files(): readonly ChangedFile[] {
    return this.#records.files;
  }

  get onDidChange(): vscode.Event<void> {
    return this.#records.onDidChange;
  }

  fileOf(uri: vscode.Uri): ChangedFile | undefined {
    return this.#records.fileOf(uri);
  }

  async originalOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    const record = this.#records.get(uri);
    if (record?.kind === "created") return undefined;
    if (record?.kind === "deleted") return this.#deleted.get(record.original);
    const content = await readContent(uri, uri.path, record);
    if (!content || !record?.hunks.length) return content?.bytes;
    const { text, bytes } = await this.#restored(record, content);
    return bytes ?? bytesOf(content, text);
  }

  /**
   * The content without pending hunks: byte for byte that before the agent, if nobody else has changed it. Other bytes
   * than those are known for UTF-8 only, the editor writes the rest.
   */
  async #restored({ path, hunks, original }: ChangeRecord, content: Content): Promise<Restored> {
    const { encoding } = content;
    const text = originalText(contentText(content, path), hunks);
    const former = original === undefined ? undefined : await this.#contents.get(original).catch(() => {});
    const shown = former && (await shownText(encoding, former));
    if (former && shown !== undefined && hasSameLines(shown, text)) return { text: shown, bytes: former };
    return { text, bytes: encoding === undefined ? withMark(text, hasMark(content.bytes)) : undefined };
  }

  accept(uri: vscode.Uri, hunkId?: string): Promise<void> {
    return this.#inTurn(undefined, async () => {
      const record = this.#records.get(uri);
      if (!record) return;
      const hunks = hunkId === undefined ? [] : record.hunks.filter(({ id }) => id !== hunkId);
      this.#records.set({ ...record, hunks, ...(hunks.length === 0 ? { kind: "changed" } : {}) });
    });
  }

  reject(uri: vscode.Uri, hunkId?: string): Promise<void> {
    return this.#inTurn(undefined, async () => {
      const record = await this.#records.synced(uri);
      if (!record) return;
      await checkChangeable(uri, record.path);
      if (record.kind === "created" || record.kind === "deleted") return this.#rejectWhole(record);
      await againWhileTyped(record.path, () => this.#rejectHunks(uri, hunkId));
      const left = this.#records.get(uri);
      if (hunkId === undefined && left?.movedFrom !== undefined) await this.#moveBack(left);
    });
  }

  async #rejectWhole({ uri, path, kind, original, mode, replaced }: ChangeRecord): Promise<void> {
    if (kind === "created") {
      if (replaced === undefined) await removeFile(uri, path);
      else await restoreFile(uri, path, await this.#deleted.get(replaced));
      // The record of the deletion whose place it had taken.
      if (replaced !== undefined) this.#records.forget(uri);
    } else {
      if (await readContent(uri, path))
        throw new ToolRefusal(`${path} exists again, so the deleted file was not restored.`);
      await replaceFile(uri, path, await this.#deleted.get(original), { mode });
    }
    this.#records.forget(uri);
  }

  /** Undefined with nothing changed if the user types meanwhile. */
  async #rejectHunks(uri: vscode.Uri, hunkId: string | undefined): Promise<true | undefined> {
    const content = await readContent(uri, vscode.workspace.asRelativePath(uri), this.#records.get(uri));
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
      const written = await writeText(record, content, text, restored.text);
      if (written === undefined) return undefined;
      if (restored.bytes && !documentOf(uri)?.isDirty) await restoreFile(uri, record.path, restored.bytes);
      // The save may have formatted the text that the hunks refer to.
      const left = afterForeignEdit(hunks, withoutReturns(one.text), withoutReturns(written));
      this.#records.set({ ...record, hunks: left }, written);
      return true;
    });
  }

  async #moveBack({ uri, path, movedFrom = "", replaced }: ChangeRecord): Promise<void> {
    const target = await changeableUri(movedFrom);
    const bytes = replaced === undefined ? undefined : await this.#deleted.get(replaced);
    await this.#records.quietly(uri, () =>
      moveFile(uri, target, `${path} could not be moved back to ${movedFrom}`),
    );
    if (bytes) await replaceFile(uri, path, bytes);
    this.#records.forget(uri);
    // The record of the deletion whose place the move had taken.
    if (bytes) this.#records.forget(uri);
  }

  rewind(changes: readonly FileChange[], ask: AskAboutOthers, of = ""): Promise<Rewound | undefined> {
    return this.#inTurn(undefined, async () => {
      // No conversation names the contents that an undo needs.
      const deps = { contents: this.#contents, apart: this.#deleted, records: this.#records };
      const done = await rewind(changes, ask, deps);
      const last = done && lastRewindAfter(this.lastRewind, { of, changes }, done);
      if (done && last !== this.lastRewind) this.#records.lastRewind = last;
      return done;
    });
  }

  get lastRewind(): LastRewind | undefined {
    return this.#records.lastRewind;
  }

  /**
   * Removes contents that nothing can restore any more. New ones stay: the records that name them may be written later, or
   * be those of another window.
   */
  async #sweep(folder: string, stateFile: string): Promise<void> {
    const records = this.#records.files.map(({ uri }) => this.#records.get(uri));
    // Records that could not be read may name any content.
    if (records.length === 0 && !this.lastRewind && !(await isEmpty(stateFile))) return;
    const changes = this.lastRewind?.changes ?? [];
    const named = new Set<unknown>([
      ...records.flatMap((record) => [record?.original, record?.replaced]),
      ...changes.flatMap(({ before, savedBefore }) => [before, savedBefore]),
    ]);
    const names = (await readdir(folder).catch(() => [])).filter((name) => !named.has(name));
    const youngestMs = Date.now() - dayMs;
    for (const path of names.map((name) => join(folder, name))) {
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < youngestMs) await rm(path, { force: true });
    }
  }

  dispose(): void {
    this.#records.dispose();
  }

  /** One change at a time: each reads what the one before wrote. */
  #inTurn<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(async () => {
      signal?.throwIfAborted();
      await this.#records.loaded;
      return work();
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

const dayMs = 86_400_000;

/** False also for a file that can't be read. */
async function isEmpty(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size === 0,
    (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT",
  );
}

function needed(text: string | undefined, path: string): string {
  if (text === undefined) throw new ToolRefusal(`There is no file ${path}. Write it with write_file.`);
  return text;
}
