import { type LogLine, logVersion, readLine } from "./logEntry.ts";
import { applyLine, emptyLogState, type LogState } from "./logState.ts";

const lineEnd = 10;

/** What a piece of a log says. */
export interface ReadLines {
  readonly lines: LogLine[];
  /** Lines of a newer version, which this one passes over. */
  readonly unknown: number;
  /** Lines that nobody can have meant, as they stand in the file. */
  readonly bad: Buffer[];
  /** Bytes taken in. What follows them is a line that is being written, or was torn. */
  readonly end: number;
}

/** Reads whole lines. The last one counts where it says something: lines are written with their line end before them. */
export function readLines(bytes: Buffer): ReadLines {
  const lines: LogLine[] = [];
  const bad: Buffer[] = [];
  let unknown = 0;
  let from = 0;
  while (from <= bytes.length) {
    const next = bytes.indexOf(lineEnd, from);
    const isLast = next === -1;
    const raw = bytes.subarray(from, isLast ? bytes.length : next);
    const text = raw.toString("utf8").trim();
    const line = text === "" ? undefined : readLine(text);
    if (line === "bad" && isLast) return { lines, unknown, bad, end: from };
    if (line === "bad") bad.push(raw);
    else if (line === "unknown") unknown += 1;
    else if (line) lines.push(line);
    if (isLast) break;
    from = next + 1;
  }
  return { lines, unknown, bad, end: bytes.length };
}

export interface ParsedLog extends Omit<ReadLines, "lines"> {
  readonly state: LogState;
  /** How many lines were understood. */
  readonly understood: number;
  /** The log's first line comes from a newer version, and may mean something else. */
  readonly isNewer: boolean;
}

/** A whole log; `id` and `createdAtMs` stand in for a first line that is lost. */
export function parseLog(bytes: Buffer, id: string, createdAtMs = 0): ParsedLog {
  const { lines, ...rest } = readLines(bytes);
  const state = emptyLogState(id, createdAtMs);
  for (const line of lines) applyLine(state, line);
  const isNewer = lines.some((line) => line.e === "head" && line.v > logVersion);
  return { ...rest, state, understood: lines.length, isNewer };
}
