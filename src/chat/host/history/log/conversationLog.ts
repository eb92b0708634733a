import { closeSync, constants, fstatSync, readSync, statSync, writeSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { hasEnded } from "../../../../platform/files/durable/writerName.ts";
import { openPrivateNow } from "../../../../platform/files/privateFiles.ts";
import {
  type ConversationFiles,
  createOrRestoreLog,
  hasHeartbeat,
  LogUnreadable,
  saveBadLines,
  touchLog,
} from "../conversationFiles.ts";
import { compactIfWasteful } from "./compactLog.ts";
import { type LineNumberer, type LogEntry, type LogLine, stampLine } from "./logEntry.ts";
import { applyEntry, applyLine, emptyLogState, type LogState } from "./logState.ts";
import { parseLog, readLines } from "./parseLog.ts";

/** A conversation that is open in this window, with its file. */
export interface ConversationLog {
  readonly id: string;
  /** Includes all entries appended here and read from other windows. */
  readonly state: LogState;
  append(entries: readonly LogEntry[]): void;
  /** Writes pending entries before it returns. */
  flush(): void;
  /** Reads lines of other windows. */
  readForeign(): void;
  /** Heartbeat: shows other windows that the answers written here continue, even without new text. */
  sendHeartbeat(): void;
  /** True if the window writing this message has died. */
  isOrphaned(messageId: string): boolean;
  close(): void;
}

export interface ConversationLogDeps {
  readonly files: ConversationFiles;
  readonly numberer: LineNumberer;
  /** Lines of another window, or the whole log with `isWhole`; `state` already includes them. */
  readonly onForeign: (lines: readonly LogLine[], isWhole: boolean) => void;
  readonly onError: (error: unknown) => void;
}

/** Opens the log; undefined if it does not exist. Throws LogUnreadable, or the error of the file system. */
export async function openConversationLog(
  deps: ConversationLogDeps,
): Promise<{ readonly log: ConversationLog; readonly badLines: number } | undefined> {
  const { files } = deps;
  const found = await stat(files.log).catch(() => undefined);
  if (!found) return undefined;
  compactIfWasteful(files.log, files.id);
  const bytes = await readFile(files.log);
  const { state, bad, understood, isNewer, end } = parseLog(bytes, files.id, found.birthtimeMs);
  if (isNewer) throw new LogUnreadable(files.log, "newer");
  if (understood === 0) throw new LogUnreadable(files.log, "damaged");
  const badLines = await saveBadLines(files, bad);
  const log = new SharedLog(deps, state, end);
  // What was written since the file was read. Its changes are not listened to before the log is the open one.
  log.readForeign(() => {});
  return { log, badLines };
}

/** A conversation without a file, which is created by the first entry, or at once if `state` has content. */
export function createConversationLog(
  deps: ConversationLogDeps,
  state: LogState = emptyLogState(deps.files.id, Date.now()),
): ConversationLog {
  return new SharedLog(deps, state, 0);
}

/** Appended bytes after which the log is checked for compaction. */
const compactAfterBytes = 2 * 1024 * 1024;
/** Milliseconds that text is collected before it is written; a killed process loses that much. */
const batchMs = 80;
/** Milliseconds after which a failed write is tried again. */
const retryMs = 2000;

/**
 * The log of a conversation as one window writes and reads it. Several windows append to one log without overwriting each
 * other:
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
class SharedLog implements ConversationLog {
  readonly #deps: ConversationLogDeps;
  readonly #file: LogFile;
  #state: LogState;
  #waiting: LogEntry[] = [];
  /** Stamped lines that may not be in the current file. */
  #stamped = "";
  #appendedBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The last access failed, and that was reported. */
  #isFailing = false;
  #isClosed = false;

  constructor(deps: ConversationLogDeps, state: LogState, from: number) {
    this.#deps = deps;
    this.#state = state;
    this.#file = new LogFile(deps.files.log, from);
  }

  get id(): string {
    return this.#deps.files.id;
  }

  get state(): LogState {
    return this.#state;
  }

  append(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      applyEntry(this.#state, entry);
      this.#appendedBytes += entry.e === "append" ? entry.text.length : JSON.stringify(entry).length;
      this.#waiting = joined(this.#waiting, entry);
    }
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.flush(), batchMs);
    if (this.#appendedBytes >= compactAfterBytes) this.#compact();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write();
  }

  readForeign(report = this.#deps.onForeign): void {
    // Pending entries are written first, so the file contains all that is shown here.
    this.flush();
    if (this.#isClosed) return;
    this.#attempt(() => {
      if (!this.#file.exists) return;
      if (this.#file.isReplaced) this.#reopen();
      this.#read(0, report);
    });
  }

  sendHeartbeat(): void {
    touchLog(this.#deps.files);
  }

  isOrphaned(messageId: string): boolean {
    const writer = this.#state.writers.get(messageId);
    if (writer === this.#deps.numberer.writer) return true;
    return (writer !== undefined && hasEnded(writer)) || !hasHeartbeat(this.#deps.files);
  }

  close(): void {
    this.#isClosed = true;
    this.flush();
    this.#file.close();
  }

  #compact(): void {
    this.#appendedBytes = 0;
    this.flush();
    if (compactIfWasteful(this.#deps.files.log, this.id)) this.readForeign();
  }

  #write(): void {
    for (const entry of this.#waiting) this.#stamped += `\n${stampLine(entry, this.#deps.numberer)}`;
    this.#waiting = [];
    if (this.#stamped === "") return;
    const isWritten = this.#attempt(() => {
      if (!this.#file.isOpen && !this.#file.exists) this.#create();
      this.#read(this.#file.write(this.#stamped));
      while (this.#file.isReplaced) {
        this.#reopen();
        this.#read(this.#file.write(this.#stamped));
      }
      this.#stamped = "";
    });
    if (!isWritten && !this.#isClosed) this.#timer ??= setTimeout(() => this.flush(), retryMs);
  }

  /** After an error the file is opened again by the next access. Returns false after an error, which is reported once. */
  #attempt(work: () => void): boolean {
    try {
      work();
      this.#isFailing = false;
      return true;
    } catch (error) {
      this.#file.close();
      if (!this.#isFailing) this.#deps.onError(error);
      this.#isFailing = true;
      return false;
    }
  }

  #create(): void {
    this.#file.readBytes = createOrRestoreLog(this.#deps.files, this.#state);
  }

  #reopen(): void {
    this.#file.close();
    this.#file.readBytes = 0;
    if (!this.#file.exists) this.#create();
  }

  /** Applies lines of other windows, if the file has grown by more than the bytes that were written here. */
  #read(ownBytes: number, report = this.#deps.onForeign): void {
    const found = this.#file.readOn(ownBytes);
    if (!found) return;
    const { writer } = this.#deps.numberer;
    const lines = found.isWhole
      ? found.lines
      : found.lines.filter((line) => line.e === "head" || line.w !== writer);
    if (lines.length === 0) return;
    if (found.isWhole) this.#state = emptyLogState(this.id, this.#state.createdAtMs);
    const applied = lines.filter((line) => applyLine(this.#state, line));
    if (applied.length > 0) report(applied, found.isWhole);
  }
}

/** The file of a log. It is opened by the first access. */
class LogFile {
  /** Bytes that have been read or written here. 0 if the file was replaced, so that all of it is read. */
  readBytes: number;
  readonly #path: string;
  #fd: number | undefined;

  constructor(path: string, readBytes: number) {
    this.#path = path;
    this.readBytes = readBytes;
  }

  get isOpen(): boolean {
    return this.#fd !== undefined;
  }

  get exists(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
  }

  /** True if the path of the log names another file than the open one, or none. */
  get isReplaced(): boolean {
    const named = statSync(this.#path, { throwIfNoEntry: false });
    return named === undefined || named.ino !== fstatSync(this.#open()).ino;
  }

  /** Appends the text; returns its bytes. */
  write(text: string): number {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#open(), bytes, at);
    return bytes.length;
  }

  /** The lines after those that were read; undefined if the file has only grown by `ownBytes`. */
  readOn(ownBytes: number): { readonly lines: readonly LogLine[]; readonly isWhole: boolean } | undefined {
    const { size } = fstatSync(this.#open());
    // A shorter file is another one.
    if (size < this.readBytes) this.readBytes = 0;
    if (size - this.readBytes === ownBytes) {
      this.readBytes = size;
      return undefined;
    }
    const isWhole = this.readBytes === 0;
    const bytes = Buffer.alloc(size - this.readBytes);
    const count = readSync(this.#open(), bytes, 0, bytes.length, this.readBytes);
    const { lines, end } = readLines(bytes.subarray(0, count));
    this.readBytes += end;
    return { lines, isWhole };
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    this.#fd ??= openPrivateNow(this.#path, constants.O_RDWR | constants.O_APPEND);
    return this.#fd;
  }
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
