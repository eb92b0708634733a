/** A mark of sources in the Markdown of an answer: `[1]`, `[1, 3]` or `^1^`. */
export interface CitationMark {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly numbers: readonly number[];
}

/** A run of marks of code is taken whole, so that a long one is read once. */
const codeOrMark =
  /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\2(?!`)|(?<![!\\\]])\[(\d{1,3}(?:, ?\d{1,3}){0,9})\](?![(:])|\^(\d{1,3}(?:, ?\d{1,3}){0,9})\^|(?<=\])\[(\d{1,3}(?:, ?\d{1,3}){0,9})\](?![(:])/gm;

/** The marks in an answer, in their order, without those in code. */
export function citationMarks(markdown: string): readonly CitationMark[] {
  return [...markdown.matchAll(codeOrMark)].flatMap((match) => {
    const numbers = match[3] ?? match[4] ?? match[5];
    if (numbers === undefined) return [];
    return [
      { start: match.index, end: match.index + match[0].length, numbers: numbers.split(",").map(Number) },
    ];
  });
}
