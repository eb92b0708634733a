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

/** A conversation that is open in this window, and its file. */
export interface ConversationLog {
  readonly id: string;
  /** As of all that was appended here, and all that was heard of other windows. */
  readonly state: LogState;
  append(entries: readonly LogEntry[]): void;
  /** Writes at once what `append` was told, before it returns. */
  flush(): void;
  /** Looks for what other windows have written. */
  look(): void;
  /** Shows the others that the answers that are written here go on, also where no text comes. */
  giveSign(): void;
  /** Whether nobody writes this message any more, though nobody has said so. */
  isOrphaned(messageId: string): boolean;
  close(): void;
}

export interface ConversationLogDeps {
  readonly files: ConversationFiles;
  readonly signer: LineNumberer;
  /** What another window has written, all of the log with `isWhole`; `state` has it. */
  readonly onForeign: (lines: readonly LogLine[], isWhole: boolean) => void;
  readonly onError: (error: unknown) => void;
}

/** Where a conversation and what belongs to it lie. */
export interface ConversationFiles {
  readonly id: string;
  readonly log: string;
  /** Copies of lines that could not be read. */
  readonly bad: string;
  /** As version 1 kept it. */
  readonly old: string;
  /** After it was deleted, for as long as that can be undone. */
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

/** Why a log can not be opened. Its file stays as it is. */
export class LogUnreadable extends Error {
  readonly reason: "newer" | "damaged";
  readonly path: string;
  constructor(path: string, reason: "newer" | "damaged") {
    super(reason === "newer" ? `${path} is of a newer version` : `${path} holds no conversation`);
    this.reason = reason;
    this.path = path;
  }
}

/** Bytes appended here after which it is worth looking whether the log has become wasteful. */
const lookAtWasteBytes = 2 * 1024 * 1024;

/** Opens the log; undefined where there is none. Throws LogUnreadable, and what keeps the file from being read. */
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

/** A conversation that has no file until something is appended to it, or `state` says something already. */
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
    giveSign: () => touch(files.log),
    isOrphaned(messageId) {
      const writer = state.writers.get(messageId);
      if (writer === deps.signer.writer) return true;
      return (writer !== undefined && hasEnded(writer)) || !hasSignOfLife(files.log);
    },
    close: () => appender.close(),
  };
}

/** Milliseconds without a sign of life after which a window that was writing is taken for gone. */
const signLastsMs = 15_000;

function touch(path: string): void {
  const now = new Date();
  // Where it can't be done the others see an answer break off that goes on, until its next piece comes.
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
    // It is only longer than it needs to be.
    return false;
  }
}

/** A first file, or the one again that another window has deleted: what is written to is not to be thrown away. */
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

/** Makes a whole log of a state, where there is none yet. */
export function writeNewLog({ log }: ConversationFiles, state: LogState): void {
  if (existsSync(log)) throw new Error(`${log} is there already`);
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
