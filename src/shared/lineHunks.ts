/** A range of differing lines in two texts, counted from 0; the end is exclusive. One side may be empty. */
export interface Hunk {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Texts with more differing lines become one hunk between their common prefix and suffix. */
const mostDifferences = 1_000;

/** The hunks between two texts in order, with the fewest lines (Myers, "An O(ND) Difference Algorithm", 1986). */
export function lineHunks(before: string, after: string): Hunk[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [aEnd, bEnd] = [a.length, b.length];
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  if (start === aEnd && start === bEnd) return [];
  const trace = traceOf(a.slice(start, aEnd), b.slice(start, bEnd));
  if (!trace) return [{ beforeStart: start, beforeEnd: aEnd, afterStart: start, afterEnd: bEnd }];
  return toHunks(trace, start, aEnd - start, bEnd - start);
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
function traceOf(a: readonly string[], b: readonly string[]): Int32Array[] | undefined {
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
function toHunks(trace: readonly Int32Array[], offset: number, aLength: number, bLength: number): Hunk[] {
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
    const next = hunks[0];
    const step = { beforeStart: fromX, beforeEnd: toX, afterStart: fromY, afterEnd: toY };
    if (next && next.beforeStart === toX + offset && next.afterStart === toY + offset) {
      hunks[0] = { ...next, beforeStart: fromX + offset, afterStart: fromY + offset };
    } else hunks.unshift(moved(step, offset));
    [x, y] = [fromX, fromY];
  }
  return hunks;
}

function moved({ beforeStart, beforeEnd, afterStart, afterEnd }: Hunk, by: number): Hunk {
  return {
    beforeStart: beforeStart + by,
    beforeEnd: beforeEnd + by,
    afterStart: afterStart + by,
    afterEnd: afterEnd + by,
  };
}
