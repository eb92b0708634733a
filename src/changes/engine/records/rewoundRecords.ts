import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { workspaceUri } from "../../../platform/editor/workspaceUri.ts";
import type { ChangedFile } from "../changedFile.ts";
import { entryAt, hasSameLines, shownText, textIn } from "../files/contents.ts";
import { isFolderAt } from "../files/fileAccess.ts";
import type { FileState, StoredContents } from "../files/fileState.ts";
import { originalText, withoutReturns } from "../hunkList.ts";
import type { FileChange, Rewound } from "../pendingChanges.ts";
import type { ChangeRecord, ChangeRecords, KeptRewind, RewoundRecord, StoredRecord } from "./changeRecord.ts";
import { toRecord } from "./storedRecord.ts";

/** The files of a rewind, by URI, with their records before it. */
export type FormerRecords = Map<string, Pick<RewoundRecord, "record" | "text">>;

/** Keeps the first record of a file, and the text that its hunks refer to. */
export function keepFormer(
  former: FormerRecords,
  uri: vscode.Uri,
  record: ChangeRecord | undefined,
  text: string | undefined,
): void {
  const key = uri.toString();
  if (former.has(key)) return;
  if (!record) return void former.set(key, {});
  const { uri: _, known: __, ...stored } = record;
  former.set(key, { record: stored, ...(text === undefined ? {} : { text: digestOf(text) }) });
}

/** The records before a rewind, in the order of the files at that time, and what it has left of them. */
export function rewoundRecords(
  former: FormerRecords,
  files: readonly ChangedFile[],
  records: ChangeRecords,
): ReadonlyMap<string, RewoundRecord> {
  const left = (uri: string) => stateOf(records.get(vscode.Uri.parse(uri)));
  const uris = new Set([...files.map(({ uri }) => uri.toString()), ...former.keys()]);
  const rewound = [...uris].filter((uri) => former.has(uri));
  return new Map(rewound.map((uri) => [uri, { ...former.get(uri), left: left(uri) }]));
}

function digestOf(text: string): string {
  return createHash("sha256").update(withoutReturns(text)).digest("base64url");
}

/** Differs after a decision, and after a newer change of the agent. */
function stateOf(record: Pick<StoredRecord, "kind" | "hunks"> | undefined): string {
  return record ? [record.kind, ...record.hunks.map(({ id }) => id)].join(" ") : "";
}

interface RewoundStep {
  readonly isOther: boolean;
  /** The contents before each of the rewound changes. */
  readonly rewound: readonly (string | null)[];
  readonly target: FileState;
}

/**
 * True if pending hunks are of changes before the rewound ones, and their original text is still known: nobody has accepted
 * or typed anything since the first of them. Then the restored text is one that the agent wrote over the same original.
 */
export async function hasEarlierHunks(
  { isOther, rewound, target }: RewoundStep,
  { kind, hunks, original }: ChangeRecord,
  { encoding, before }: { readonly encoding: string | undefined; readonly before: string },
  contents: StoredContents,
): Promise<boolean> {
  if (isOther || kind !== "changed" || original === undefined || target.content === null) return false;
  if (rewound.includes(original)) return false;
  const bytes = await contents.get(original).catch(() => undefined);
  const text = bytes && (await shownText(encoding, bytes));
  return text !== undefined && hasSameLines(text, originalText(before, hunks));
}

interface Undo {
  /** The rewind that is undone. */
  readonly last: KeptRewind;
  readonly done: Rewound;
  /** The records before the undo. */
  readonly former: FormerRecords;
}

interface RestoreDeps {
  readonly contents: Pick<StoredContents, "get">;
  readonly records: ChangeRecords;
}

interface Restored {
  readonly record: ChangeRecord;
  /** Undefined for a deleted file and one that is no text. */
  readonly text: string | undefined;
  /** The stored content that has this text, if the file is closed and in UTF-8. */
  readonly name: string | undefined;
}

/**
 * Makes the hunks pending again that a rewind took away, in the files that its undo has brought back. What was decided or
 * changed since the rewind stays decided or changed.
 */
export async function restorePending(undo: Undo, { contents, records }: RestoreDeps): Promise<void> {
  const { last, done, former } = undo;
  const changed = new Set(done.changes.map(({ uri }) => uri));
  const first = firstChanges(last.changes);
  const asked = Object.entries(last.pending ?? {}).filter(([uri, { record, left }]) => {
    // A file can't be moved back if another one was kept at its former place.
    const place = record?.movedFrom === undefined ? undefined : placeOf(record.movedFrom);
    // The content of a moved file may be that before the move.
    const isChanged = changed.has(uri) || (place !== undefined && changed.has(place));
    const isSame = isChanged && stateOf(former.get(uri)?.record) === left;
    return isSame && (place === undefined || !first.has(place) || changed.has(place));
  });
  const found = await Promise.all(
    asked.map(([uri, one]) =>
      // A file that can't be read stays without hunks.
      restored(uri, one, first.get(uri)?.before ?? undefined, contents).catch(() => undefined),
    ),
  );
  for (const { record, text, name } of found.filter((one) => one !== undefined)) {
    // The first call leaves a deletion that is pending below.
    for (let times = 0; times < 2; times++) records.forget(record.uri);
    records.set(record, text, text === undefined || name === undefined ? undefined : { name, text });
  }
}

/** A folder with new files can have the place of a deleted file. */
async function restoredEntry(record: ChangeRecord): ReturnType<typeof entryAt> {
  const isFolder = record.kind === "deleted" && (await isFolderAt(record.uri, record.path));
  return isFolder ? {} : entryAt(record.uri, record.path, record);
}

/** The URI of a path in the workspace. */
export function placeOf(path: string): string | undefined {
  try {
    return workspaceUri(path).toString();
  } catch {
    return undefined; // its folder is no longer open
  }
}

/** The first change of each file. */
export function firstChanges(changes: readonly FileChange[]): ReadonlyMap<string, FileChange> {
  const first = new Map<string, FileChange>();
  for (const change of changes) if (!first.has(change.uri)) first.set(change.uri, change);
  return first;
}

/** A record of before the rewind. Undefined if the text is not that to which its hunks refer. */
async function restored(
  uri: string,
  { record: stored, text: digest }: RewoundRecord,
  before: string | undefined,
  contents: RestoreDeps["contents"],
): Promise<Restored | undefined> {
  const record = (await toRecord(uri, stored, (name) => contents.get(name)))?.record;
  if (!record) return undefined;
  const { link, content } = await restoredEntry(record);
  if (record.kind === "linked" || link !== undefined)
    return record.kind === "linked" && link === record.target
      ? { record, text: undefined, name: undefined }
      : undefined;
  const text = content && textIn(content, record.path);
  const isThere = content !== undefined;
  if (isThere === (record.kind === "deleted")) return undefined;
  if ((text === undefined ? undefined : digestOf(text)) !== digest) return undefined;
  const isPlain = isThere && !content.document && content.encoding === undefined;
  return { record, text, name: isPlain ? before : undefined };
}
