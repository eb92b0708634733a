import { indentOf } from "../../../shared/text/indent.ts";
import { type Hunk, lineHunks } from "../../../shared/text/lineHunks.ts";
import { folded } from "./folded.ts";
import { widthOf } from "./loosePlace.ts";

/** A replacement as a model wrote it, with line feeds as line ends, of a text that the file writes differently. */
export interface WrittenChange {
  readonly oldText: string;
  readonly newText: string;
  /** The lines of the file that match `oldText`. */
  readonly inFile: string;
  /** The line end for new lines if `inFile` has none. */
  readonly lineEnd: string;
  /** Blanks that stand for one tab; undefined if the file indents as the model does. */
  readonly tabWidth: number | undefined;
}

/**
 * The new text as the file writes: what the model left unchanged is kept as it is in the file, with its line ends,
 * quotes, dashes, white space and indentation. New lines get the line end and the indentation of the lines around.
 */
export function inStyleOf(change: WrittenChange): string {
  const { oldText, newText, inFile, lineEnd } = change;
  const [kept, ends] = linesWithEnds(inFile);
  const [before, after] = [oldText.split("\n"), newText.split("\n")];
  const rowOf = formerRows(lineHunks(oldText, newText), after.length);
  let result = "";
  let former = 0;
  for (const [row, line] of after.entries()) {
    const old = rowOf[row];
    if (old !== undefined) former = old;
    result +=
      old === undefined
        ? indented(line, change)
        : keptLine(line, before[old] ?? "", kept[old] ?? "", change, old === before.length - 1);
    const own = old === undefined ? undefined : ends[old];
    if (row < after.length - 1) result += own || ends[former] || ends[former - 1] || ends[0] || lineEnd;
  }
  return result;
}

/** The lines of a text, and the end of each one; that of the last one is empty. */
function linesWithEnds(text: string): readonly [lines: readonly string[], ends: readonly string[]] {
  const parts = text.split(/(\r\n|\r|\n)/);
  const even = parts.filter((_, index) => index % 2 === 0);
  return [even, even.map((_, index) => parts[2 * index + 1] ?? "")];
}

/** For each new line the former one that it is, or that it replaces; undefined for one that was added. */
function formerRows(hunks: readonly Hunk[], count: number): readonly (number | undefined)[] {
  const rows: (number | undefined)[] = [];
  let shift = 0;
  let next = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks) {
    for (; next < afterStart; next++) rows.push(next + shift);
    for (; next < afterEnd; next++) {
      const former = beforeStart + next - afterStart;
      rows.push(former < beforeEnd ? former : undefined);
    }
    shift = beforeEnd - afterEnd;
  }
  for (; next < count; next++) rows.push(next + shift);
  return rows;
}

/** A changed line, of which the parts that are the same before and after are taken from the file. */
function keptLine(line: string, old: string, kept: string, change: WrittenChange, isLast: boolean): string {
  if (line === old) return kept;
  const [newIndent, oldIndent, keptIndent] = [indentOf(line), indentOf(old), indentOf(kept)];
  const indent = newIndent === oldIndent ? keptIndent : indented(newIndent, change);
  const [fresh, former, stands] = [
    line.slice(newIndent.length),
    old.slice(oldIndent.length),
    kept.slice(keptIndent.length),
  ];
  const folding = { level: "looks", isLineEnd: !isLast } as const;
  const [written, inFile] = [folded(former, folding), folded(stands, folding)];
  if (written.text !== inFile.text) return indent + fresh;
  const [same, sameEnd] = sameParts(former, fresh);
  // Only whole characters of the folded text have a place in the file.
  let head = 0;
  while (head < written.text.length && (written.ends[head] ?? 0) <= same) head += 1;
  head = wholeBefore(written.starts, inFile.starts, head);
  let tail = written.text.length;
  while (tail > head && (written.starts[tail - 1] ?? 0) >= former.length - sameEnd) tail -= 1;
  tail = wholeAfter(written.starts, inFile.starts, tail);
  const count = written.text.length;
  const headEnd = head > 0 ? (written.ends[head - 1] ?? 0) : 0;
  const tailLength = tail < count ? former.length - (written.starts[tail] ?? 0) : 0;
  const begin = head > 0 ? stands.slice(0, inFile.ends[head - 1]) : "";
  const end = tail < count ? stands.slice(inFile.starts[tail]) : "";
  return indent + begin + fresh.slice(headEnd, fresh.length - tailLength) + end;
}

/** The nearest index at or before this one at which a character begins in both texts. */
function wholeBefore(one: Int32Array, other: Int32Array, index: number): number {
  let at = index;
  while (at > 0 && at < one.length && (one[at] === one[at - 1] || other[at] === other[at - 1])) at -= 1;
  return at;
}

function wholeAfter(one: Int32Array, other: Int32Array, index: number): number {
  let at = index;
  while (at > 0 && at < one.length && (one[at] === one[at - 1] || other[at] === other[at - 1])) at += 1;
  return at;
}

/** The lengths of what two texts have in common at their start and, behind that, at their end. */
function sameParts(one: string, other: string): readonly [start: number, end: number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return [start, end];
}

/** A line with the kind of indentation that the file has. */
function indented(line: string, { tabWidth, inFile, oldText }: WrittenChange): string {
  const indent = indentOf(line);
  if (tabWidth === undefined || indent === "") return line;
  const width = widthOf(indent, tabWidth);
  const hasTabs = /^[ ]*\t/m.test(inFile) || !/^[ ]*\t/m.test(oldText);
  const own = hasTabs
    ? "\t".repeat(Math.floor(width / tabWidth)) + " ".repeat(width % tabWidth)
    : " ".repeat(width);
  return own + line.slice(indent.length);
}
