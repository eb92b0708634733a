/** A range of a text and what replaces it. Lines and characters are counted from 0. */
export interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly newText: string;
}

/**
 * A text with ranges replaced that are those of its document, whose line ends may be others. All else keeps its bytes.
 * Undefined if it is not the text of the document, or the ranges overlap.
 */
export function rangesReplaced(
  text: string,
  document: string,
  ranges: readonly TextRange[],
): string | undefined {
  const breaks = /\r\n|\r|\n/g;
  if (text.replace(breaks, "\n") !== document.replace(breaks, "\n")) return undefined;
  const starts = [0, ...Array.from(text.matchAll(breaks), (found) => found.index + found[0].length)];
  const lineEnd = breaks.exec(text)?.[0] ?? "\n";
  const offsetOf = ({ line, character }: TextRange["start"]) => (starts[line] ?? text.length) + character;
  const inOrder = ranges
    .map(({ start, end, newText }) => ({ from: offsetOf(start), to: offsetOf(end), newText }))
    .toSorted((one, other) => one.from - other.from || one.to - other.to);
  let result = "";
  let kept = 0;
  for (const { from, to, newText } of inOrder) {
    if (from < kept || to < from || to > text.length) return undefined;
    result += text.slice(kept, from) + newText.replace(/\r\n|\r|\n/g, lineEnd);
    kept = to;
  }
  return result + text.slice(kept);
}
