import { existsSync, renameSync, statSync, utimesSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readTextIfThere, writeDurablyNow } from "../../../platform/durableFile.ts";
import { appendPrivately, createPrivatelyNow, makeFolderNow } from "../../../platform/privateFiles.ts";
import { compactLog, toLogText } from "./compactLog.ts";
import { createLogAppender, type LineNumberer } from "./logAppender.ts";
import type { LogEntry, LogLine } from "./logEntry.ts";
import { applyEntry, applyLine, emptyLogState, type LogState } from "./logState.ts";
import { parseLog } from "./parseLog.ts";
import { hasEnded } from "./writerName.ts";

/** A conversation that is open in this window, with its file. */
export interface ConversationLog {
  readonly id: string;
  /** Includes all entries appended here and read from other windows. */
  readonly state: LogState;
  append(entries: readonly LogEntry[]): void;
  /** Writes pending entries before it returns. */
  flush(): void;
  /** Reads lines of other windows. */
  look(): void;
  /** Heartbeat: shows other windows that the answers written here continue, even without new text. */
  sendHeartbeat(): void;
  /** True if the window writing this message has died. */
  isOrphaned(messageId: string): boolean;
  close(): void;
}

export interface ConversationLogDeps {
  readonly files: ConversationFiles;
  readonly signer: LineNumberer;
  /** Lines of another window, or the whole log with `isWhole`; `state` already includes them. */
  readonly onForeign: (lines: readonly LogLine[], isWhole: boolean) => void;
  readonly onError: (error: unknown) => void;
}

/** Paths of a conversation and its related files. */
export interface ConversationFiles {
  readonly id: string;
  readonly log: string;
  /** Copies of lines that could not be read. */
  readonly bad: string;
  /** File of version 1. */
  readonly old: string;
  /** After it was deleted, as long as that can be undone. */
  readonly trashed: string;
}

export function conversationFiles(directory: string, id: string): ConversationFiles {
  return {
    id,
    log: join(directory, `${id}.jsonl`),
    bad: join(directory, `${id}.bad`),
    old: join(directory, `${id}.json`),
    trashed: join(directory, "trash", `${id}.jsonl`),
  };
}

/** The reason why a log can't be opened. Its file is not changed. */
export class LogUnreadable extends Error {
  readonly reason: "newer" | "damaged";
  readonly path: string;
  constructor(path: string, reason: "newer" | "damaged") {
    super(reason === "newer" ? `${path} has a newer version` : `${path} contains no conversation`);
    this.reason = reason;
    this.path = path;
  }
}

/** Appended bytes after which the log is checked for compaction. */
const lookAtWasteBytes = 2 * 1024 * 1024;

/** Opens the log; undefined if it does not exist. Throws LogUnreadable, or the error of the file system. */
export async function openConversationLog(
  deps: ConversationLogDeps,
): Promise<{ readonly log: ConversationLog; readonly badLines: number } | undefined> {
  const { files } = deps;
  const found = await stat(files.log).catch(() => undefined);
  if (!found) return undefined;
  compactIfWasteful(files);
  const bytes = await readFile(files.log);
  const { state, bad, understood, isNewer, end } = parseLog(bytes, files.id, found.birthtimeMs);
  if (isNewer) throw new LogUnreadable(files.log, "newer");
  if (understood === 0) throw new LogUnreadable(files.log, "damaged");
  const badLines = await keepBadLines(files.bad, bad);
  return { log: hold(deps, state, end), badLines };
}

/** A conversation without a file, which is created by the first entry, or at once if `state` has content. */
export function createConversationLog(
  deps: ConversationLogDeps,
  state: LogState = emptyLogState(deps.files.id, Date.now()),
): ConversationLog {
  return hold(deps, state, 0);
}

function hold(deps: ConversationLogDeps, opened: LogState, from: number): ConversationLog {
  const { files } = deps;
  let state = opened;
  let appendedBytes = 0;
  const appender = createLogAppender({
    path: files.log,
    from,
    signer: deps.signer,
    onForeign(lines, isWhole) {
      if (isWhole) state = emptyLogState(files.id, state.createdAtMs);
      const news = lines.filter((line) => applyLine(state, line));
      if (news.length > 0) deps.onForeign(news, isWhole);
    },
    onGone: () => bringIntoBeing(files, state),
    onError: deps.onError,
  });
  return {
    id: files.id,
    get state() {
      return state;
    },
    append(entries) {
      for (const entry of entries) {
        applyEntry(state, entry);
        appendedBytes += entry.e === "append" ? entry.text.length : JSON.stringify(entry).length;
      }
      appender.append(entries);
      if (appendedBytes < lookAtWasteBytes) return;
      appendedBytes = 0;
      appender.flush();
      if (compactIfWasteful(files)) appender.look();
    },
    flush: () => appender.flush(),
    look: () => appender.look(),
    sendHeartbeat: () => touch(files.log),
    isOrphaned(messageId) {
      const writer = state.writers.get(messageId);
      if (writer === deps.signer.writer) return true;
      return (writer !== undefined && hasEnded(writer)) || !hasSignOfLife(files.log);
    },
    close: () => appender.close(),
  };
}

/** Milliseconds without a heartbeat after which a writing window counts as dead. */
const signLastsMs = 15_000;

function touch(path: string): void {
  const now = new Date();
  // Without the heartbeat, other windows show the answer as cut off until its next text arrives.
  if (existsSync(path)) utimesSync(path, now, now);
}

function hasSignOfLife(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < signLastsMs;
}

function compactIfWasteful({ log, id }: ConversationFiles): boolean {
  try {
    return compactLog(log, id);
  } catch {
    // Compaction is optional: without it, the log is only longer than necessary.
    return false;
  }
}

/** Creates the file, or restores one that another window has deleted: a log in use must not stay in the trash. */
function bringIntoBeing({ log, trashed }: ConversationFiles, state: LogState): number {
  if (existsSync(trashed)) {
    renameSync(trashed, log);
    return 0;
  }
  const bytes = Buffer.from(toLogText(state));
  makeFolderNow(dirname(log));
  createPrivatelyNow(log, bytes);
  return bytes.length;
}

/** Writes a whole log if the file does not exist. */
export function writeNewLog({ log }: ConversationFiles, state: LogState): void {
  if (existsSync(log)) throw new Error(`${log} already exists`);
  writeDurablyNow(log, toLogText(state));
}

/**
 * Copies unreadable lines of a log to `<log>.bad`. The log itself is not changed. Returns how many of the lines are new
 * there.
 */
async function keepBadLines(badPath: string, bad: readonly Buffer[]): Promise<number> {
  if (bad.length === 0) return 0;
  const stored = new Set(((await readTextIfThere(badPath)) ?? "").split("\n"));
  const fresh = bad.filter((line) => !stored.has(line.toString("utf8")));
  if (fresh.length > 0)
    await appendPrivately(badPath, Buffer.concat(fresh.flatMap((line) => [line, Buffer.from("\n")])));
  return fresh.length;
}
