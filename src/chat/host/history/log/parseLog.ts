import { type LogLine, logVersion, readLine } from "./logEntry.ts";
import { applyLine, emptyLogState, type LogState } from "./logState.ts";

const lineEnd = 10;
const lineStart = Buffer.from("\n");
/** Damaged lines that are looked for in the rest of the file. */
const mostCompared = 100;

/** The parsed part of a log. */
export interface ReadLines {
  readonly lines: LogLine[];
  /** Lines of a newer version, which are skipped. */
  readonly unknown: number;
  /** Damaged lines, unchanged; without those that were cut off by a full disk and written again. */
  readonly bad: Buffer[];
  /** Parsed bytes. The rest is an incomplete line, which is still being written or was torn. */
  readonly end: number;
}

/** Reads whole lines. The last line counts if it is complete: a line end is written before each line. */
export function readLines(bytes: Buffer): ReadLines {
  const lines: LogLine[] = [];
  const bad: Buffer[] = [];
  let unknown = 0;
  let from = 0;
  while (from <= bytes.length) {
    const next = bytes.indexOf(lineEnd, from);
    const isLast = next === -1;
    const raw = bytes.subarray(from, isLast ? bytes.length : next);
    const line = lineIn(raw);
    if (line === "bad" && isLast) return { lines, unknown, bad: lostOf(bytes, bad), end: from };
    if (line === "bad") bad.push(raw);
    else if (line === "unknown") unknown += 1;
    else if (line) lines.push(line);
    if (isLast) break;
    from = next + 1;
  }
  return { lines, unknown, bad: lostOf(bytes, bad), end: bytes.length };
}

/** Without those that begin a later line, because a write that failed half way was repeated. */
function lostOf(bytes: Buffer, bad: readonly Buffer[]): Buffer[] {
  const isRepeated = (raw: Buffer) =>
    bytes.indexOf(Buffer.concat([lineStart, raw]), raw.byteOffset - bytes.byteOffset + raw.length) >= 0;
  return bad.filter((raw, index) => index >= mostCompared || !isRepeated(raw));
}

/** Undefined for an empty line. */
function lineIn(raw: Buffer): ReturnType<typeof readLine> | undefined {
  const text = raw.toString("utf8").trim();
  return text === "" ? undefined : readLine(text);
}

export interface ParsedLog extends Omit<ReadLines, "lines"> {
  readonly state: LogState;
  /** Number of valid lines. */
  readonly understood: number;
  /** The first line is of a newer version, so the format may differ. */
  readonly isNewer: boolean;
}

/** Parses a whole log; `id` and `createdAtMs` are used if its first line is lost. */
export function parseLog(bytes: Buffer, id: string, createdAtMs = 0): ParsedLog {
  const { lines, ...rest } = readLines(bytes);
  const state = emptyLogState(id, createdAtMs);
  for (const line of lines) applyLine(state, line);
  const isNewer = lines.some((line) => line.e === "head" && line.v > logVersion);
  return { ...rest, state, understood: lines.length, isNewer };
}
