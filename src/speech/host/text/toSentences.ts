import type { TextBlock, TextRun } from "./block.ts";

/** A part of a text that is requested, played and highlighted as a unit. */
export interface Sentence {
  /** At least one letter or digit, at most `longestRequest` UTF-16 units; white space is normalized. */
  readonly text: string;
  /** Source offsets in UTF-16 units; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  /** True for the first sentence of a paragraph. */
  readonly startsBlock: boolean;
}

/** Maximum length of a request (spec E7). */
export const longestRequest = 4096;
/** Shorter ones are merged with a neighbour: `Dr.` is not a sentence, and `Yes.` is not worth a request. */
const shortest = 16;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The sentences of a text. Text without letters and digits is not spoken, so it is not billed. */
export function toSentences(blocks: readonly TextBlock[]): Sentence[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  return blocks.flatMap((runs) => sentencesOf(runs, segmenter));
}

function sentencesOf(runs: readonly TextRun[], segmenter: Intl.Segmenter): Sentence[] {
  // Intl.Segmenter ends a sentence at a line break.
  const text = runs.map((run) => run.text.replace(/\s/g, " ")).join("");
  const spans = [...segmenter.segment(text)].map(({ index, segment }) => ({
    start: index,
    end: index + segment.length,
  }));
  const map = sourceMap(runs);
  return withoutShort(spans, text)
    .flatMap((span) => cut(span, text))
    .map(({ start, end }) => trimmed(start, end, text))
    .filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)))
    .map(({ start, end }, index) => ({
      text: text.slice(start, end).replace(/ +/g, " "),
      from: map(start, false),
      to: map(end - 1, true),
      startsBlock: index === 0,
    }));
}

function withoutShort(spans: readonly Span[], text: string): Span[] {
  const lengthOf = ({ start, end }: Span) => text.slice(start, end).trim().length;
  const joined: Span[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && lengthOf(last) < shortest) joined[joined.length - 1] = { start: last.start, end: span.end };
    else joined.push(span);
  }
  const [beforeLast, last] = joined.slice(-2);
  if (beforeLast && last && lengthOf(last) < shortest)
    joined.splice(-2, 2, { start: beforeLast.start, end: last.end });
  return joined;
}

/** Splits a long sentence into parts for requests, at a pause if there is one, else between words. */
function cut({ start, end }: Span, text: string): Span[] {
  const pieces: Span[] = [];
  let from = start;
  while (end - from > longestRequest) {
    const part = text.slice(from, from + longestRequest);
    const pause = Math.max(...[", ", "; ", ": ", " – ", " — "].map((mark) => part.lastIndexOf(mark)));
    const blank = pause > longestRequest / 2 ? pause + 1 : part.lastIndexOf(" ");
    const to = from + (blank > 0 ? blank : wholeCharacters(part));
    pieces.push({ start: from, end: to });
    from = to;
  }
  return [...pieces, { start: from, end }];
}

/** Avoids a split inside a surrogate pair. */
function wholeCharacters(part: string): number {
  return /[\uD800-\uDBFF]$/.test(part) ? part.length - 1 : part.length;
}

function trimmed(start: number, end: number, text: string): Span {
  let [first, last] = [start, end];
  while (first < last && text[first] === " ") first += 1;
  while (last > first && text[last - 1] === " ") last -= 1;
  return { start: first, end: last };
}

/** Maps a unit of the spoken text to its start or end in the source. */
function sourceMap(runs: readonly TextRun[]): (at: number, isEnd: boolean) => number {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of runs) {
    starts.push(length);
    length += text.length;
  }
  return (at, isEnd) => {
    const index = starts.findLastIndex((start) => start <= at);
    const run = runs[Math.max(0, index)];
    if (!run) return 0;
    const inside = at - (starts[index] ?? 0);
    const offset = run.offsets?.[inside];
    if (offset !== undefined) return isEnd ? offset + 1 : offset;
    if (run.text.length === run.to - run.from) return run.from + inside + (isEnd ? 1 : 0);
    return isEnd ? run.to : run.from;
  };
}
