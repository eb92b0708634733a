import { withLineFeeds } from "../../shared/text/lineFeeds.ts";
import { type Hunk, lineHunks } from "../../shared/text/lineHunks.ts";

/** Lines that an agent changed and the user has neither accepted nor rejected. */
export interface PendingHunk {
  /** Unique in the file as long as the hunk exists; stable while other lines change. */
  readonly id: string;
  /** The first line in the text as it is now, counted from 0. */
  readonly startLine: number;
  /** The number of lines in the text; 0 if lines were only removed. */
  readonly lineCount: number;
  /** The replaced lines without `\n`; empty if lines were only added. */
  readonly before: readonly string[];
}

/** Whole lines `start` to before `end` were replaced by `count` lines. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** Hunks of one text, ordered by line, and not overlapping. */
export type HunkList = readonly PendingHunk[];

/** An edit of an editor by positions. A change of whole lines does not touch the line after it. */
export function toLineChange(
  range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  },
  text: string,
): LineChange {
  const breaks = text.split("\n").length - 1;
  const isWholeLines =
    range.start.character === 0 && range.end.character === 0 && (text === "" || text.endsWith("\n"));
  return isWholeLines
    ? { start: range.start.line, end: range.end.line, count: breaks }
    : { start: range.start.line, end: range.end.line + 1, count: breaks + 1 };
}

/**
 * The hunks after an edit of the user in one or more places, the last place first: hunks below move, and a hunk that the
 * edit touches is gone, because what the user typed must not be lost by rejecting it. Takes one pass over both lists.
 */
export function afterUserEdit(hunks: HunkList, places: readonly LineChange[]): HunkList {
  if (hunks.length === 0) return hunks;
  // The editor lists them from the end. In another order, a place is relative to the text after those before it.
  const isFromEnd = places.every(({ start }, index) => start <= (places[index - 1]?.start ?? start));
  if (!isFromEnd) return places.reduce<HunkList>((left, place) => afterUserEdit(left, [place]), hunks);
  const changes = joined(places);
  const kept: PendingHunk[] = [];
  let isSame = true;
  let next = 0;
  let by = 0;
  for (const hunk of hunks) {
    let change = changes[next];
    for (; change && change.end <= hunk.startLine; change = changes[++next]) by += growth(change);
    if (change && touches(hunk, change)) isSame = false;
    else if (by === 0) kept.push(hunk);
    else {
      kept.push({ ...hunk, startLine: hunk.startLine + by });
      isSame = false;
    }
  }
  return isSame ? hunks : kept;
}

/** Changes from the last to the first as changes of the former text in order. Those that meet in a line become one. */
function joined(changes: readonly LineChange[]): readonly LineChange[] {
  const result: LineChange[] = [];
  for (const change of changes) {
    const below = result.at(-1);
    if (!below || change.end <= below.start) {
      result.push(change);
      continue;
    }
    const { start } = change;
    const end = Math.max(below.end, change.end - growth(below));
    result[result.length - 1] = { start, end, count: end - start + growth(below) + growth(change) };
  }
  return result.reverse();
}

function growth({ start, end, count }: LineChange): number {
  return count - (end - start);
}

function touches({ startLine, lineCount }: PendingHunk, { start, end }: LineChange): boolean {
  const endLine = startLine + lineCount;
  if (start === end || lineCount === 0) return start < endLine && end > startLine;
  return startLine < end && endLine > start;
}

/** The hunks after an agent has changed a text. `newId` names new hunks. */
export function afterAgentEdit(
  hunks: HunkList,
  oldText: string,
  newText: string,
  newId: () => string,
): HunkList {
  const changes = lineHunks(oldText, newText);
  if (changes.length === 0) return hunks;
  const [oldLines, newLines] = [oldText.split("\n"), newText.split("\n")];
  const result: PendingHunk[] = [];
  const [changesLeft, hunksLeft] = [[...changes], [...hunks]];
  let by = 0;
  for (let change = changesLeft.shift(); change; change = changesLeft.shift()) {
    pushAbove(change.beforeStart, hunksLeft, result, by);
    const touching = takeTouching(change, changesLeft, hunksLeft);
    const { start, end } = touching;
    const from = Math.min(change.afterStart, start + by);
    const before = originalLines(oldLines, touching.hunks, start, end);
    const now = newLines.slice(from, end + touching.by);
    const id = touching.hunks[0]?.id;
    if (!isSame(before, now))
      result.push(trimmed({ id: id ?? newId(), startLine: from, lineCount: now.length, before }, now));
    by = touching.by;
  }
  for (const hunk of hunksLeft) push(result, hunk, by);
  return result;
}

/** Lines `start` to before `end` of the old text, in which hunks and changes touch each other. */
interface Touching {
  readonly start: number;
  readonly end: number;
  /** The number of lines by which the text below moves. */
  readonly by: number;
  readonly hunks: HunkList;
}

