import { indentWidth, isComment, isWritten } from "../../../shared/text/codeLines.ts";
import { isElided, isElision, leavesOutInLine } from "../../../shared/text/elision.ts";
import { losesParts } from "../../../shared/text/losesParts.ts";
import { indentedAs, type LineEdit } from "./textLines.ts";

/**
 * The lines of a file that a snippet replaces; undefined if that is ambiguous. Both ends of a range are anchored at a
 * line that occurs once in the file: a line of the snippet itself, or the construct that such a line opens, up to its
 * end. Parts that the snippet omits by a comment such as `// ...` stay.
 */
export function placeSnippet(file: readonly string[], code: readonly string[]): LineEdit[] | undefined {
  if (code.some(leavesOutInLine)) return undefined;
  const isCut = code.some(isElision);
  const find = finderOf(file, code);
  const edits: LineEdit[] = [];
  for (const segment of toSegments(code)) {
    // A segment of brackets only closes a part that stays.
    if (isCut && !segment.some(isTelling)) continue;
    const edit = placeSegment(file, segment, find);
    if (!edit || edit.start < (edits.at(-1)?.end ?? 0)) return undefined;
    edits.push(edit);
  }
  return edits.length > 0 ? edits : undefined;
}

/** True if a block is a new version of a whole file. */
export function isWholeFile(file: readonly string[], code: readonly string[]): boolean {
  const inFile = file.filter(isTelling).map((line) => line.trim());
  if (inFile.length === 0) return true;
  const inCode = new Set(code.map((line) => line.trim()));
  const stored = inFile.filter((line) => inCode.has(line)).length;
  const hasAnEnd = inCode.has(inFile[0] ?? "") || inCode.has(inFile.at(-1) ?? "");
  const isAsLong = code.filter(isWritten).length >= 0.75 * file.filter(isWritten).length;
  return !isElided(code) && hasAnEnd && isAsLong && stored >= inFile.length / 2 && !losesParts(file, code);
}

/** The line number in the file; undefined unless the line is significant and occurs once in both. */
type Finder = (line: string) => number | undefined;

function finderOf(file: readonly string[], code: readonly string[]): Finder {
  const [inFile, inCode] = [file, code].map((lines) => {
    const places = new Map<string, number>();
    for (const [index, line] of lines.entries())
      places.set(line.trim(), places.has(line.trim()) ? -1 : index);
    return places;
  });
  return (line) => {
    const trimmed = line.trim();
    const at = inCode?.get(trimmed) === -1 || !isTelling(line) ? undefined : inFile?.get(trimmed);
    return at === -1 ? undefined : at;
  };
}

interface Anchor {
  /** Line numbers in the segment and in the file. */
  readonly index: number;
  readonly at: number;
}

function placeSegment(
  file: readonly string[],
  segment: readonly string[],
  find: Finder,
): LineEdit | undefined {
  const anchors = segment.flatMap((line, index): Anchor[] => {
    const at = find(line);
    return at === undefined ? [] : [{ index, at }];
  });
  const first = anchors.find(({ index }) => !isAside(segment[index] ?? "")) ?? anchors[0];
  const last = anchors.at(-1);
  const start = first && startOf(file, segment, first);
  if (!first || !last || start === undefined) return undefined;
  const construct = constructOf(segment.slice(first.index));
  const end = construct ? constructEnd(file, first.at, construct) : tailEnd(file, segment, first, last);
  if (end === undefined) return undefined;
  // A line that also occurs elsewhere in the file would be duplicated.
  if (!construct && anchors.some(({ at }) => at < start || at >= end)) return undefined;
  const range = file.slice(start, end);
  if (bracketsOf(range) !== bracketsOf(segment) || losesParts(range, segment)) return undefined;
  const lines = indentedAs(segment, segment[first.index] ?? "", file[first.at] ?? "");
  // A closing bracket keeps the comma that follows it.
  const close = construct?.close === undefined ? undefined : range.at(-1);
  return { start, end, lines: close === undefined ? lines : [...lines.slice(0, -1), close] };
}

/** The first line of a segment; undefined if a line before its first anchor has no place in the file. */
function startOf(
  file: readonly string[],
  segment: readonly string[],
  { index, at }: Anchor,
): number | undefined {
  let same = 0;
  while (same < index && same < at && isSame(segment[index - 1 - same], file[at - 1 - same])) same += 1;
  const rest = segment.slice(0, index - same);
  if (!rest.every((line) => !isWritten(line) || isAside(line))) return undefined;
  const hasDoc = rest.some((line) => line.trim().startsWith("/**"));
  return hasDoc ? docStart(file, at - same) : at - same;
}

