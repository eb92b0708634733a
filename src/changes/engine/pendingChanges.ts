import type { Disposable, Event, Uri } from "vscode";
import type { ChangedFile } from "./changedFile.ts";
import type { Replacement } from "./files/replaceText.ts";
import type { CellEdit, NotebookCell } from "./notebooks/cellPlan.ts";
import type { KnownTexts } from "./records/knownTexts.ts";
import type { StagedChanges } from "./staged/stagedChanges.ts";

/**
 * The content of a file before and after a change of an agent, as names of blobs; null for a file that does not exist. The
 * content of a symbolic link is its target, and its name ends with `.link`.
 * A conversation stores them, so that each of its questions can be rewound.
 */
export interface FileChange {
  readonly uri: string;
  readonly before: string | null;
  /** The file on disk, if `before` was unsaved text of its editor. */
  readonly savedBefore?: string | null;
  /** The mode of a file that is removed, or that gets another one. */
  readonly modeBefore?: number;
  readonly after: string | null;
  readonly savedAfter?: string | null;
}

/** Options of a change. */
export interface WriteOptions {
  /** What the model knows. Without it, it knows nothing. */
  readonly known?: KnownTexts;
  /** Gets the text of a file that has changed. */
  readonly onWritten?: (text: WrittenText) => void;
}

/** The text of a file that an agent has changed. */
export interface WrittenText {
  readonly uri: Uri;
  /** Relative to the workspace, with `/`; starts with the folder's name if there are several. */
  readonly path: string;
  /** Undefined if the file did not exist. */
  readonly before: string | undefined;
  /** As it is now, also what a formatter has made of it; without what the user has typed meanwhile. */
  readonly after: string;
}

/** A change of cells of a notebook. */
export interface CellsChange {
  readonly change: FileChange;
  /** The changed and new cells as they are now, without outputs, by their index. */
  readonly edited: readonly { readonly index: number; readonly cell: NotebookCell }[];
  /** Number of cells. */
  readonly count: number;
  /** Cells that the user had typed and not saved were saved with it. */
  readonly hasSavedTyped: boolean;
}

/**
 * Changes files for an agent. Paths are relative to the workspace. Each call throws a Refusal whose sentence names
 * the path and the reason, with nothing written: outside of the workspace, a link, a file of secrets, a text that is not
 * found (with the most similar lines) or not unique (with the lines), a directory, no space left. An open document is
 * changed through the editor and saved, unless the user has unsaved changes in it: then it stays unsaved. Files with
 * unsaved changes in an editor that is not a text editor are refused.
 */
