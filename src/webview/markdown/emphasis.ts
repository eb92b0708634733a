import { type InlineNode, inlineNode, removeNode, wrapBetween } from "./inlineNodes.ts";

/** A run of `*`, `_` or `~~` that may begin or end emphasis (CommonMark 6.2). */
export interface Delimiter {
  readonly node: InlineNode;
  readonly mark: string;
  /** As written; `left` is what matches have not used up. */
  readonly length: number;
  left: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  previous?: Delimiter | undefined;
  next?: Delimiter | undefined;
}

/** The runs that are not matched yet, first to last. */
export interface Delimiters {
  last?: Delimiter | undefined;
}

export function pushDelimiter(stack: Delimiters, delimiter: Delimiter): void {
  delimiter.previous = stack.last;
  if (stack.last) stack.last.next = delimiter;
  stack.last = delimiter;
}

function removeDelimiter(stack: Delimiters, { previous, next }: Delimiter): void {
  if (previous) previous.next = next;
  if (next) next.previous = previous;
  else stack.last = previous;
}

const punctuation = /[\p{P}\p{S}]/u;
const space = /[\p{Zs}\t\n\f\r]/u;

/** Whether a run between these two characters may open, and whether it may close (CommonMark, flanking). */
export function flanking(
  mark: string,
  before: string,
  after: string,
): { canOpen: boolean; canClose: boolean } {
  const spaceBefore = before === "" || space.test(before);
  const spaceAfter = after === "" || space.test(after);
  const signBefore = punctuation.test(before);
  const signAfter = punctuation.test(after);
  const left = !spaceAfter && (!signAfter || spaceBefore || signBefore);
  const right = !spaceBefore && (!signBefore || spaceAfter || signAfter);
  if (mark !== "_") return { canOpen: left, canClose: right };
  return { canOpen: left && (!right || signBefore), canClose: right && (!left || signAfter) };
}

/**
 * Pairs the runs above `bottom`, as CommonMark's appendix does. Runs that may still open stay in the stack, unless
 * `drop` says that nothing can follow that would close them.
 */
export function matchEmphasis(stack: Delimiters, bottom: Delimiter | undefined, drop: boolean): void {
  const floors = new Map<string, Delimiter | undefined>();
  let closer = firstAbove(stack, bottom);
  while (closer) {
    if (!closer.canClose) {
      closer = closer.next;
      continue;
    }
    const key = `${closer.mark}${closer.canOpen}${closer.length % 3}`;
    const floor = floors.has(key) ? floors.get(key) : bottom;
    const opener = openerFor(closer, floor, bottom);
    if (opener) {
      closer = joined(stack, opener, closer);
      continue;
    }
    floors.set(key, closer.previous);
    const { next } = closer as Delimiter;
    if (!closer.canOpen) removeDelimiter(stack, closer);
    closer = next;
  }
  if (drop) while (stack.last && stack.last !== bottom) removeDelimiter(stack, stack.last);
}

function firstAbove(stack: Delimiters, bottom: Delimiter | undefined): Delimiter | undefined {
  if (bottom) return bottom.next;
  let first = stack.last;
  while (first?.previous) first = first.previous;
  return first;
}

function openerFor(closer: Delimiter, floor: Delimiter | undefined, bottom: Delimiter | undefined) {
  for (
    let opener = closer.previous;
    opener && opener !== floor && opener !== bottom;
    opener = opener.previous
  ) {
    if (opener.mark === closer.mark && opener.canOpen && fits(opener, closer)) return opener;
  }
  return undefined;
}

/** Rules 9 and 10: runs that both open and close pair only when their lengths do not sum to a multiple of three. */
function fits(opener: Delimiter, closer: Delimiter): boolean {
  if (closer.mark === "~") return true;
  const both = closer.canOpen || opener.canClose;
  return !(both && closer.length % 3 !== 0 && (opener.length + closer.length) % 3 === 0);
}

/** Wraps what stands between the two; returns the next run that may close something. */
function joined(stack: Delimiters, opener: Delimiter, closer: Delimiter): Delimiter | undefined {
  const used = opener.left >= 2 && closer.left >= 2 ? 2 : 1;
  const kind = opener.mark === "~" ? "del" : used === 2 ? "strong" : "em";
  for (const side of [opener, closer]) {
    side.left -= used;
    side.node.text = side.node.text.slice(used);
  }
  wrapBetween(opener.node, closer.node, inlineNode(kind));
  while (closer.previous && closer.previous !== opener) removeDelimiter(stack, closer.previous);
  if (opener.left === 0) {
    removeNode(opener.node);
    removeDelimiter(stack, opener);
  }
  if (closer.left > 0) return closer;
  const { next } = closer;
  removeNode(closer.node);
  removeDelimiter(stack, closer);
  return next;
}