/** Lines that may precede a construct without being part of it: comments, decorators. */
function isAside(line: string): boolean {
  return isComment(line) || line.trim().startsWith("@");
}

/** The first line of the doc comment directly above a line, else the line itself. */
function docStart(file: readonly string[], at: number): number {
  if (!file[at - 1]?.trim().endsWith("*/")) return at;
  let start = at - 1;
  while (start > 0 && file[start]?.trim().startsWith("*")) start -= 1;
  return file[start]?.trim().startsWith("/**") ? start : at;
}

/** The line after the segment's last, if all lines after its last anchor equal the file's. */
function tailEnd(
  file: readonly string[],
  segment: readonly string[],
  first: Anchor,
  last: Anchor,
): number | undefined {
  const tail = segment.slice(last.index + 1);
  if (!tail.every((line, index) => isSame(line, file[last.at + 1 + index]))) return undefined;
  const deeper = (lines: readonly string[], from: number, to: number) =>
    Math.sign(indentWidth(lines[to] ?? "") - indentWidth(lines[from] ?? ""));
  const isLevel = deeper(file, first.at, last.at) === deeper(segment, first.index, last.index);
  return isLevel ? last.at + 1 + tail.length : undefined;
}

/** A single function, class or similar; `close` is its closing token, undefined if indentation ends it. */
interface Construct {
  readonly close: string | undefined;
  /** The opening bracket is on a line of its own. */
  readonly opensBelow: boolean;
}

function constructOf(lines: readonly string[]): Construct | undefined {
  const [open = "", ...rest] = lines;
  const body = rest.filter(isWritten);
  const opensBelow = body[0]?.trim() === "{" && indentWidth(body[0]) === indentWidth(open);
  const inside = opensBelow ? body.slice(1) : body;
  const outer = inside.filter((line) => indentWidth(line) <= indentWidth(open));
  const last = inside.at(-1);
  if (last === undefined) return undefined;
  if (outer.length === 0) return /:\s*(?:#.*)?$/.test(open) ? { close: undefined, opensBelow } : undefined;
  const isClosed = outer.length === 1 && outer[0] === last && /^(?:[}\])]|<\/|end\b)/.test(last.trim());
  return isClosed && inside.length > 1 ? { close: bare(last), opensBelow } : undefined;
}

/** The line after the construct that starts at `at`. */
function constructEnd(file: readonly string[], at: number, construct: Construct): number | undefined {
  const width = indentWidth(file[at] ?? "");
  const from = construct.opensBelow && file[at + 1]?.trim() === "{" ? at + 2 : at + 1;
  const isOuter = (line: string) => isWritten(line) && indentWidth(line) <= width;
  const isEnd = (line: string) => isOuter(line) && (construct.close !== undefined || !isComment(line));
  let end = from;
  while (end < file.length && !isEnd(file[end] ?? "")) end += 1;
  if (construct.close !== undefined) return bare(file[end] ?? "") === construct.close ? end + 1 : undefined;
  const body = file.slice(from, end);
  const last = body.findLastIndex((line) => isWritten(line) && indentWidth(line) > width);
  // Inside a multi-line string, indentation is meaningless.
  const quotes = body.join("\n").split(/"""|'''/).length - 1;
  return last < 0 || quotes % 2 === 1 ? undefined : from + last + 1;
}

/** A closing line without its trailing comma or semicolon. */
function bare(line: string): string {
  return line.trim().replace(/[,;]$/, "");
}

/** The number of unclosed brackets of each kind. */
function bracketsOf(lines: readonly string[]): string {
  const text = lines.join("\n");
  const count = (sign: string) => text.split(sign).length;
  return ["{}", "()", "[]"].map(([open = "", close = ""]) => count(open) - count(close)).join();
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one.trim() === other.trim();
}

const commonWords = new Set(
  "else try finally return break continue end do then fi done esac begin pass default null none nil true false this self catch if for while switch case void in of".split(
    " ",
  ),
);

/** True if the line has a word that is not a keyword: a bracket, or `return;`, can occur anywhere. */
function isTelling(line: string): boolean {
  const words = line.match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  return words.some((word) => !commonWords.has(word.toLowerCase()));
}

/** The parts between omissions, without blank lines around them. */
function toSegments(code: readonly string[]): string[][] {
  const segments: string[][] = [[]];
  for (const line of code) {
    if (isElision(line)) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  return segments
    .map((lines) => lines.slice(lines.findIndex(isWritten), lines.findLastIndex(isWritten) + 1))
    .filter((lines) => lines.length > 0);
}
