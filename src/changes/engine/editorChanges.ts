import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { Refusal } from "../../platform/errors/refusal.ts";
import { createBlobStore } from "../../platform/files/blobStore.ts";
import { createTemporaryFiles, type TemporaryFiles } from "../../platform/files/durable/temporaryFiles.ts";
import { SerialQueue } from "../../shared/serialQueue.ts";
import { AgentBytes } from "./agentBytes.ts";
import { AgentEdits } from "./agentEdits.ts";
import type { ChangedFile } from "./changedFile.ts";
import { plainFileUri } from "./files/changeablePlace.ts";
import { reasonOf } from "./files/fileAccess.ts";
import { createStoredContents, type StoredContents } from "./files/fileState.ts";
import { NamedContents } from "./files/namedContents.ts";
import { inFormOf, replaceText } from "./files/replaceText.ts";
import { NotebookEdits } from "./notebooks/notebookEdits.ts";
import type {
  AskAboutOthers,
  FileChange,
  FileWriter,
  LastRewind,
  PendingChanges,
  Rewound,
} from "./pendingChanges.ts";
import { ProgramRecords } from "./programs/programRecords.ts";
import { ProgramRuns } from "./programs/programRuns.ts";
import type { ChangeRecords, ChangeRecordsDeps, ProgramState } from "./records/changeRecord.ts";
import { createChangeRecords } from "./records/changeRecords.ts";
import { isUndo, lastRewindAfter } from "./records/lastRewind.ts";
import { LostFiles } from "./records/lostFiles.ts";
import { type FormerRecords, restorePending, rewoundRecords } from "./records/rewoundRecords.ts";
import { Rejections } from "./restore/rejections.ts";
import { rewind } from "./restore/rewind.ts";
import { StagedChanges } from "./staged/stagedChanges.ts";

export interface EditorChangesDeps extends Omit<ChangeRecordsDeps, "contentOf" | "recover"> {
  /** Absolute path of the folder with the contents that conversations refer to. */
  readonly blobs: string;
}

export function createEditorChanges(deps: EditorChangesDeps): PendingChanges {
  return new EditorChanges(deps);
}

/** Files that are changed at the same time, so that the disk flushes them together. */
const mostBeside = 8;
const nothing = () => {};

