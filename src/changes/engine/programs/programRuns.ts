import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { hasEnded, newWriterName } from "../../../platform/files/durable/writerName.ts";
import { listPaths, rulesOf } from "../../../platform/search/editorSearch.ts";
import { createPathRules } from "../../../platform/search/rules/folderRules.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { reasonOf } from "../files/fileAccess.ts";
import type {
  FileChange,
  KeptFile,
  ProgramFile,
  ProgramResult,
  ProgramRun,
  Programs,
} from "../pendingChanges.ts";
import type { ChangeRecords, ProgramState } from "../records/changeRecord.ts";
import { linksIn } from "./openFolders.ts";
import type { ProgramRecords, RecordedFile } from "./programRecords.ts";
import { SnapshotFiles } from "./snapshotFiles.ts";
import { type FoundChange, type ListedFiles, WorkspaceSnapshot } from "./workspaceSnapshot.ts";

interface ProgramRunsDeps {
  /** The folder with the states of all windows of the workspace; undefined if nothing is kept. */
  readonly folder: string | undefined;
  readonly records: ChangeRecords;
  readonly programRecords: ProgramRecords;
  /** Runs work once no other change is being made. */
  readonly alone: <Value>(signal: AbortSignal | undefined, work: () => Promise<Value>) => Promise<Value>;
  readonly report: (error: unknown) => void;
}

/** A program waits so long in milliseconds for the contents of the files before it. */
const longestWaitMs = 1_000;
/** The files are looked at so long. */
const longestLookMs = 60_000;
const mostListed = 200_000;
/** Files of one look whose changes are pending. More can be rewound only. */
const mostPending = 1_000;
/** Changed files that a result names. */
const mostNamed = 10_000;

/** The changes of one program so far. */
interface OpenRun {
  readonly onChanged: (changes: readonly FileChange[]) => void;
  files: ProgramFile[];
  kept: KeptFile[];
  isOver: boolean;
}

/**
 * Records what programs change: the state of the files is known before a program begins, and compared after it. What an agent,
 * or the user in the editor, changes meanwhile is not the program's.
 */
export class ProgramRuns implements Programs {
  readonly #deps: ProgramRunsDeps;
  readonly #name = newWriterName();
  readonly #files: SnapshotFiles | undefined;
  readonly #snapshot: WorkspaceSnapshot | undefined;
  #open: readonly OpenRun[] = [];
  /** One look at the files at a time. */
  readonly #looks = new SerialQueue();
  #saves: vscode.Disposable | undefined;

  constructor(deps: ProgramRunsDeps) {
    this.#deps = deps;
    if (deps.folder === undefined) return;
    this.#files = new SnapshotFiles(join(deps.folder, this.#name));
    this.#snapshot = new WorkspaceSnapshot(this.#files, workspaceFiles());
  }

  get isRunning(): boolean {
    return this.#open.length > 0;
  }

  warm(): void {
    void this.#looks
      .run(async () => {
        if (!this.isRunning) await this.#snapshot?.follow(AbortSignal.timeout(longestLookMs));
      })
      .catch(() => {}); // tried again by the program
  }

