import * as vscode from "vscode";
import { lineHunks } from "../../../shared/text/lineHunks.ts";
import { isGone } from "../files/changeablePlace.ts";
import { isSameText, readContent, shownText, textIn } from "../files/contents.ts";
import { documentOf } from "../files/openEditors.ts";
import {
  type ChangeRecord,
  type ChangeRecordsDeps,
  type KnownPatch,
  type NextRecord,
  type StoredRecord,
  shownIn,
} from "./changeRecord.ts";
import { toRecord } from "./storedRecord.ts";

type ContentOf = ChangeRecordsDeps["contentOf"];

/** The record after a change that is about to be made, as it is stored. */
interface StoredNext {
  readonly record: StoredRecord;
  /** URI of the file that the change takes away. */
  readonly gone?: string;
}

const prefix = "next ";

/** The key of the record after the change of a file, in the log of the records. Those of records are URIs. */
export function nextKeyOf(key: string): string {
  return prefix + key;
}

/** The key of the record; undefined for another key. */
export function keyOfNext(key: string): string | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

export function toStoredNext({ record, text, gone }: NextRecord, short: KnownPatch | undefined): StoredNext {
  const document = documentOf(record.uri);
  const { uri: _, ...rest } = document ? shownIn(record, document) : record;
  const known = text ?? rest.known;
  const stored = { ...rest, ...(known === undefined ? {} : { known: short ?? known }) };
  return { record: stored, ...(gone ? { gone: gone.toString() } : {}) };
}

/** The record after a change, if the change was made before the process was killed. Undefined if it was not. */
export async function madeRecord(
  key: string,
  stored: unknown,
  former: ChangeRecord | undefined,
  contentOf: ContentOf,
): Promise<{ readonly record: ChangeRecord; readonly gone: vscode.Uri | undefined } | undefined> {
  const { record: after, gone: taken } = (stored ?? {}) as Readonly<Record<string, unknown>>;
  // Its content is stored before the file changes.
  const read = await toRecord(key, after, contentOf);
  if (!read) return undefined;
  const { record } = read;
  const gone = typeof taken === "string" ? vscode.Uri.parse(taken) : undefined;
  if (gone && !(await isGone(gone))) return undefined;
  const isMade = record.kind === "deleted" || (await isWritten(record, former, gone, contentOf));
  return isMade ? { record, gone } : undefined;
}

async function isWritten(
  record: ChangeRecord,
  former: ChangeRecord | undefined,
  gone: vscode.Uri | undefined,
  contentOf: ContentOf,
): Promise<boolean> {
  const content = await readContent(record.uri, record.path, record).catch(() => undefined);
  if (!content || gone) return content !== undefined;
  const text = textIn(content, record.path);
  if (text === undefined || record.known === undefined) return false;
  const before = former?.known ?? (await originalText(record, contentOf));
  if (before !== undefined && isSameText(text, before)) return false;
  if (before === undefined || isSameText(text, record.known)) return true;
  // Others have changed the file since.
  return changedLines(record.known, text) <= changedLines(before, text);
}

async function originalText(
  { original, encoding }: ChangeRecord,
  contentOf: ContentOf,
): Promise<string | undefined> {
  const bytes = original === undefined ? undefined : await contentOf(original).catch(() => undefined);
  return bytes && shownText(encoding, bytes);
}

function changedLines(before: string, after: string): number {
  return lineHunks(before, after).reduce(
    (sum, { beforeStart, beforeEnd, afterStart, afterEnd }) =>
      sum + (beforeEnd - beforeStart) + (afterEnd - afterStart),
    0,
  );
}