class EditorChanges implements PendingChanges {
  readonly #contents: StoredContents;
  /** Deleted files, and those before the last rewind. No conversation names them, so they are kept apart. */
  readonly #deleted: StoredContents;
  /** Stores contents that an undo restores, and reads all. */
  readonly #ofRewinds: StoredContents = {
    put: (bytes) => this.#deleted.put(bytes),
    putLink: (target) => this.#deleted.putLink(target),
    get: (name) => this.#deleted.get(name).catch(() => this.#contents.get(name)),
  };
  readonly #records: ChangeRecords;
  readonly #rejections: Rejections;
  readonly #temporary: TemporaryFiles;
  readonly #named: NamedContents | undefined;
  readonly #order = new SerialQueue();
  /** The last change of each file that is being changed, by URI. They never reject. */
  readonly #puts = new Map<string, Promise<void>>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly staged = new StagedChanges();
  readonly writer: FileWriter;
  readonly programs: ProgramRuns;

  constructor(deps: EditorChangesDeps) {
    const { blobs, stateFile } = deps;
    this.#contents = createStoredContents(createBlobStore(blobs));
    const apart = stateFile === undefined ? undefined : join(dirname(stateFile), "deleted");
    this.#deleted = apart === undefined ? this.#contents : createStoredContents(createBlobStore(apart));
    const contentOf = (name: string) => this.#ofRewinds.get(name);
    const recover = (state: ProgramState) => this.programs.recover(state);
    this.#records = createChangeRecords({ ...deps, contentOf, recover });
    for (const changed of [this.#records.onDidChange, this.staged.onDidCount])
      changed(() => this.#changed.fire());
    this.#temporary = createTemporaryFiles(
      stateFile === undefined ? undefined : join(dirname(stateFile), "temporary"),
    );
    this.#rejections = new Rejections({
      temporary: this.#temporary,
      contents: this.#contents,
      deleted: this.#deleted,
      records: this.#records,
    });
    const { report } = deps;
    if (apart !== undefined && stateFile !== undefined) {
      const named = new NamedContents({ apart, blobs, stateFile, records: this.#records, report });
      this.#named = named;
      this.#inTurn(undefined, () => named.sweep()).catch(report);
    }
    this.#inTurn(undefined, () => this.#temporary.sweep()).catch(report);
    const lost = new LostFiles({ contents: this.#contents, deleted: this.#deleted, records: this.#records });
    const edits = new AgentEdits({
      temporary: this.#temporary,
      contents: this.#contents,
      deleted: this.#deleted,
      lost,
      records: this.#records,
      originalOf: (uri) => this.originalOf(uri),
    });
    const [contents, records] = [this.#contents, this.#records];
    this.programs = this.#programRuns(stateFile, lost, report);
    this.#inTurn(undefined, () => this.programs.sweep()).catch(report);
    const bytes = new AgentBytes({ contents, records, temporary: this.#temporary });
    const notebooks = new NotebookEdits({ edits, contents, records, temporary: this.#temporary });
    this.writer = {
      edit: (path, change, signal, { known, onWritten } = {}) =>
        this.#beside(signal, path, () => {
          const make =
            typeof change === "function" ? change : (text: string) => replaceText(path, text, change);
          const of = (text: string | undefined) => make(needed(text, path));
          return worded(path, () => edits.put(path, { of, known, onWritten, isWhole: false }));
        }),
      write: (path, text, signal, { known, onWritten } = {}) =>
        this.#beside(signal, path, () => {
          const of = (former: string | undefined) => inFormOf(former, text);
          return worded(path, () => edits.put(path, { of, known, onWritten, isWhole: true }));
        }),
      editCells: (path, cells, signal, { known } = {}) =>
        this.#beside(signal, path, () => worded(path, () => notebooks.put(path, { edits: cells, known }))),
      move: (from, to, signal) => this.#inTurn(signal, () => worded(from, () => edits.move(from, to))),
      remove: (path, signal) => this.#inTurn(signal, () => worded(path, () => edits.remove(path))),
      writeBytes: (path, content, signal) =>
        this.#inTurn(signal, () => worded(path, () => bytes.put(path, content))),
      setProgram: (path, isProgram, signal) =>
        this.#inTurn(signal, () => worded(path, () => bytes.setProgram(path, isProgram))),
    };
  }

  #programRuns(
    stateFile: string | undefined,
    lost: LostFiles,
    report: (error: unknown) => void,
  ): ProgramRuns {
    const programRecords = new ProgramRecords({
      contents: this.#contents,
      deleted: this.#deleted,
      lost,
      records: this.#records,
      originalOf: (uri, was) => this.#rejections.originalOf(uri, was),
    });
    return new ProgramRuns({
      folder: stateFile === undefined ? undefined : join(dirname(stateFile), "snapshots"),
      records: this.#records,
      programRecords,
      alone: (signal, work) => this.#next(signal, () => this.#alone(signal, work)),
      report,
    });
  }

  get files(): readonly ChangedFile[] {
    return this.#records.files;
  }

  get isPending(): boolean {
    const { files, lastRewind, programs, staged } = this;
    return files.length > 0 || lastRewind !== undefined || programs.isRunning || !staged.isEmpty;
  }

  fileOf(uri: vscode.Uri): ChangedFile | undefined {
    return this.#records.fileOf(uri);
  }

  originalOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
    return this.#rejections.originalOf(uri);
  }

  accept(uri: vscode.Uri, hunkId?: string): Promise<void> {
    return this.#next(undefined, async () => {
      await Promise.all(this.#puts.values());
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
      const [contents, records] = [this.#ofRewinds, this.#records];
      const { files } = records;
      const former: FormerRecords = new Map();
      const temporary = this.#temporary;
      const done = await rewind(changes, ask, { contents, records, former, temporary });
      if (!done) return undefined;
      const last = records.lastRewind;
      if (isUndo({ of, changes }, last)) await restorePending({ last, done, former }, { contents, records });
      const next = lastRewindAfter(last, { of, changes }, done, rewoundRecords(former, files, records));
      if (next !== last) records.lastRewind = next;
      return done;
    });
  }

  get lastRewind(): LastRewind | undefined {
    return this.#records.lastRewind;
  }

  dispose(): void {
    this.programs.dispose();
    this.staged.dispose();
    this.#records.dispose();
    this.#changed.dispose();
    this.#named?.dispose();
    this.#temporary.dispose();
  }

  /** Waits for all changes before this one, because it may read what they wrote. */
  #inTurn<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    return this.#next(signal, () => this.#apart(signal, work));
  }

  /** Changes of programs are recorded first, so that neither counts as the other. */
  #apart<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    return this.#alone(signal, async () => {
      await this.programs.settle();
      return work().finally(() => this.programs.absorb());
    });
  }

  async #alone<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    await Promise.all(this.#puts.values());
    signal?.throwIfAborted();
    return work();
  }

  /**
   * Changes a file, if it exists, while other existing ones are being changed: a model asks for many changes at once.
   * A new file is created in turn, because others may be refused by its name, or found under it.
   */
  async #beside<Value>(signal: AbortSignal, path: string, work: () => Promise<Value>): Promise<Value> {
    const { change } = await this.#next(signal, async () => {
      const uri = await plainFileUri(path);
      if (!uri) return { change: await this.#apart(signal, work) };
      this.#records.begin(uri);
      const key = uri.toString();
      const only = [uri.fsPath];
      const change = Promise.resolve(this.#puts.get(key)).then(async () => {
        signal.throwIfAborted();
        await this.programs.settle(only);
        return work().finally(() => this.programs.absorb(only));
      });
      const ended = change.then(nothing, nothing).then(() => {
        if (this.#puts.get(key) === ended) this.#puts.delete(key);
      });
      this.#puts.set(key, ended);
      if (this.#puts.size >= mostBeside) await Promise.race(this.#puts.values());
      return { change };
    });
    return change;
  }

  /** Starts work in the order of its calls. */
  #next<Value>(signal: AbortSignal | undefined, work: () => Promise<Value>): Promise<Value> {
    return this.#order.run(async () => {
      signal?.throwIfAborted();
      await this.#records.loaded;
      return work();
    });
  }
}

function needed(text: string | undefined, path: string): string {
  if (text === undefined) throw new Refusal(`There is no file ${path}. Write it with write_file.`);
  return text;
}

/** An error of the file system becomes a refusal with the reason: a model and a user read it. */
async function worded<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error || "errno" in error)) throw error;
    throw new Refusal(`${path} could not be changed: ${reasonOf(error)}.`);
  }
}