  begin(signal: AbortSignal, onChanged: OpenRun["onChanged"]): Promise<ProgramRun> {
    return this.#deps.alone(signal, async () => {
      if (this.isRunning) await this.settle();
      else await this.#looks.run(() => this.#snapshot?.take(signal, longestWaitMs));
      const run: OpenRun = { onChanged, files: [], kept: [], isOver: false };
      this.#announce();
      this.#open = [...this.#open, run];
      this.#saves ??= this.#followUser();
      const collect = async () => this.#taken(run, await this.#collect(run));
      return {
        collect: () => this.#deps.alone(undefined, collect),
        end: () =>
          this.#deps.alone(undefined, () => {
            run.isOver = true;
            return collect();
          }),
      };
    });
  }

  /** Records what programs have changed until now, in all files or in one. For the turn of another change. */
  async settle(only?: readonly string[]): Promise<void> {
    const last = this.#open.at(-1);
    if (last) await this.#collect(last, only);
  }

  /** Takes the files as they are: later looks don't count these changes as the programs'. */
  async absorb(only?: readonly string[]): Promise<void> {
    if (!this.isRunning) return;
    await this.#look(async () => {}, only).catch(this.#deps.report);
  }

  /** Records what the programs of a killed process have changed. */
  async recover({ folder: name, length, takenMs }: ProgramState): Promise<void> {
    const { folder, programRecords } = this.#deps;
    if (folder === undefined) return;
    const files = new SnapshotFiles(join(folder, name));
    const snapshot = new WorkspaceSnapshot(files, workspaceFiles());
    snapshot.restore(await files.read(length), takenMs);
    let count = 0;
    const record = (found: FoundChange) => programRecords.record(found, count++ < mostPending);
    await snapshot.compare(AbortSignal.timeout(longestLookMs), record);
    programRecords.settle();
  }

  /** Removes the states of windows that have ended. */
  async sweep(): Promise<void> {
    const { folder } = this.#deps;
    const found = folder === undefined ? [] : await readdir(folder).catch(() => []);
    for (const name of found)
      if (folder !== undefined && hasEnded(name) && !this.#deps.records.hasProgramOf(name))
        await new SnapshotFiles(join(folder, name)).remove();
  }

  /** The state of a running program stays, so that the next window finds out what it has changed. */
  dispose(): void {
    this.#saves?.dispose();
    this.#snapshot?.dispose();
    try {
      if (!this.isRunning) this.#files?.removeNow();
    } catch {
      // The next window removes it.
    }
  }

  /** Those that have ended, once all that they have changed is recorded. */
  #closeEnded(): void {
    if (!this.isRunning) return;
    this.#open = this.#open.filter(({ isOver }) => !isOver);
    if (this.isRunning) return;
    this.#saves?.dispose();
    this.#saves = undefined;
    this.#deps.records.noteProgram(undefined);
  }

  /** Throws a Refusal if it can't be stored. */
  #announce(): void {
    const snapshot = this.#snapshot;
    if (!snapshot) return;
    const { stored: length, takenMs } = snapshot;
    this.#deps.records.noteProgram({ folder: this.#name, length, takenMs });
  }

  /** Returns the reason if the files could not be looked at. */
  async #collect(run: OpenRun, only?: readonly string[]): Promise<string | undefined> {
    const found: RecordedFile[] = [];
    let count = 0;
    const record = async (one: FoundChange) => {
      found.push(await this.#deps.programRecords.record(one, count++ < mostPending));
    };
    const failed = await this.#look(record, only).then(
      () => undefined,
      (error: unknown) => (error instanceof Refusal ? messageOf(error) : `${reasonOf(error)}.`),
    );
    this.#deps.programRecords.settle();
    // A deletion that a creation follows would look like a move.
    const inOrder = found.toSorted((one, other) => rankOf(one) - rankOf(other));
    const changes = inOrder.flatMap(({ change }) => change ?? []);
    try {
      if (changes.length > 0) run.onChanged(changes);
    } catch (error) {
      this.#deps.report(error);
    }
    run.files = [...run.files, ...inOrder.map(({ file }) => file)].slice(0, mostNamed);
    run.kept = [...run.kept, ...inOrder.flatMap(({ kept }) => kept ?? [])].slice(0, mostNamed);
    // After a failure, the next look finds what is left.
    if (failed === undefined && only === undefined) this.#closeEnded();
    return failed;
  }

  async #look(record: (found: FoundChange) => Promise<void>, only?: readonly string[]): Promise<void> {
    await this.#looks.run(async () => {
      await this.#snapshot?.compare(AbortSignal.timeout(longestLookMs), record, only);
      if (this.isRunning) this.#announce();
    });
  }

  #taken(run: OpenRun, failure: string | undefined): ProgramResult {
    const { files, kept } = run;
    run.files = [];
    run.kept = [];
    return { files, kept, ...(failure === undefined ? {} : { failure }) };
  }

  /** Saves, new files, renames and deletions of the user in the editor don't count as changes of the programs. */
  #followUser(): vscode.Disposable {
    const absorb = (paths: readonly string[]) => void this.absorb(paths);
    const follow = ({ scheme, fsPath }: vscode.Uri) => {
      if (scheme !== "file") return;
      const known = this.#snapshot?.sameFiles(fsPath) ?? [];
      if (known.length > 0) absorb(known);
      // A moved file is known by its former place only.
      if (!known.includes(fsPath)) this.#snapshot?.expect(fsPath);
    };
    const { workspace } = vscode;
    return vscode.Disposable.from(
      workspace.onDidSaveTextDocument(({ uri }) => follow(uri)),
      workspace.onDidSaveNotebookDocument(({ uri }) => follow(uri)),
      workspace.onDidCreateFiles(({ files }) => files.forEach(follow)),
      workspace.onDidDeleteFiles(({ files }) => files.forEach(follow)),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          follow(oldUri);
          follow(newUri);
        }
      }),
    );
  }
}

function rankOf({ file: { kind } }: RecordedFile): number {
  return kind === "created" ? 0 : kind === "changed" ? 1 : 2;
}

function workspaceFiles(): ListedFiles {
  const folders = () => (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const rootsNow = () => folders().map(({ uri }) => uri.fsPath);
  const isIgnored = async (path: string, isFolder: boolean) => {
    const folder = folders().find(({ uri }) => path.startsWith(uri.fsPath + sep));
    if (!folder) return true;
    const place = path.slice(folder.uri.fsPath.length + 1).replaceAll("\\", "/");
    return createPathRules(await rulesOf(folder))(place, isFolder);
  };
  return {
    get roots() {
      return rootsNow();
    },
    isIgnored,
    async list(signal) {
      const lists = await Promise.all(
        folders().map(async (folder) => {
          const { paths } = await listPaths(folder, "", { maxFiles: mostListed, signal });
          return paths.map((path) => join(folder.uri.fsPath, path));
        }),
      );
      const files = lists.flat();
      return [...files, ...(await linksIn({ roots: rootsNow(), files, isIgnored }, mostListed, signal))];
    },
  };
}
