/** A range of differing lines in two texts, counted from 0; the end is exclusive. One side may be empty. */
export interface Hunk {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Texts with more differing lines are split at lines that both have once, as are their parts, */
const mostDifferences = 1_000;
/** so often. What still has more is one hunk. */
const mostSplits = 3;

/**
 * The hunks between two texts in order, with the fewest lines (Myers, "An O(ND) Difference Algorithm", 1986). Texts that
 * differ in more than 1,000 lines may get more lines than that, and take steps linear in their length.
 */
export function lineHunks(before: string, after: string): Hunk[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  return hunksIn(a, b, wholeOf(a, b), mostSplits);
}

type Lines = readonly string[];

/** The hunks in these ranges of both texts. */
function hunksIn(a: Lines, b: Lines, range: Hunk, splits: number): Hunk[] {
  const differing = withoutCommonEnds(a, b, range);
  const { beforeStart, beforeEnd, afterStart, afterEnd } = differing;
  if (beforeStart === beforeEnd && afterStart === afterEnd) return [];
  if (beforeStart === beforeEnd || afterStart === afterEnd) return [differing];
  const [from, to] = [a.slice(beforeStart, beforeEnd), b.slice(afterStart, afterEnd)];
  const trace = traceOf(from, to);
  const hunks = trace ? toHunks(trace, from.length, to.length) : splitHunks(from, to, splits);
  return hunks.map((hunk) => moved(hunk, beforeStart, afterStart));
}

function wholeOf(a: Lines, b: Lines): Hunk {
  return { beforeStart: 0, beforeEnd: a.length, afterStart: 0, afterEnd: b.length };
}

function withoutCommonEnds(a: Lines, b: Lines, range: Hunk): Hunk {
  let { beforeStart, beforeEnd, afterStart, afterEnd } = range;
  while (beforeStart < beforeEnd && afterStart < afterEnd && a[beforeStart] === b[afterStart]) {
    beforeStart += 1;
    afterStart += 1;
  }
  while (beforeStart < beforeEnd && afterStart < afterEnd && a[beforeEnd - 1] === b[afterEnd - 1]) {
    beforeEnd -= 1;
    afterEnd -= 1;
  }
  return { beforeStart, beforeEnd, afterStart, afterEnd };
}

/** The hunks between lines that both texts have once and in the same order, as in a patience diff. */
function splitHunks(a: Lines, b: Lines, splits: number): Hunk[] {
  const common = splits > 0 ? inBothOrders(uniqueIn(a, b)) : [];
  if (common.length === 0) return [wholeOf(a, b)];
  const hunks: Hunk[] = [];
  let [beforeStart, afterStart] = [0, 0];
  for (const [beforeEnd, afterEnd] of [...common, [a.length, b.length] as const]) {
    const range = { beforeStart, beforeEnd, afterStart, afterEnd };
    for (const hunk of hunksIn(a, b, range, splits - 1)) hunks.push(hunk);
    [beforeStart, afterStart] = [beforeEnd + 1, afterEnd + 1];
  }
  return hunks;
}

/** The places of lines that occur once in each text, in the order of the first. */
function uniqueIn(a: Lines, b: Lines): (readonly [inA: number, inB: number])[] {
  const [once, twice] = [-1, -2];
  const places = new Map<string, number>();
  for (const line of a) places.set(line, places.has(line) ? twice : once);
  for (const [place, line] of b.entries()) {
    const known = places.get(line);
    if (known !== undefined && known !== twice) places.set(line, known === once ? place : twice);
  }
  return a.flatMap((line, inA) => {
    const inB = places.get(line) ?? twice;
    return inB >= 0 ? [[inA, inB] as const] : [];
  });
}

/** The longest part of these places that is in the order of the second text, too. */
function inBothOrders(places: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** For each length, the index of the place with which such a part ends at the least line. */
  const ends: number[] = [];
  const before = places.map(([, inB], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] ?? 0]?.[1] ?? 0) < inB) low = middle + 1;
      else high = middle;
    }
    ends[low] = index;
    return ends[low - 1];
  });
  const longest: (readonly [number, number])[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) {
    const place = places[index];
    if (place) longest.push(place);
  }
  return longest.reverse();
}

/** Applies one hunk to a text. */
export function withHunk(before: string, after: string, hunk: Hunk): string {
  const lines = before.split("\n");
  const taken = after.split("\n").slice(hunk.afterStart, hunk.afterEnd);
  return [...lines.slice(0, hunk.beforeStart), ...taken, ...lines.slice(hunk.beforeEnd)].join("\n");
}

/** The inverse of a hunk. */
export function reversed({ beforeStart, beforeEnd, afterStart, afterEnd }: Hunk): Hunk {
  return { beforeStart: afterStart, beforeEnd: afterEnd, afterStart: beforeStart, afterEnd: beforeEnd };
}

/** The furthest point on each diagonal, before each further difference; undefined if there are too many. */
function traceOf(a: Lines, b: Lines): Int32Array[] | undefined {
  const most = Math.min(a.length + b.length, mostDifferences);
  const reach = new Int32Array(2 * most + 2);
  const trace: Int32Array[] = [];
  for (let count = 0; count <= most; count++) {
    trace.push(reach.slice());
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = comesDown(reach, most, diagonal, count)
        ? at(reach, most, diagonal + 1)
        : at(reach, most, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach[most + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return trace;
    }
  }
  return undefined;
}

function at(reach: Int32Array, most: number, diagonal: number): number {
  return reach[most + diagonal] ?? 0;
}

/** True if the furthest path to a diagonal ends with an inserted line. */
function comesDown(reach: Int32Array, most: number, diagonal: number, count: number): boolean {
  if (diagonal === -count) return true;
  return diagonal !== count && at(reach, most, diagonal - 1) < at(reach, most, diagonal + 1);
}

/** Backtracks through the trace and joins adjacent differences. */
function toHunks(trace: readonly Int32Array[], aLength: number, bLength: number): Hunk[] {
  /** From the end. */
  const hunks: Hunk[] = [];
  let [x, y] = [aLength, bLength];
  for (let count = trace.length - 1; count > 0; count--) {
    const reach = trace[count] ?? new Int32Array();
    const most = (reach.length - 2) / 2;
    const isDown = comesDown(reach, most, x - y, count);
    const from = x - y + (isDown ? 1 : -1);
    const fromX = at(reach, most, from);
    const fromY = fromX - from;
    const [toX, toY] = isDown ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const next = hunks.at(-1);
    if (next && next.beforeStart === toX && next.afterStart === toY) {
      hunks[hunks.length - 1] = { ...next, beforeStart: fromX, afterStart: fromY };
    } else hunks.push({ beforeStart: fromX, beforeEnd: toX, afterStart: fromY, afterEnd: toY });
    [x, y] = [fromX, fromY];
  }
  return hunks.reverse();
}

function moved(hunk: Hunk, before: number, after: number): Hunk {
  return {
    beforeStart: hunk.beforeStart + before,
    beforeEnd: hunk.beforeEnd + before,
    afterStart: hunk.afterStart + after,
    afterEnd: hunk.afterEnd + after,
  };
}
