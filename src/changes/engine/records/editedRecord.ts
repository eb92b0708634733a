import { randomUUID } from "node:crypto";
import type * as vscode from "vscode";
import { afterAgentEdit } from "../hunkList.ts";
import { type ChangeRecord, inPlaceOf } from "./changeRecord.ts";

export interface Place {
  readonly uri: vscode.Uri;
  readonly path: string;
}

/** The content of a file before an edit. */
export interface FormerText {
  /** Undefined for a file that did not exist. */
  readonly text: string | undefined;
  /** The name under which its content is stored. */
  readonly original: string | undefined;
}

/** The record of a file after an edit by an agent. */
export function editedRecord(
  { uri, path }: Place,
  record: ChangeRecord | undefined,
  former: FormerText,
  written: string,
): ChangeRecord {
  const kind = former.text === undefined ? "created" : (record?.kind ?? "changed");
  const hunks = afterAgentEdit(record?.hunks ?? [], former.text ?? "", written, randomUUID);
  const { original: first, mode, target: _, ...rest } = record ?? {};
  const original = record?.hunks.length ? first : former.original;
  const edited = {
    ...rest,
    ...(mode === undefined || kind === "created" ? {} : { mode }),
    uri,
    path,
    kind,
    hunks,
    ...(original === undefined ? {} : { original }),
  } satisfies ChangeRecord;
  return inPlaceOf(record, edited);
}

/**
 * The record of a deleted file that an agent writes again: it has changed, and its content before the deletion is what a
 * rejection restores.
 */
export function rewrittenRecord(
  { uri, path }: Place,
  deletion: ChangeRecord,
  former: FormerText,
  written: string,
): ChangeRecord {
  const hunks = afterAgentEdit([], former.text ?? "", written, randomUUID);
  const { original: _, ...rest } = deletion;
  const original = former.original === undefined ? {} : { original: former.original };
  return { ...rest, uri, path, kind: "changed", hunks, ...original };
}
