import { type Hunk, lineHunks } from "../../../../shared/text/lineHunks.ts";

/** Lines that two texts have changed from the same ones, each in its own way. */
export interface Conflict {
  /** The first of them in the first text, from 1. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export type Merged = { readonly text: string } | { readonly conflicts: readonly Conflict[] };

const loneBreak = /(?<!\r)\n/;

/**
 * Makes the changes of `theirs` since `base` in `ours`, line by line. Changes of lines that touch are a conflict, unless both
 * are the same. Line ends count as the same and are those of `ours`, unless that has both kinds.
 */
export function threeWay(base: string, ours: string, theirs: string): Merged {
  const isWindows = ours.includes("\r\n");
  if (isWindows && loneBreak.test(ours)) return mergedLines(base, ours, theirs);
  const [former = "", own = "", given = ""] = [base, ours, theirs].map((one) => one.replace(/\r\n/g, "\n"));
  const merged = mergedLines(former, own, given);
  return isWindows && "text" in merged ? { text: merged.text.replaceAll("\n", "\r\n") } : merged;
}

interface Side {
  readonly lines: readonly string[];
  readonly hunks: readonly Hunk[];
}

function mergedLines(base: string, ours: string, theirs: string): Merged {
  const lines = base.split("\n");
  const sideOf = (text: string): Side => ({ lines: text.split("\n"), hunks: lineHunks(base, text) });
  const [first, second] = [sideOf(ours), sideOf(theirs)];
  const merged: string[] = [];
  const conflicts: Conflict[] = [];
  let done = 0;
  for (const place of placesOf(first.hunks, second.hunks)) {
    for (const line of lines.slice(done, place.start)) merged.push(line);
    done = place.end;
    const [mine, other] = [takenFrom(first, place, place.first), takenFrom(second, place, place.second)];
    const own = mine?.lines.join("\n");
    const given = other?.lines.join("\n");
    if (mine && other && (own !== given || mine.lines.length !== other.lines.length)) {
      const former = lines.slice(place.start, place.end).join("\n");
      conflicts.push({ line: mine.start + 1, base: former, ours: own ?? "", theirs: given ?? "" });
    }
    for (const line of (mine ?? other)?.lines ?? []) merged.push(line);
  }
  for (const line of lines.slice(done)) merged.push(line);
  return conflicts.length > 0 ? { conflicts } : { text: merged.join("\n") };
}

/** Lines of the base that are changed, with the hunks of each side that touch them. */
interface Place {
  readonly start: number;
  end: number;
  readonly first: Hunk[];
  readonly second: Hunk[];
}

function placesOf(first: readonly Hunk[], second: readonly Hunk[]): readonly Place[] {
  const all = [
    ...first.map((hunk) => ({ hunk, isFirst: true })),
    ...second.map((hunk) => ({ hunk, isFirst: false })),
  ].sort((a, b) => a.hunk.beforeStart - b.hunk.beforeStart || a.hunk.beforeEnd - b.hunk.beforeEnd);
  const places: Place[] = [];
  for (const { hunk, isFirst } of all) {
    const last = places.at(-1);
    const place =
      last && hunk.beforeStart <= last.end
        ? last
        : { start: hunk.beforeStart, end: hunk.beforeEnd, first: [], second: [] };
    if (place !== last) places.push(place);
    place.end = Math.max(place.end, hunk.beforeEnd);
    (isFirst ? place.first : place.second).push(hunk);
  }
  return places;
}

/** The lines that a side has in place of those of the base; undefined if it has changed none of them. */
function takenFrom(
  { lines }: Side,
  { start, end }: Place,
  hunks: readonly Hunk[],
): { readonly start: number; readonly lines: readonly string[] } | undefined {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (!first || !last) return undefined;
  const from = first.afterStart - (first.beforeStart - start);
  return { start: from, lines: lines.slice(from, last.afterEnd + (end - last.beforeEnd)) };
}
