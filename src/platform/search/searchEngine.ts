import type { FolderRules } from "./rules/folderRules.ts";

/** What a line has to contain: a regular expression. A line break in it makes it one for several lines. */
export interface LinePattern {
  readonly source: string;
  readonly isCaseSensitive: boolean;
}

/** The files of a search. */
export interface SearchScope {
  /** Absolute path of the workspace folder; empty if it is not on this machine. */
  readonly root: string;
  readonly rules: FolderRules;
  /** Path of the searched folder below the root; empty for all. */
  readonly folder: string;
  /** By the path below the root. What is not wanted is not read, or counts for nothing. */
  wants(path: string): boolean;
  /** A pattern that the names of all wanted files match. */
  readonly names: string | undefined;
  /** A label of the Encoding standard; UTF-8 if undefined. A byte order mark in a file is stronger. */
  readonly encoding: string | undefined;
}

export interface FoundLine {
  /** From 1. */
  readonly line: number;
  /** Without its line break. The part around the match, if the line is long. */
  readonly text: string;
}

export interface FoundFile {
  /** Path below the root. */
  readonly path: string;
  /** At least one, in order, at most `maxLinesOfFile`. */
  readonly lines: readonly FoundLine[];
}

export interface Found {
  /** In no order. */
  readonly files: readonly FoundFile[];
  /** Number of files and folders that could not be read. */
  readonly unread: number;
  /** Why the search ended: with all files, with too many found lines, or files, or with too much time. */
  readonly end: "complete" | "lines" | "files" | "time";
}

export interface FoundPaths {
  /** Paths below the root, in no order. */
  readonly paths: readonly string[];
  readonly isComplete: boolean;
}

/** Searches the text of files, and lists them. All methods reject with the signal's reason. */
export interface SearchEngine {
  /** Rejects with an InvalidPattern. */
  search(scope: SearchScope, pattern: LinePattern, signal: AbortSignal): Promise<Found>;
  /** The same in a text. */
  searchText(text: string, pattern: LinePattern, signal: AbortSignal): Promise<readonly FoundLine[]>;
  list(scope: SearchScope, maxFiles: number, signal: AbortSignal): Promise<FoundPaths>;
}

/** The pattern is not a regular expression; the message says why. */
export class InvalidPattern extends Error {}

/** Limits of a search. */
export const searchLimits = {
  /** Lines that are kept of a file. More of them are not counted. */
  linesOfFile: 100,
  /** Lines that are kept in all. */
  lines: 10_000,
  /** Characters that are kept of a line. */
  lineLength: 400,
  /** Larger files are not searched. */
  fileBytes: 10_000_000,
  timeMs: 20_000,
};

/** A regular expression that matches this text only. Line breaks may be those of Windows. */
export function patternOfText(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&").replace(/\r?\n/g, "\\r?\\n");
}

/** True if a match can have several lines. */
export function spansLines(source: string): boolean {
  return /\n|\\n|\\r/.test(source);
}

/** A line as it is kept: whole, or the part around the match at this index. */
export function keptLine(text: string, matchIndex: number): string {
  const line = text.replace(/\r$/, "");
  const { lineLength } = searchLimits;
  if (line.length <= lineLength) return line;
  const start = matchIndex < (lineLength * 3) / 4 ? 0 : matchIndex - Math.floor(lineLength / 4);
  const end = start + lineLength;
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}
