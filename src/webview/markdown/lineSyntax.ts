import { unescaped } from "./entities.ts";
import { tableCells } from "./tableCells.ts";

/** A line as it begins: how far it is indented, in columns, and the rest. Tabs go to the next multiple of four. */
export interface Indented {
  readonly columns: number;
  readonly rest: string;
}

/** Measures the white space at the front of `text`, which begins in column `column`. */
export function measureIndent(text: string, column: number): Indented {
  let columns = 0;
  let at = 0;
  for (; at < text.length; at++) {
    if (text[at] === " ") columns += 1;
    else if (text[at] === "\t") columns += 4 - ((column + columns) % 4);
    else break;
  }
  return { columns, rest: text.slice(at) };
}

/** `text` without its first `count` columns of white space; what is left of a tab becomes spaces. */
export function dropColumns(text: string, column: number, count: number): string {
  let columns = 0;
  let at = 0;
  while (columns < count && (text[at] === " " || text[at] === "\t")) {
    columns += text[at] === " " ? 1 : 4 - ((column + columns) % 4);
    at++;
  }
  return " ".repeat(Math.max(0, columns - count)) + text.slice(at);
}

export function isSpace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\n";
}

/** Without the white space of markdown around it: other kinds, such as spaces that do not break, are text. */
export function trimmed(text: string): string {
  let start = 0;
  while (isSpace(text[start])) start++;
  return trimmedEnd(text.slice(start));
}

export function trimmedEnd(text: string): string {
  let end = text.length;
  while (isSpace(text[end - 1])) end--;
  return text.slice(0, end);
}

export function isBlankText(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

export function isRule(text: string): boolean {
  return /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(text);
}

/** `#` to `######`, then white space. */
export function headingStart(text: string): { readonly level: number; readonly rest: string } | undefined {
  const marks = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0];
  return marks ? { level: marks.length, rest: text.slice(marks.length).replace(/^[ \t]+/, "") } : undefined;
}

export interface Fence {
  readonly mark: string;
  readonly length: number;
  /** Columns by which its lines may be indented without that meaning anything. */
  readonly indent: number;
  readonly info: string;
}

export function fenceStart(text: string, indent: number): Fence | undefined {
  const match = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(text);
  if (!match) return undefined;
  const run = match[1] ?? match[3] ?? "";
  return {
    mark: run.charAt(0),
    length: run.length,
    indent,
    info: unescaped(trimmed(match[2] ?? match[4] ?? "")),
  };
}

export function closesFence(text: string, { mark, length }: Fence): boolean {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(text)?.[1];
  return run?.startsWith(mark) === true && run.length >= length;
}

export interface ListMark {
  /** What items of one list share: the bullet, or the sign after the number. */
  readonly sign: string;
  readonly ordered: boolean;
  readonly start: number;
  readonly width: number;
  readonly rest: string;
}

export function listMark(text: string): ListMark | undefined {
  const match = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(text);
  if (!match) return undefined;
  const [whole, bullet, number, sign] = match;
  return {
    sign: bullet ?? sign ?? "",
    ordered: bullet === undefined,
    start: Number(number ?? 1),
    width: whole.length,
    rest: text.slice(whole.length),
  };
}

/** A table of more columns is text: it would take a browser seconds to lay out. */
const mostColumns = 1000;

export type Alignment = "left" | "right" | "center" | undefined;

/** The alignments that the line under a table's header gives; undefined where it is no such line. */
export function tableAlignments(text: string): Alignment[] | undefined {
  if (!/[|:]/.test(text)) return undefined;
  const cells = tableCells(text);
  if (cells.length === 0 || cells.length > mostColumns) return undefined;
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    const left = cell.startsWith(":");
    const right = cell.endsWith(":");
    if (left && right) return "center";
    return left ? "left" : right ? "right" : undefined;
  });
}