export interface AgentWriter {
  /** A function makes the new text of the present one, and throws what the call then rejects with. */
  edit(
    path: string,
    change: readonly Replacement[] | ((text: string) => string),
    signal: AbortSignal,
    options?: WriteOptions,
  ): Promise<FileChange>;
  /** Creates or replaces a text file. Refuses one with unsaved text that the model does not know. */
  write(path: string, text: string, signal: AbortSignal, options?: WriteOptions): Promise<FileChange>;
  /** Changes cells of a notebook. Refuses to replace or delete the whole of one that the model has not read. */
  editCells(
    path: string,
    edits: readonly CellEdit[],
    signal: AbortSignal,
    options?: WriteOptions,
  ): Promise<CellsChange>;
  /** Refuses an existing target. */
  move(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  remove(path: string, signal: AbortSignal): Promise<FileChange>;
}

/** The content of a file that need not be text. */
export interface NewBytes {
  /** SHA-256 of the content that it replaces, in hexadecimal digits; undefined if there must be no file. */
  readonly base: string | undefined;
  readonly bytes: Uint8Array;
}

/** Changes also what is no text. Such changes are restored by a rewind, and have no hunks. */
export interface FileWriter extends AgentWriter {
  /** Creates or replaces a file of at most 25 MB. Refuses another content than `base`, and unsaved text. */
  writeBytes(path: string, content: NewBytes, signal: AbortSignal): Promise<FileChange>;
  /** Makes a file a program, for all who may read it, or none. Undefined if it is so already. */
  setProgram(path: string, isProgram: boolean, signal: AbortSignal): Promise<FileChange | undefined>;
}

/** A file that a program has changed. */
export interface ProgramFile {
  /** Relative to the workspace, with `/`; starts with the folder's name if there are several. */
  readonly path: string;
  readonly kind: Exclude<ChangedFile["kind"], "moved">;
  /** Lines; undefined if it is no text. */
  readonly added?: number;
  readonly removed?: number;
}

/** The files that a program has changed. */
export interface ProgramResult {
  readonly files: readonly ProgramFile[];
  /** Those of them that can't be restored. */
  readonly kept: readonly KeptFile[];
  /** The reason why it is not known. */
  readonly failure?: string;
}

/** A program that runs. */
export interface ProgramRun {
  /** Records what it has changed until now. Resolves to what was recorded since the last call. */
  collect(): Promise<ProgramResult>;
  /** The same for a program that has ended, or whose further changes don't count. */
  end(): Promise<ProgramResult>;
}

/** Records what programs change in the files of the workspace that are not ignored, as if the agent had edited them. */
export interface Programs {
  /** Files may have changed, and are recorded once a run is collected or ended. */
  readonly isRunning: boolean;
  /** Begins to keep the contents of the files, which takes some seconds at first, for a program that may run soon. */
  warm(): void;
  /**
   * For the time before a program starts. `onChanged` is told each change before another one of the agent is made. From now on,
   * the next window records what was changed if this one is killed. Throws a Refusal if that can't be stored.
   */
  begin(signal: AbortSignal, onChanged: (changes: readonly FileChange[]) => void): Promise<ProgramRun>;
}

/** A file that a rewind has left alone. */
export interface KeptFile {
  readonly path: string;
  /** A sentence; part of one if the user has chosen to keep what others have changed. */
  readonly reason: string;
  readonly isChosen?: boolean;
}

/** The result of a rewind. */
export interface Rewound {
  /** Undoes the rewind if it is passed to `rewind`. */
  readonly changes: readonly FileChange[];
  /** Files that were left alone. */
  readonly kept: readonly KeptFile[];
  /** The reason that the rewind stopped before its end; `changes` were made and can be undone. */
  readonly failure?: string;
}

/** A rewind, and the conversation for which it was. */
export interface LastRewind {
  readonly of: string;
  readonly changes: readonly FileChange[];
  /** It stopped before its end. */
  readonly isPartial?: boolean;
  /** It was itself the undo of one: undoing it rewinds again. */
  readonly isUndo?: boolean;
}

/** Asks about files that were changed by other hands since. Undefined cancels the whole rewind. */
export type AskAboutOthers = (paths: readonly string[]) => Promise<"overwrite" | "keep" | undefined>;

/** The changes of agents in this window: pending hunks, and the way back. */
export interface PendingChanges extends Disposable {
  /** In the order of their first change. */
  readonly files: readonly ChangedFile[];
  /** Also fires when lines of hunks have moved, and when a change was staged or dropped. */
  readonly onDidChange: Event<void>;
  /** Something waits for the user, can be undone, or goes on, so that the next window needs these changes at once. */
  readonly isPending: boolean;
  /** Changes that are in no file yet. */
  readonly staged: StagedChanges;
  fileOf(uri: Uri): ChangedFile | undefined;
  /** The content of a file if all of its pending hunks were rejected; undefined if it would not exist. */
  originalOf(uri: Uri): Promise<Uint8Array | undefined>;
  /** Accepts one hunk, or the whole file. */
  accept(uri: Uri, hunkId?: string): Promise<void>;
  /** Restores the lines of one hunk, or the whole file. */
  reject(uri: Uri, hunkId?: string): Promise<void>;
  /**
   * The other files that must be rejected with this one: after moves, one may have the former place of another. `reject`
   * refuses it alone.
   */
  connectedWith(uri: Uri): readonly ChangedFile[];
  /** Restores whole files, also those that have each other's places. */
  rejectTogether(uris: readonly Uri[]): Promise<void>;
  readonly writer: FileWriter;
  readonly programs: Programs;
  /**
   * Brings files back to their state before these changes, which are in the order of time. Byte for byte: line ends,
   * byte order mark, binary and deleted files. Unsaved text of the user counts as changed by other hands; what was unsaved
   * before the changes is unsaved again. Pending hunks of what is rewound are gone, and pending again after the undo. `of`
   * names a conversation. Undefined if it was cancelled.
   */
  rewind(changes: readonly FileChange[], ask: AskAboutOthers, of?: string): Promise<Rewound | undefined>;
  /** The last rewind that restored files, also of an earlier window: `rewind` of its changes undoes it. */
  readonly lastRewind: LastRewind | undefined;
}

/** The former place of each file that these changes have moved, by its last place. */
export function formerPlaces(changes: readonly FileChange[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [index, { uri, before, after }] of changes.entries()) {
    const next = changes[index + 1];
    const isMove =
      after === null && next?.before === null && before !== null && before === next.after && uri !== next.uri;
    const from = places.get(uri) ?? uri;
    if (after === null) places.delete(uri);
    if (isMove && from !== next.uri) places.set(next.uri, from);
  }
  return places;
}

/** The number of files that these changes leave changed. A moved one counts once. */
export function countFiles(changes: readonly FileChange[]): number {
  const former = new Map(changes.toReversed().map(({ uri, before }) => [uri, before]));
  const now = new Map(changes.map(({ uri, after }) => [uri, after]));
  const isTemporary = (uri: string) => former.get(uri) === null && now.get(uri) === null;
  return [...now.keys()].filter((uri) => !isTemporary(uri)).length - formerPlaces(changes).size;
}
