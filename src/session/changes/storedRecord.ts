import type { HunkList } from "./hunkList.ts";
import type { ChangedFile, LastRewind } from "./pendingChanges.ts";

/** The pending changes of one file, as they are kept over a reload under the file's URI. */
export interface StoredRecord {
  readonly path: string;
  readonly kind: ChangedFile["kind"];
  readonly movedFrom?: string;
  readonly hunks: HunkList;
  /** Name of the content before the agent. */
  readonly original?: string;
  /** Name of the content of a deleted file whose place this one took. */
  readonly replaced?: string;
  /** The text that the hunks refer to, while no editor has it. */
  readonly known?: string;
}

const kinds: readonly unknown[] = ["changed", "created", "deleted", "moved"];

export function isStoredRecord(value: unknown): value is StoredRecord {
  const { path, kind, hunks } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isHunk = (hunk: { id?: unknown; startLine?: unknown; lineCount?: unknown; before?: unknown }) =>
    typeof hunk?.id === "string" &&
    Number.isInteger(hunk.startLine) &&
    Number.isInteger(hunk.lineCount) &&
    Array.isArray(hunk.before);
  return typeof path === "string" && kinds.includes(kind) && Array.isArray(hunks) && hunks.every(isHunk);
}

export function isStoredRewind(value: unknown): value is LastRewind {
  const { of, changes } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof of === "string" && Array.isArray(changes);
}

/** A created file that the user has changed stays; a moved one can still be moved back. */
export function settledKind({ kind }: StoredRecord): ChangedFile["kind"] {
  return kind === "created" ? "changed" : kind;
}

/** A file that is at its former place `here` again is not moved. */
export function notMovedTo<Kept extends StoredRecord>(here: string, record: Kept): Kept {
  const { movedFrom, ...rest } = record;
  const parts = movedFrom?.split("/").filter((part) => part !== "" && part !== ".");
  if (parts?.join("/") !== here) return record;
  return { ...rest, kind: record.kind === "moved" ? "changed" : record.kind } as Kept;
}
