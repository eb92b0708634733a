import type * as vscode from "vscode";
import { lineHunks } from "../../../shared/text/lineHunks.ts";
import type { ChangedFile } from "../changedFile.ts";
import { type Content, encodingOf } from "../files/contents.ts";
import { isLinkName } from "../files/fileState.ts";
import { targetText } from "../files/linkTarget.ts";
import { countLines, type HunkList } from "../hunkList.ts";
import type { LastRewind } from "../pendingChanges.ts";

/** The pending changes of one file, as they are kept over a reload under the file's URI. */
export interface StoredRecord {
  readonly path: string;
  readonly kind: ChangedFile["kind"];
  readonly movedFrom?: string;
  readonly hunks: HunkList;
  /** Target of the link that is now at the place, or of the deleted one, see `linkAtPath`. */
  readonly target?: string;
  /** Name of the content before the agent. */
  readonly original?: string;
  /** Of the file before the agent, if it was deleted. */
  readonly mode?: number;
  /** Name of the content of a deleted file whose place this one took. */
  readonly replaced?: string;
  readonly replacedMode?: number;
  /** Its target if it was a link. */
  readonly replacedTarget?: string;
  /** Of the text that the hunks refer to, as the editor names it; undefined for UTF-8. */
  readonly encoding?: string;
  /** The text that the hunks refer to. */
  readonly known?: string | KnownPatch;
}

/** A text as its differences from a stored content: some lines instead of a whole file. */
export interface KnownPatch {
  /** Name of the content. */
  readonly of: string;
  /** Lines `start` to before `end` of the content are replaced. */
  readonly changes: readonly (readonly [start: number, end: number, lines: readonly string[]])[];
}

/** The text of a closed file before a change, and the name under which its content is stored. */
export interface TextBefore {
  readonly name: string;
  readonly text: string;
}

/** The record after a change that is about to be made. */
export interface NextRecord {
  readonly record: ChangeRecord;
  /** The text that its hunks will refer to. */
  readonly text?: string | undefined;
  readonly before?: TextBefore | undefined;
  /** The file that the change takes away, if it moves or deletes one. */
  readonly gone?: vscode.Uri;
}

/** The state of the files before programs that run, in a list that a window has stored. */
export interface ProgramState {
  /** The name of the window's folder, by which it is known whether the window has ended. */
  readonly folder: string;
  /** Bytes of the list that describe it. */
  readonly length: number;
  readonly takenMs: number;
}

export interface ChangeRecordsDeps {
  /** File in which the pending hunks of this workspace are kept; undefined without a folder. */
  readonly stateFile: string | undefined;
  /** A stored content; rejects if it is gone. */
  readonly contentOf: (name: string) => Promise<Uint8Array>;
  /** Records what programs have changed whose window was killed. */
  readonly recover: (state: ProgramState) => Promise<void>;
  /** True if a window has ended, by the name of its folder. */
  readonly hasEnded?: (window: string) => boolean;
  readonly report: (error: unknown) => void;
}

/** The pending changes of one file. */
export interface ChangeRecord extends Omit<StoredRecord, "known"> {
  readonly uri: vscode.Uri;
  /** The text that the hunks refer to, while no editor has it. */
  readonly known?: string;
}

/** A record before a rewind, which its undo makes pending again. */
export interface RewoundRecord {
  /** Without the text that its hunks refer to; undefined for a file without pending changes. */
  readonly record?: Omit<StoredRecord, "known">;
  /** Digest of that text; undefined for a deleted file and one that is no text. */
  readonly text?: string;
  /** The kind and the hunks that the rewind has left. */
  readonly left: string;
}

/** The last rewind with the records before it, by URI. */
export interface KeptRewind extends LastRewind {
  readonly pending?: Readonly<Record<string, RewoundRecord>>;
}

/** The records of a window. They follow the user's edits, and are kept over a reload. */
export interface ChangeRecords extends vscode.Disposable {
  readonly files: readonly ChangedFile[];
  readonly onDidChange: vscode.Event<void>;
  fileOf(uri: vscode.Uri): ChangedFile | undefined;
  /** Kept over a reload, too. */
  lastRewind: KeptRewind | undefined;
  /** Resolves once the records of the last window are read. */
  readonly loaded: Promise<void>;
  get(uri: vscode.Uri): ChangeRecord | undefined;
  /** The record after what others have changed in the file on disk. */
  synced(uri: vscode.Uri): Promise<ChangeRecord | undefined>;
  /** The same with the content that was just read. */
  syncedWith(uri: vscode.Uri, content: Content | undefined): ChangeRecord | undefined;
  /**
   * The hunks refer to `text`; what an editor has beyond it is the user's. A record without pending changes is dropped.
   * One that takes the place of a deleted file keeps its content as `replaced`. With `before`, less is written at once.
   */
  set(record: ChangeRecord, text?: string, before?: TextBefore): void;
  /**
   * Makes a change whose record is on the disk before. If the process is killed meanwhile, the next window finds out by the
   * file whether the change was made. The work sets the record, or resolves to undefined if nothing was changed.
   */
  announced<Value>(next: NextRecord, work: () => Promise<Value>): Promise<Value>;
  /**
   * Programs run, from the files in this state on; undefined if none does. The next window learns it if this one is killed.
   * Throws a Refusal if it can't be stored.
   */
  noteProgram(state: ProgramState | undefined): void;
  /** True as long as the state of the files that this window has stored is needed. */
  hasProgramOf(window: string): boolean;
  /** A change of this file begins. `files` are in the order of these calls, whichever change ends first. */
  begin(uri: vscode.Uri): void;
  /** Leaves the deletion of the file whose place this one took. */
  forget(uri: vscode.Uri): void;
  /** Changes of this file during the work are not the user's, if the work sets the record. */
  quietly<Value>(uri: vscode.Uri, work: () => Promise<Value>): Promise<Value>;
}

