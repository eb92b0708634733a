import { childrenOf } from "./inlineNodes.ts";
import { parseInline } from "./parseInline.ts";

/** A text of fewer characters is laid out as one; a browser lays out all of it whenever it grows. */
const longRun = 4096;
/** Where a run may end, best first: at the end of a line, of a sentence, of a word. */
const ends = [
  /(?<=[^\s\\])\n(?=\S)/g,
  /(?<=[.!?:;]) (?=\S)|(?<=[。！？])(?=[\p{L}\p{N}])/gu,
  /(?<=[^\s\\]) (?=\S)/g,
];

/**
 * Looks for where a long text may go on in a block of its own, as if a line ended there. It depends on the text alone,
 * not on the pieces in which it came.
 */
export interface RunCutter {
  /** Offset in `text`, which begins where the last run ended; undefined as long as it is not long enough, or all one word. */
  cut(text: string): number | undefined;
}

export function createRunCutter(): RunCutter {
  let length = longRun;
  return {
    cut(text) {
      for (; text.length > length; length *= 2) {
        const end = endOfRun(text.slice(0, length));
        // What is open all the way is looked at again when there is twice as much of it.
        if (end === undefined) continue;
        length = longRun;
        return end;
      }
      return undefined;
    },
  };
}

/** The best place in the second half that stands between marks, not within them. */
function endOfRun(text: string): number | undefined {
  const { root, openFrom } = parseInline(text, new Map());
  const half = text.length / 2;
  const plain = childrenOf(root).filter(
    ({ kind, start, end }) => kind === "text" && end > half && start < openFrom,
  );
  for (const pattern of ends) {
    const end = lastWithin(pattern, text, half, openFrom, plain);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** The last match after `from` and before `to` that is inside of one of these stretches, which are in order. */
function lastWithin(
  pattern: RegExp,
  text: string,
  from: number,
  to: number,
  stretches: readonly { readonly start: number; readonly end: number }[],
): number | undefined {
  let last: number | undefined;
  let next = 0;
  pattern.lastIndex = Math.ceil(from);
  for (let match = pattern.exec(text); match && match.index < to; match = pattern.exec(text)) {
    const at = match.index;
    while ((stretches[next]?.end ?? text.length) <= at) next++;
    if (at > from && (stretches[next]?.start ?? text.length) < at) last = at;
    // What matches nothing but a place would match there again.
    if (match[0] === "") pattern.lastIndex++;
  }
  return last;
}
