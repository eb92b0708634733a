import { withLineFeeds } from "../../shared/text/lineFeeds.ts";
import type { CellFacts } from "../language/check/cellFacts.ts";
import { lineText } from "../language/parse/tokens/lineText.ts";
import { closingMarks, type FenceLine, readCellInfo, readFence, readList } from "./fence.ts";

/** A cell of the file. */
export interface FileCell {
  readonly kind: "markup" | "request";
  /** Line ends are normalized to \n. */
  readonly text: string;
  readonly facts: CellFacts;
  /** The source of the cell, which is written back if the cell is unchanged. */
  readonly raw: string;
}

export interface FileDocument {
  /** The text before the first cell: byte order mark, front matter, blank lines. */
  readonly head: string;
  readonly cells: readonly FileCell[];
}

/** Separates consecutive markdown cells. */
export const separator = "<!-- cell -->";

/** Parses Markdown. `head` and the `raw` of all cells concatenated are the original text. */
export function readDocument(text: string): FileDocument {
  const lines = splitLines(text);
  const start = headLines(lines);
  let head = lines.slice(0, start).join("");
  const cells: FileCell[] = [];
  for (const part of readParts(lines, start)) {
    // Blank lines belong to the cell before them.
    const before = isBlankPart(part) ? cells.pop() : undefined;
    if (before) cells.push({ ...before, raw: before.raw + part.raw });
    else if (isBlankPart(part)) head += part.raw;
    else cells.push(part);
  }
  return { head, cells };
}

/** The lines of a text, including their line ends. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push(text.slice(start, index + end.length));
    start = index + end.length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

function isBlankPart({ kind, text }: FileCell): boolean {
  return kind === "markup" && text.trim() === "";
}

/** Number of lines of the front matter. */
function headLines(lines: readonly string[]): number {
  if (!/^\ufeff?---\s*$/.test(lines[0] ?? "")) return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  return end + 1;
}

function readParts(lines: readonly string[], start: number): FileCell[] {
  const parts: FileCell[] = [];
  let prose: string[] = [];
  const endProse = () => {
    if (prose.length > 0) parts.push(toMarkup(prose.join("")));
    prose = [];
  };
  const nextClose = closeFinder(lines);
  for (let at = start; at < lines.length; ) {
    const line = lines[at] ?? "";
    const fence = readFence(lineText(line));
    const close = fence && nextClose(at, fence);
    const facts = close && readCellInfo(fence.info);
    if (facts) {
      endProse();
      parts.push(toRequest(lines.slice(at, close + 1), facts));
      at = close + 1;
    } else if (close) {
      prose.push(...lines.slice(at, close + 1));
      at = close + 1;
    } else {
      if (line.trim() === separator && prose.some((one) => one.trim() !== "")) endProse();
      prose.push(line);
      at++;
    }
  }
  endProse();
  return parts;
}

/** A line that may close a block. */
interface Closing {
  readonly line: number;
  readonly length: number;
  /** The next line below with more marks. */
  longer: Closing | undefined;
}

/**
 * Returns a function that finds the closing line of a block; undefined for an unclosed block, which is prose. Each step
 * goes to the next longer closing line, so the steps are limited by the number of marks of the opening.
 */
function closeFinder(lines: readonly string[]): (open: number, fence: FenceLine) => number | undefined {
  const byMark = new Map(["`", "~"].map((mark) => [mark, closingsOf(lines, mark)]));
  return (open, { marks }) => {
    let found = byMark.get(marks[0] ?? "")?.[open];
    while (found && found.length < marks.length) found = found.longer;
    return found?.line;
  };
}

/** For each line, the first line below it that may close a block of this mark. */
function closingsOf(lines: readonly string[], mark: string): readonly (Closing | undefined)[] {
  const next: (Closing | undefined)[] = [];
  let below: Closing | undefined;
  for (let line = lines.length - 1; line >= 0; line--) {
    next[line] = below;
    const marks = closingMarks(lineText(lines[line] ?? ""));
    if (marks[0] !== mark) continue;
    let longer = below;
    while (longer && longer.length <= marks.length) longer = longer.longer;
    below = { line, length: marks.length, longer };
  }
  return next;
}

function toRequest(lines: readonly string[], facts: CellFacts): FileCell {
  const body = lines.slice(1, -1).join("");
  return { kind: "request", text: withLineFeeds(body).replace(/\n$/, ""), facts, raw: lines.join("") };
}

function toMarkup(raw: string): FileCell {
  const lines = withLineFeeds(raw).split("\n");
  const from = lines.findIndex((line) => line.trim() !== "");
  const isSeparated = lines[from]?.trim() === separator;
  const text = lines.slice(isSeparated ? from + 1 : 0).join("\n");
  return { kind: "markup", text: text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd(), facts: {}, raw };
}

/** The networks in the front matter. */
export function networksInHead(head: string): string[] {
  return readList(entryOf(head, "network")?.text ?? "");
}

/** Sets the networks in the front matter. */
export function withNetworks(head: string, networks: readonly string[]): string {
  return withValue(head, "network", networks.join(", "));
}

/** The environment that the front matter names, also if no environment can have this name. */
export function environmentInHead(head: string): string | undefined {
  return readList(entryOf(head, "env")?.text ?? "")[0];
}

/** Sets the environment in the front matter. */
export function withEnvironment(head: string, environment: string): string {
  return withValue(head, "env", environment);
}

const headKeys = { network: /^(["']?)networks?\1\s*:(.*)$/, env: /^(["']?)env\1\s*:(.*)$/ } as const;
type HeadKey = keyof typeof headKeys;

/** An entry of the front matter: its lines, the last one exclusive, and its words. */
interface HeadEntry {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * The first entry with this key. Its words can be on its line, and on lines below it that are indented or begin with a
 * dash: what is written there counts, so that a form that is not understood is no network instead of the default one.
 */
function entryOf(head: string, key: HeadKey): HeadEntry | undefined {
  const lines = splitLines(head);
  const end = headLines(lines) - 1;
  const from = lines.findIndex((line, at) => at > 0 && at < end && headKeys[key].test(lineText(line)));
  if (from < 0) return undefined;
  const [, , first = ""] = headKeys[key].exec(lineText(lines[from] ?? "")) ?? [];
  const words = [plainWords(first)];
  let to = from + 1;
  for (let at = to; at < end && /^(?:\s|-\s|]|$)/.test(lines[at] ?? ""); at++) {
    const more = plainWords((lines[at] ?? "").trim().replace(/^-\s+/, ""));
    if (more === "") continue;
    words.push(more);
    to = at + 1;
  }
  return { from, to, text: words.join(" ") };
}

/** A text of YAML without comment, quotes and brackets of a list. */
function plainWords(text: string): string {
  return text
    .replace(/(?:^|\s)#.*$/s, "")
    .replace(/["'[\]]/g, "")
    .trim();
}

function withValue(head: string, key: HeadKey, value: string): string {
  const line = `${key}: ${value}`;
  const present = entryOf(head, key);
  const eol = /\r\n/.test(head) ? "\r\n" : "\n";
  if (present)
    return splitLines(head)
      .toSpliced(present.from, present.to - present.from, line + eol)
      .join("");
  const [, mark = "", opening = "", rest = ""] =
    /^(\ufeff?)(---[^\S\r\n]*(?:\r\n|\n|\r))?([\s\S]*)$/.exec(head) ?? [];
  if (opening) return `${mark}${opening}${line}${eol}${rest}`;
  return `${mark}---${eol}${line}${eol}---${eol}${rest}`;
}