/** Undefined if it is not much shorter than the text. */
export function patchOf({ name, text: before }: TextBefore, text: string): KnownPatch | undefined {
  const lines = text.split("\n");
  const changes = lineHunks(before, text).map(
    ({ beforeStart, beforeEnd, afterStart, afterEnd }) =>
      [beforeStart, beforeEnd, lines.slice(afterStart, afterEnd)] as const,
  );
  const written = changes.reduce((sum, [, , some]) => sum + some.length, 0);
  return written < lines.length / 2 ? { of: name, changes } : undefined;
}

/** A record as views read it. */
export function toChangedFile(record: ChangeRecord): ChangedFile {
  const { uri, path, kind, movedFrom, hunks } = record;
  const from = movedFrom === undefined ? {} : { movedFrom };
  return { uri, path, kind, hunks, ...from, ...linkTexts(record), ...countLines(hunks) };
}

/** Where a link leads, and has led. */
function linkTexts({
  kind,
  original,
  target,
  replaced,
  replacedTarget,
}: ChangeRecord): Pick<ChangedFile, "link"> {
  const before = kind === "deleted" ? isLinkName(original) && target : isLinkName(replaced) && replacedTarget;
  const after = kind === "linked" && target;
  const texts = {
    ...(before ? { before: targetText(before) } : {}),
    ...(after ? { after: targetText(after) } : {}),
  };
  return Object.keys(texts).length === 0 ? {} : { link: texts };
}

/** The record without the deletion below it, for another place. */
export function withoutReplaced<Kept extends Partial<StoredRecord>>(record: Kept) {
  const { replaced: _, replacedMode: __, replacedTarget: ___, ...rest } = record;
  return rest;
}

/** The record of a link that a program has made. */
export function linkedRecord(uri: vscode.Uri, path: string, target: string): ChangeRecord {
  return { uri, path, kind: "linked", hunks: [], target };
}

/** A created file that the user has changed stays; a moved one can still be moved back. */
export function settledKind({ kind }: Pick<StoredRecord, "kind">): ChangedFile["kind"] {
  return kind === "created" ? "changed" : kind;
}

/** A file that is at its former place `here` again is not moved. */
export function notMovedTo<Kept extends Omit<StoredRecord, "known">>(here: string, record: Kept): Kept {
  const { movedFrom, ...rest } = record;
  const parts = movedFrom?.split("/").filter((part) => part !== "" && part !== ".");
  if (parts?.join("/") !== here) return record;
  return { ...rest, kind: record.kind === "moved" ? "changed" : record.kind } as Kept;
}

/** The record whose hunks refer to the text of this document. */
export function shownIn(
  { encoding: _, ...record }: ChangeRecord,
  document: vscode.TextDocument,
): ChangeRecord {
  const encoding = encodingOf(document);
  return encoding === undefined ? record : { ...record, encoding };
}

/** The file whose deletion is pending below this record, with its mode. */
export function replacedBy(
  deletion: Pick<StoredRecord, "original" | "mode" | "target">,
): Pick<StoredRecord, "replaced" | "replacedMode" | "replacedTarget"> {
  const { original: replaced, mode: replacedMode, target: replacedTarget } = deletion;
  if (replaced === undefined) return {};
  return {
    replaced,
    ...(replacedMode === undefined ? {} : { replacedMode }),
    ...(replacedTarget === undefined ? {} : { replacedTarget }),
  };
}

/** A record that takes the place of another one, which may be that of a deleted file. */
export function inPlaceOf<Kept extends Omit<StoredRecord, "known">>(
  former: ChangeRecord | undefined,
  record: Kept,
): Kept {
  const isOnDeleted = record.replaced === undefined && former?.kind === "deleted";
  return isOnDeleted ? { ...record, ...replacedBy(former) } : record;
}

/** The pending deletion that this record has taken the place of. */
export function deletionBelow(record: ChangeRecord): ChangeRecord | undefined {
  const { uri, path, replaced, replacedMode, replacedTarget } = record;
  if (replaced === undefined) return undefined;
  const mode = replacedMode === undefined ? {} : { mode: replacedMode };
  const target = replacedTarget === undefined ? {} : { target: replacedTarget };
  return { uri, path, kind: "deleted", hunks: [], original: replaced, ...mode, ...target };
}
