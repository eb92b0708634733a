import { existsSync, renameSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextIfThere, writeDurablyNow } from "../../../platform/files/durable/durableFile.ts";
import { appendPrivately, createPrivatelyNow, makeFolderNow } from "../../../platform/files/privateFiles.ts";
import { toLogText } from "./log/compactLog.ts";
import type { LogState } from "./log/logState.ts";

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

/** Milliseconds without a heartbeat after which a writing window counts as dead. */
const heartbeatLastsMs = 15_000;

/** Heartbeat of a window that is writing: the modification time of the log. */
export function touchLog({ log }: ConversationFiles): void {
  const now = new Date();
  // Without the heartbeat, other windows show the answer as cut off until its next text arrives.
  if (existsSync(log)) utimesSync(log, now, now);
}

export function hasHeartbeat({ log }: ConversationFiles): boolean {
  const found = statSync(log, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < heartbeatLastsMs;
}

/**
 * Creates the log, or restores one that another window has deleted: a log in use must not stay in the trash. Returns
 * how many of its bytes are in `state`.
 */
export function createOrRestoreLog({ log, trashed }: ConversationFiles, state: LogState): number {
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
export async function saveBadLines(
  { bad: path }: ConversationFiles,
  bad: readonly Buffer[],
): Promise<number> {
  if (bad.length === 0) return 0;
  const stored = new Set(((await readTextIfThere(path)) ?? "").split("\n"));
  const fresh = bad.filter((line) => !stored.has(line.toString("utf8")));
  if (fresh.length > 0)
    await appendPrivately(path, Buffer.concat(fresh.flatMap((line) => [line, Buffer.from("\n")])));
  return fresh.length;
}
