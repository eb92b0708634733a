import { withLineFeeds } from "../../shared/text/lineFeeds.ts";
import type { CellFacts } from "../language/check/cellFacts.ts";
import { lineText } from "../language/parse/tokens/lineText.ts";
import { closesCellFence, closingMarks, type FenceLine, readFence, writeInfo } from "./fence.ts";
import { type FileCell, readDocument, separator, splitLines } from "./readDocument.ts";

/** A cell to write; `raw` is its source in the file, if it was read from one. */
export interface WrittenCell {
  readonly kind: "markup" | "request";
  readonly text: string;
  readonly facts: CellFacts;
  readonly raw?: string | undefined;
}

/** Writes Markdown that parses to the same cells. Unchanged cells are written byte for byte. */
export function writeDocument(head: string, cells: readonly WrittenCell[]): string {
  const eol = lineEndOf(head + cells.map(({ raw = "" }) => raw).join(""));
  const parts = cells.flatMap((cell) => {
    const own = unchanged(cell) ?? written(cell, eol);
    return own.trim() === "" ? [] : [{ cell, own }];
  });
  const plain = joinParts(head, parts, eol);
  if (readsBack(plain, parts)) return plain;
  // Close a fence that prose leaves open. It would swallow the following cells.
  const closed = parts.map(({ cell, own }, index) => ({
    cell,
    own: cell.kind === "markup" && index < parts.length - 1 ? withClosedFence(own, eol) : own,
  }));
  // Otherwise a first line of dashes would start front matter.
  const guard = head === "" && /^\ufeff?---\s*$/.test(lineText(splitLines(closed[0]?.own ?? "")[0] ?? ""));
  return joinParts(guard ? eol : head, closed, eol);
}

interface Part {
  readonly cell: WrittenCell;
  readonly own: string;
}

function joinParts(head: string, parts: readonly Part[], eol: string): string {
  const pieces = [head];
  parts.forEach(({ cell, own }, index) => {
    const before = parts[index - 1];
    const last = before?.own ?? head;
    const end = last === "" || endsLine(last) ? "" : eol;
    const needsMark = before?.cell.kind === "markup" && cell.kind === "markup" && !startsSeparated(own);
    const blank = needsMark && !endsWithBlank(last + end) ? eol : "";
    pieces.push(end, blank, needsMark ? `${separator}${eol}` : "", own);
  });
  return pieces.join("");
}

function readsBack(text: string, parts: readonly Part[]): boolean {
  const { cells } = readDocument(text);
  return cells.length === parts.length && parts.every(({ cell }, index) => isSame(cells[index], cell));
}

function withClosedFence(own: string, eol: string): string {
  const open = openFence(own);
  return open ? `${withEnd(own, eol)}${open.marks}${eol}` : own;
}

function withEnd(text: string, eol: string): string {
  return text === "" || endsLine(text) ? text : text + eol;
}

function endsLine(text: string): boolean {
  return text.endsWith("\n") || text.endsWith("\r");
}

function endsWithBlank(text: string): boolean {
  return trailingBlankLines(text).length > 0;
}

/** The blank lines at the end of a text, including their line ends. */
function trailingBlankLines(text: string): readonly string[] {
  const end = text.trimEnd().length;
  const [, ...blank] = splitLines(text.slice(end));
  // A last line without a line end is not a blank line.
  return blank.filter(endsLine).length === blank.length ? blank : [];
}

function startsSeparated(own: string): boolean {
  return own.trimStart().startsWith(separator) && splitLines(own.trimStart())[0]?.trim() === separator;
}

/** The source of a cell, if it still parses to the same cell. */
function unchanged(cell: WrittenCell): string | undefined {
  return cell.raw !== undefined && isSame(cellOf(cell.raw), cell) ? cell.raw : undefined;
}

function isSame(read: FileCell | undefined, { kind, text, facts }: WrittenCell): boolean {
  return read?.kind === kind && read.text === withLineFeeds(text) && sameFacts(read.facts, facts);
}

/** The only cell in a source; undefined if there are more. */
function cellOf(raw: string): FileCell | undefined {
  const { head, cells } = readDocument(`\n${raw}`);
  return head.trim() === "" && cells.length === 1 ? cells[0] : undefined;
}

function sameFacts(a: CellFacts, b: CellFacts): boolean {
  return a.name === b.name && a.view === b.view && a.networks?.join() === b.networks?.join();
}

function written({ kind, text, facts, raw }: WrittenCell, eol: string): string {
  const lines = withLineFeeds(text).split("\n");
  const gap = raw === undefined ? eol : trailingBlankLines(raw).join("");
  if (kind === "markup") return text.trim() === "" ? "" : `${lines.join(eol).trimEnd()}${eol}${gap}`;
  const fence = readFence(lineText(splitLines(raw ?? "")[0] ?? ""));
  const marks = longEnough(fence?.marks ?? "```", lines);
  const indent = fence?.indent ?? "";
  const body = text === "" ? [] : lines;
  const opening = `${indent}${marks}${writeInfo(fence?.info ?? "", facts)}`;
  return [opening, ...body, `${indent}${marks}`].map((line) => line + eol).join("") + gap;
}

/** A fence that no line of the body closes. */
function longEnough(marks: string, lines: readonly string[]): string {
  const [mark = "`"] = marks;
  let length = marks.length;
  for (const line of lines) {
    const own = closingMarks(line);
    if (own[0] === mark) length = Math.max(length, own.length + 1);
  }
  return mark.repeat(length);
}

/** The fence that is still open at the end of a text. */
function openFence(text: string): FenceLine | undefined {
  let open: FenceLine | undefined;
  for (const line of splitLines(text).map(lineText)) {
    if (open) open = closesCellFence(line, open) ? undefined : open;
    else open = readFence(line);
  }
  return open;
}

function lineEndOf(text: string): string {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  const lf = text.match(/\n/g)?.length ?? 0;
  return crlf > lf - crlf ? "\r\n" : "\n";
}