/** Takes the changes and hunks that touch a change, or one another, from those that are left. */
function takeTouching(change: Hunk, changesLeft: Hunk[], hunksLeft: PendingHunk[]): Touching {
  let { beforeStart: start, beforeEnd: end } = change;
  let by = change.afterEnd - end;
  const hunks: PendingHunk[] = [];
  for (;;) {
    const hunk = hunksLeft[0];
    const next = changesLeft[0];
    if (hunk && hunk.startLine <= end) {
      hunks.push(hunksLeft.shift() as PendingHunk);
      start = Math.min(start, hunk.startLine);
      end = Math.max(end, hunk.startLine + hunk.lineCount);
    } else if (next && next.beforeStart < end) {
      changesLeft.shift();
      end = Math.max(end, next.beforeEnd);
      by = next.afterEnd - next.beforeEnd;
    } else return { start, end, by, hunks };
  }
}

/** Moves hunks that end above a line from `rest` to the result. */
function pushAbove(line: number, rest: PendingHunk[], result: PendingHunk[], by: number): void {
  while (rest[0] && rest[0].startLine + rest[0].lineCount < line)
    push(result, rest.shift() as PendingHunk, by);
}

function push(result: PendingHunk[], hunk: PendingHunk, by: number): void {
  result.push(by === 0 ? hunk : { ...hunk, startLine: hunk.startLine + by });
}

/** Without equal lines at both ends. */
function trimmed(hunk: PendingHunk, now: readonly string[]): PendingHunk {
  const { before } = hunk;
  const most = Math.min(before.length, now.length);
  let head = 0;
  while (head < most && before[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return {
    ...hunk,
    startLine: hunk.startLine + head,
    lineCount: now.length - head - tail,
    before: before.slice(head, before.length - tail),
  };
}

/** Lines `start` to before `end` of the text without these hunks, which lie in that range. */
function originalLines(lines: readonly string[], hunks: HunkList, start: number, end: number): string[] {
  const original: string[] = [];
  let at = start;
  for (const { startLine, lineCount, before } of hunks) {
    for (; at < startLine; at++) original.push(lines[at] as string);
    for (const line of before) original.push(line);
    at = startLine + lineCount;
  }
  for (; at < end; at++) original.push(lines[at] as string);
  return original;
}

/** The text without its pending hunks. */
export function originalText(text: string, hunks: HunkList): string {
  const lines = text.split("\n");
  return originalLines(lines, hunks, 0, lines.length).join("\n");
}

/** The text without one hunk, and the hunks that are left. */
export function rejectedHunk(
  text: string,
  hunks: HunkList,
  id: string,
): { readonly text: string; readonly hunks: HunkList } | undefined {
  const at = hunks.findIndex((one) => one.id === id);
  const hunk = hunks[at];
  if (!hunk) return undefined;
  const lines = text.split("\n");
  const by = hunk.before.length - hunk.lineCount;
  // By their order, because hunks that only removed lines may stand at the same line.
  const left = [
    ...hunks.slice(0, at),
    ...hunks.slice(at + 1).map((one) => ({ ...one, startLine: one.startLine + by })),
  ];
  const result = originalLines(lines, [hunk], 0, lines.length);
  // A text has at least one line, so the others can't be relative to none.
  const rest = originalLines(result, left, 0, result.length);
  if (result.length === 0 && rest.length > 0)
    return { text: "", hunks: [{ id: left[0]?.id ?? id, startLine: 0, lineCount: 1, before: rest }] };
  return { text: result.join("\n"), hunks: result.length === 0 ? [] : left };
}

/**
 * The hunks after others have changed the text while no editor had it open. Texts that differ in their line ends alone are the same:
 * in an editor, a `\r` alone ends a line, too, so that it has more lines than its file.
 */
export function afterForeignEdit(hunks: HunkList, oldText: string, newText: string): HunkList {
  const isSameButLines = oldText !== newText && withLineFeeds(oldText) === withLineFeeds(newText);
  if (isSameButLines) return inLinesOf(hunks, oldText, newText);
  const [before, now] = [withoutReturns(oldText), withoutReturns(newText)];
  const changes = lineHunks(before, now).map(({ beforeStart, beforeEnd, afterStart, afterEnd }) => ({
    start: beforeStart,
    end: beforeEnd,
    count: afterEnd - afterStart,
  }));
  return afterUserEdit(hunks, changes.reverse());
}

/** A text whose lines end with `\n` alone, as hunks count them. */
export function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The hunks at the lines that they have in a text with other line ends. */
function inLinesOf(hunks: HunkList, oldText: string, newText: string): HunkList {
  const [from, to] = [startsOfLines(oldText), startsOfLines(newText)];
  const lineAt = new Map(to.map((start, line) => [start, line]));
  const moved = (line: number) => lineAt.get(from[line] ?? 0) ?? line;
  return hunks.map((hunk) => {
    const startLine = moved(hunk.startLine);
    return { ...hunk, startLine, lineCount: moved(hunk.startLine + hunk.lineCount) - startLine };
  });
}

/** The line of an editor at which each line begins, and one for the end. */
function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  let count = 0;
  for (const line of withoutReturns(text).split("\n")) {
    count += line.split("\r").length;
    starts.push(count);
  }
  return starts;
}

/** Added and removed lines. */
export function countLines(hunks: HunkList): { readonly added: number; readonly removed: number } {
  return {
    added: hunks.reduce((sum, { lineCount }) => sum + lineCount, 0),
    removed: hunks.reduce((sum, { before }) => sum + before.length, 0),
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
