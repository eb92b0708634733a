import type * as vscode from "vscode";
import type { ChangeRecord, ChangeRecords, KeptRewind, StoredRecord } from "./changeRecord.ts";
import { hasSameLines, readContent, shownText, textIn } from "./contents.ts";
import { type FileState, nameOf, type StoredContents } from "./fileState.ts";
import { originalText } from "./hunkList.ts";
import type { FileChange } from "./pendingChanges.ts";
import { toRecord } from "./storedRecord.ts";

/** The records of files before a rewind, by URI; undefined for a file without pending changes. */
export type FormerRecords = Map<string, StoredRecord | undefined>;

/** Keeps the first record of a file. */
export function keepFormer(former: FormerRecords, uri: vscode.Uri, record: ChangeRecord | undefined): void {
  const key = uri.toString();
  if (former.has(key)) return;
  const { uri: _, known: __, ...stored } = record ?? {};
  former.set(key, record && (stored as StoredRecord));
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

interface RestoreDeps {
  readonly contents: Pick<StoredContents, "get">;
  readonly records: ChangeRecords;
}

/** Makes the hunks pending again that a rewind took away, in files that its undo has brought back. */
export async function restorePending(
  { changes, pending = {} }: KeptRewind,
  deps: RestoreDeps,
): Promise<void> {
  const { records } = deps;
  const first = firstChanges(changes);
  const found = await Promise.all(
    Object.entries(pending).map(([uri, stored]) =>
      // A file that can't be read stays without hunks.
      recordOf(uri, stored, first.get(uri), deps).catch(() => undefined),
    ),
  );
  for (const { record, text } of found.filter((one) => one !== undefined)) {
    // The first call leaves a deletion that is pending below.
    for (let times = 0; times < 2; times++) records.forget(record.uri);
    records.set(record, text);
  }
}

/** The first change of each file. */
export function firstChanges(changes: readonly FileChange[]): ReadonlyMap<string, FileChange> {
  return new Map(changes.toReversed().map((change) => [change.uri, change]));
}

/** A record of the time before the rewind, with the text that its hunks refer to. Undefined if the file is not back. */
async function recordOf(
  uri: string,
  stored: unknown,
  change: FileChange | undefined,
  { contents }: RestoreDeps,
): Promise<{ readonly record: ChangeRecord; readonly text: string | undefined } | undefined> {
  const record = (await toRecord(uri, stored, contents.get))?.record;
  if (!record || !change) return undefined;
  const content = await readContent(record.uri, record.path, record);
  if (!content || change.before === null) {
    const isGone = !content && change.before === null && record.kind === "deleted";
    return isGone ? { record, text: undefined } : undefined;
  }
  const text = textIn(content, record.path);
  if (text === undefined && record.hunks.length > 0) return undefined;
  if (nameOf(content.bytes) === change.before) return { record, text };
  // An editor gives restored text its own line ends.
  const former = await shownText(content.encoding, await contents.get(change.before));
  const isBack = text !== undefined && former !== undefined && hasSameLines(text, former);
  return isBack ? { record, text } : undefined;
}
