import * as vscode from "vscode";
import { decoded } from "../files/contents.ts";
import type {
  ChangeRecord,
  ChangeRecordsDeps,
  KeptRewind,
  KnownPatch,
  ProgramState,
  RewoundRecord,
  StoredRecord,
} from "./changeRecord.ts";

/** The key of the last rewind in the log. The others are URIs. */
export const rewindKey = "rewind";

const programPrefix = "program ";

/** The key of the state before the programs of a window. */
export function programKeyOf(window: string): string {
  return programPrefix + window;
}

/** The window of such a key; undefined for another key. */
export function windowOfProgram(key: string): string | undefined {
  return key.startsWith(programPrefix) ? key.slice(programPrefix.length) : undefined;
}

/** Undefined if it is damaged. */
export function toProgramState(stored: unknown): ProgramState | undefined {
  const { folder, length, takenMs } = (stored ?? {}) as Readonly<Record<string, unknown>>;
  const isPlain = typeof folder === "string" && /^[\w.-]+$/.test(folder) && !/^\.+$/.test(folder);
  if (!isPlain || typeof length !== "number" || typeof takenMs !== "number") return undefined;
  return { folder, length, takenMs };
}

type ContentOf = ChangeRecordsDeps["contentOf"];

/** A record of an earlier window. Undefined if it is damaged, and if the content that its text refers to is gone. */
export async function toRecord(
  uri: string,
  stored: unknown,
  contentOf: ContentOf,
): Promise<{ readonly record: ChangeRecord; readonly isPatched: boolean } | undefined> {
  if (!isStoredRecord(stored)) return undefined;
  const { known: text, ...rest } = stored;
  const known = await knownText(text, contentOf);
  // Nothing tells where the hunks are.
  if (text !== undefined && known === undefined) return undefined;
  const record = { ...rest, ...(known === undefined ? {} : { known }), uri: vscode.Uri.parse(uri) };
  return { record, isPatched: typeof text === "object" };
}

/** The text of a stored record. Undefined without one, and if the content that it refers to is gone. */
async function knownText(
  known: string | KnownPatch | undefined,
  contentOf: ContentOf,
): Promise<string | undefined> {
  if (typeof known !== "object") return known;
  const bytes = await contentOf(known.of).catch(() => undefined);
  if (!bytes) return undefined;
  const before = decoded(bytes).split("\n");
  const result: string[] = [];
  let at = 0;
  for (const [start, end, lines] of known.changes) {
    for (; at < start; at++) result.push(before[at] ?? "");
    for (const line of lines) result.push(line);
    at = end;
  }
  for (; at < before.length; at++) result.push(before[at] ?? "");
  return result.join("\n");
}

const kinds: readonly unknown[] = ["changed", "created", "deleted", "moved", "linked"];

function isStoredRecord(value: unknown): value is StoredRecord {
  const { path, kind, hunks, known, encoding, target, replacedTarget } = (value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const isHunk = (hunk: { id?: unknown; startLine?: unknown; lineCount?: unknown; before?: unknown }) =>
    typeof hunk?.id === "string" &&
    Number.isInteger(hunk.startLine) &&
    Number.isInteger(hunk.lineCount) &&
    Array.isArray(hunk.before);
  return (
    typeof path === "string" &&
    kinds.includes(kind) &&
    Array.isArray(hunks) &&
    hunks.every(isHunk) &&
    [encoding, target, replacedTarget].every((one) => one === undefined || typeof one === "string") &&
    (kind !== "linked" || typeof target === "string") &&
    (known === undefined || typeof known === "string" || isPatch(known))
  );
}

function isPatch(value: unknown): value is KnownPatch {
  const { of, changes } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isChange = (one: unknown) =>
    Array.isArray(one) && Number.isInteger(one[0]) && Number.isInteger(one[1]) && Array.isArray(one[2]);
  return typeof of === "string" && Array.isArray(changes) && changes.every(isChange);
}

/** The last rewind of an earlier window, without damaged records; undefined if it is damaged itself. */
export function toRewind(stored: unknown): KeptRewind | undefined {
  const { of, changes, pending } = (stored ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof of !== "string" || !Array.isArray(changes)) return undefined;
  const records = Object.entries(pending ?? {}).filter(([, one]) => isRewoundRecord(one));
  return { ...(stored as KeptRewind), pending: Object.fromEntries(records) };
}

function isRewoundRecord(value: unknown): value is RewoundRecord {
  const { record, text, left } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    isStoredRecord(record) && typeof left === "string" && (text === undefined || typeof text === "string")
  );
}
