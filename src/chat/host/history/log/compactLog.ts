import { closeSync, fstatSync, readSync, statSync, unlinkSync, utimesSync } from "node:fs";
import { withChecksum } from "../../../../platform/files/durable/checkedLine.ts";
import { writeDurablyNow } from "../../../../platform/files/durable/durableFile.ts";
import { appendPrivatelyNow, openPrivateNow } from "../../../../platform/files/privateFiles.ts";
import { logVersion } from "./logEntry.ts";
import { type LogState, toLogLines } from "./logState.ts";
import { parseLog } from "./parseLog.ts";

/** Smaller logs are not compacted. */
const smallBytes = 256 * 1024;
/** A log is compacted when it is this many times as long as its shortest form. */
const wasteful = 3;
/** Milliseconds after which the lock of a dead process expires. */
const lockLastsMs = 30_000;

/** Serializes a conversation as a new log. */
export function toLogText(state: LogState): string {
  return toLogLines(state, logVersion)
    .map((line) => withChecksum(JSON.stringify(line)))
    .join("\n");
}

/**
 * Compacts a log that is much longer than its content; returns true if it did. Other windows may be writing: only the
 * holder of the lock file compacts, a writer that finds the file replaced writes its batch again, and lines appended
 * to the old file until it was replaced are copied here. Lines are numbered, so duplicates are ignored.
 */
export function compactLog(path: string, id: string): boolean {
  if (statSync(path).size < smallBytes || !lock(path)) return false;
  const fd = openPrivateNow(path, "r");
  try {
    const bytes = readFrom(fd, 0);
    const { state, bad, unknown, isNewer, end } = parseLog(bytes, id);
    if (isNewer || bad.length > 0 || unknown > 0) return false;
    const text = toLogText(state);
    if (text.length * wasteful > bytes.length) return false;
    const { mtime } = fstatSync(fd);
    writeDurablyNow(path, text);
    // The modification time is a heartbeat of writers, so compaction must not change it.
    utimesSync(path, mtime, mtime);
    const late = readFrom(fd, end);
    if (late.length > 0) appendPrivatelyNow(path, Buffer.concat([Buffer.from("\n"), late]));
    return true;
  } finally {
    closeSync(fd);
    unlinkSync(lockOf(path));
  }
}

function readFrom(fd: number, from: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
  let at = 0;
  for (let read = -1; read !== 0 && at < bytes.length; at += read) {
    read = readSync(fd, bytes, at, bytes.length - at, from + at);
  }
  return bytes.subarray(0, at);
}

const lockOf = (path: string) => `${path}.lock`;

function lock(path: string): boolean {
  const file = lockOf(path);
  try {
    const held = statSync(file, { throwIfNoEntry: false });
    if (held && Date.now() - held.mtimeMs > lockLastsMs) unlinkSync(file);
    closeSync(openPrivateNow(file, "wx"));
    return true;
  } catch {
    return false;
  }
}

/** The same. False as well if it fails: compaction is optional, without it the log is only longer than necessary. */
export function compactIfWasteful(path: string, id: string): boolean {
  try {
    return compactLog(path, id);
  } catch {
    return false;
  }
}
