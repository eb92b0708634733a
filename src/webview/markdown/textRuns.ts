import { childrenOf, type InlineNode } from "./inlineNodes.ts";
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
      if (text.length <= length) return undefined;
      const end = endOfRun(text.slice(0, length));
      // What is open all the way is looked at again when there is twice as much of it.
      length = end === undefined ? length * 2 : longRun;
      return end;
    },
  };
}

/** The best place in the second half that stands between marks, not within them. */
function endOfRun(text: string): number | undefined {
  const { root, openFrom } = parseInline(text, new Map());
  const half = text.length / 2;
  const plain = childrenOf(root).filter(({ kind, end }) => kind === "text" && end > half);
  const isPlain = (at: number) =>
    at > half && at < openFrom && plain.some(({ start, end }: InlineNode) => start < at && at < end);
  for (const pattern of ends) {
    const found = [...text.matchAll(pattern)].findLast(({ index }) => isPlain(index));
    if (found) return found.index;
  }
  return undefined;
}
