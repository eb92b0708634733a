import { closeSync, constants, fstatSync, readSync, statSync, writeSync } from "node:fs";
import { openPrivateNow } from "../../../platform/privateFiles.ts";
import type { LogEntry, LogLine } from "./logEntry.ts";
import { readLines } from "./parseLog.ts";

/**
 * One window's access to the log of a conversation. Several windows append to one log without overwriting each other:
 *
 * - A batch is one write of whole lines at the end of the file (O_APPEND), each with its line end before it, so that
 *   a line torn by a dying process spoils no other.
 * - Each line has its writer and a number, and is applied once even if it occurs several times.
 * - If the file has grown by more than was written here, the rest is from another window: it is read and reported.
 * - Compaction replaces the file (see compactLog.ts). A batch that may be in the old file is written again.
 *
 * Writes are synchronous: a batch goes to the page cache in about 20 µs, so nothing is pending when the process
 * ends.
 */
export interface LogAppender {
  /** Written to disk within `batchMs`. */
  append(entries: readonly LogEntry[]): void;
  /** Writes pending entries before it returns. */
  flush(): void;
  /** Reads lines of other windows. */
  look(): void;
  close(): void;
}

export interface LogAppenderDeps {
  readonly path: string;
  /** Bytes of the log that are already read. */
  readonly from: number;
  readonly signer: LineNumberer;
  /** Lines of other windows; the whole log with `isWhole`, because the file was replaced. */
  readonly onForeign: (lines: readonly LogLine[], isWhole: boolean) => void;
  /** The file does not exist: creates it and returns how many of its bytes are known. */
  readonly onGone: () => number;
  /** The batch is kept and written again later. */
  readonly onError: (error: unknown) => void;
}

/** The writer's name and its line counter. */
export interface LineNumberer {
  readonly writer: string;
  next(): number;
}

export function createLineNumberer(writer: string): LineNumberer {
  let n = 0;
  return {
    writer,
    next() {
      n += 1;
      return n;
    },
  };
}

/** Milliseconds that text is collected before it is written; a killed process loses that much. */
const batchMs = 80;
/** Milliseconds after which a failed write is tried again. */
const retryMs = 2000;

export function createLogAppender(deps: LogAppenderDeps): LogAppender {
  const { path, signer } = deps;
  let waiting: LogEntry[] = [];
  /** Stamped lines that may not be in the current file. */
  let signed = "";
  let known = deps.from;
  let fd: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const handle = () => {
    fd ??= openPrivateNow(path, constants.O_RDWR | constants.O_APPEND);
    return fd;
  };
  const letGo = () => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  /** True if the open file descriptor is the file at the path of the log. */
  const isCurrent = () => {
    const named = statSync(path, { throwIfNoEntry: false });
    return named !== undefined && named.ino === fstatSync(handle()).ino;
  };
  const readOn = (own: number) => {
    const { size } = fstatSync(handle());
    // Shorter than known: the file was replaced, so all of it is read.
    if (size < known) known = 0;
    if (size - known === own) {
      known = size;
      return;
    }
    const bytes = Buffer.alloc(size - known);
    const read = readSync(handle(), bytes, 0, bytes.length, known);
    const { lines, end } = readLines(bytes.subarray(0, read));
    const isWhole = known === 0;
    known += end;
    const news = isWhole ? lines : lines.filter((line) => line.e === "head" || line.w !== signer.writer);
    if (news.length > 0) deps.onForeign(news, isWhole);
  };
  const isThere = () => statSync(path, { throwIfNoEntry: false }) !== undefined;
  const reopenIfReplaced = () => {
    if (isCurrent()) return false;
    letGo();
    known = isThere() ? 0 : deps.onGone();
    return true;
  };
  const write = () => {
    for (const entry of waiting) signed += `\n${stampLine(entry, signer)}`;
    waiting = [];
    if (signed === "") return;
    try {
      if (fd === undefined && !isThere()) known = deps.onGone();
      do {
        const bytes = Buffer.from(signed);
        writeWhole(handle(), bytes);
        readOn(bytes.length);
      } while (reopenIfReplaced());
      signed = "";
    } catch (error) {
      letGo();
      deps.onError(error);
      if (!closed) timer ??= setTimeout(flush, retryMs);
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    write();
  };
  return {
    append(entries) {
      for (const entry of entries) waiting = joined(waiting, entry);
      if (waiting.length > 0) timer ??= setTimeout(flush, batchMs);
    },
    flush,
    look() {
      // Pending entries are written first, so the file contains all that is shown here.
      flush();
      try {
        if (closed || !isThere()) return;
        reopenIfReplaced();
        readOn(0);
      } catch (error) {
        letGo();
        deps.onError(error);
      }
    },
    close() {
      closed = true;
      flush();
      letGo();
    },
  };
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** A line of the file. */
export function stampLine(entry: LogEntry, { writer, next }: LineNumberer): string {
  return JSON.stringify({ ...entry, w: writer, n: next() });
}

/** Adds an entry; text that continues the last one's is merged, a draft replaces the one before. */
function joined(entries: LogEntry[], entry: LogEntry): LogEntry[] {
  const last = entries.at(-1);
  if (entry.e === "append" && last?.e === "append" && continues(last, entry)) {
    entries[entries.length - 1] = { ...last, text: last.text + entry.text };
  } else if (entry.e === "draft" && last?.e === "draft") entries[entries.length - 1] = entry;
  else entries.push(entry);
  return entries;
}

type Appended = Extract<LogEntry, { e: "append" }>;

function continues(last: Appended, { id, part, at }: Appended): boolean {
  return last.id === id && last.part === part && last.at + last.text.length === at;
}
