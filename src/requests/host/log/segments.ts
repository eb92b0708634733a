import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { foldersIn } from "../../../platform/files/durable/journal.ts";
import { newWriterName } from "../../../platform/files/durable/writerName.ts";
import { isMissing } from "../../../platform/files/privateFiles.ts";
import { dayMs } from "../../../shared/time/days.ts";

// A segment is two files of one writer: the heads of some calls, and their contents. Its name begins with its time.

const headEnd = ".heads.jsonl";
const contentEnd = ".contents.jsonl";

/** The paths of a segment without its ends. */
export function newSegment(folder: string, nowMs: number): string {
  return join(folder, `${String(nowMs).padStart(14, "0")}-${newWriterName()}`);
}

export function headPath(segment: string): string {
  return segment + headEnd;
}

export function contentPath(segment: string): string {
  return segment + contentEnd;
}

/** All segments of all connections, the oldest first. */
export async function segmentsIn(root: string): Promise<readonly string[]> {
  const folders = await foldersIn(root);
  const found = await Promise.all(folders.map((name) => segmentsOf(join(root, name))));
  return found.flat().sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function segmentsOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) =>
    name.endsWith(headEnd) ? [join(folder, name.slice(0, -headEnd.length))] : [],
  );
}

function nameOf(segment: string): string {
  return segment.slice(Math.max(segment.lastIndexOf("/"), segment.lastIndexOf("\\")) + 1);
}

export interface Bounds {
  /** Days that calls are kept. 0 keeps nothing. */
  readonly keepDays: number;
  /** Bytes of all segments. */
  readonly maxBytes: number;
}

export const maxLogBytes = 50 * 1024 * 1024;

/** Deletes segments that are too old, and the oldest ones above the limit of bytes. */
export async function pruneSegments(
  root: string,
  nowMs: number,
  { keepDays, maxBytes }: Bounds,
): Promise<void> {
  if (keepDays <= 0) return rm(root, { recursive: true, force: true });
  const found = await Promise.all(
    (await segmentsIn(root)).map(async (segment) => ({ segment, ...(await factsOf(segment)) })),
  );
  let bytes = 0;
  for (const { segment, size, changedMs } of found.toReversed()) {
    bytes += size;
    if (bytes > maxBytes || changedMs < nowMs - keepDays * dayMs) await removeSegment(segment);
  }
}

async function removeSegment(segment: string): Promise<void> {
  // The head last: without it, the contents would never be found again.
  await rm(contentPath(segment), { force: true });
  await rm(headPath(segment), { force: true });
}

async function factsOf(segment: string): Promise<{ readonly size: number; readonly changedMs: number }> {
  const files = await Promise.all([headPath(segment), contentPath(segment)].map(statIfThere));
  const there = files.filter((file) => file !== undefined);
  return {
    size: there.reduce((sum, { size }) => sum + size, 0),
    changedMs: Math.max(0, ...there.map(({ mtimeMs }) => mtimeMs)),
  };
}

async function statIfThere(path: string) {
  return stat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
