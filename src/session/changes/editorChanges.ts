import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type * as vscode from "vscode";
import { createBlobStore } from "../../platform/blobStore.ts";
import { ToolRefusal } from "../tools/serviceTool.ts";
import { AgentEdits } from "./agentEdits.ts";
import type { ChangeRecords, ChangeRecordsDeps } from "./changeRecord.ts";
import { createChangeRecords } from "./changeRecords.ts";
import { createStoredContents, type StoredContents } from "./fileState.ts";
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
import { createRejections, type Rejections } from "./rejections.ts";
import { inFormOf, replaceText } from "./replaceText.ts";
import { rewind } from "./rewind.ts";

export interface EditorChangesDeps extends Omit<ChangeRecordsDeps, "contentOf"> {
  /** Absolute path of the folder with the contents that conversations refer to. */
  readonly blobs: string;
}

export function createEditorChanges(deps: EditorChangesDeps): PendingChanges {
  return new EditorChanges(deps);
}

class EditorChanges implements PendingChanges {
  readonly #contents: StoredContents;
  /** Deleted files, and those before the last rewind. No conversation names them, so they are kept apart. */
  readonly #deleted: StoredContents;
  readonly #records: ChangeRecords;
  readonly #rejections: Rejections;
  #last: Promise<unknown> = Promise.resolve();
  readonly writer: AgentWriter;

  constructor(deps: EditorChangesDeps) {
    const { blobs, stateFile } = deps;
    this.#contents = createStoredContents(createBlobStore(blobs));
    const apart = stateFile === undefined ? undefined : join(dirname(stateFile), "deleted");
    this.#deleted = apart === undefined ? this.#contents : createStoredContents(createBlobStore(apart));
    const contentOf = (name: string) => this.#contents.get(name);
    this.#records = createChangeRecords({ ...deps, contentOf });
    this.#rejections = createRejections({
      contents: this.#contents,
      deleted: this.#deleted,
      records: this.#records,
    });
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

  originalOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    return this.#rejections.originalOf(uri);
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
    return this.#inTurn(undefined, () =>
      hunkId === undefined ? this.#rejections.reject([uri]) : this.#rejections.rejectHunk(uri, hunkId),
    );
  }

  rejectTogether(uris: readonly vscode.Uri[]): Promise<void> {
    return this.#inTurn(undefined, () => this.#rejections.reject(uris));
  }

  connectedWith(uri: vscode.Uri): readonly ChangedFile[] {
    return this.#rejections.connectedWith(uri);
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
