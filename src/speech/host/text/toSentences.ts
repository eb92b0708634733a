import type { TextBlock, TextRun } from "./block.ts";
import { readable } from "./readable.ts";
import { sentenceStarts } from "./sentences/sentenceEnds.ts";
import { toSpokenText } from "./spokenText.ts";

/** A part of a text that is requested, played and highlighted as a unit. */
export interface Sentence {
  /** At least one letter or digit, at most `longestRequest` UTF-16 units; white space is normalized. */
  readonly text: string;
  /** Source offsets in UTF-16 units; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  /** True for the first sentence of a paragraph. */
  readonly startsBlock: boolean;
  /** The first sentence of a heading. */
  readonly startsHeading?: true | undefined;
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
  return blocks.flatMap(sentencesOf);
}

function sentencesOf(runs: readonly TextRun[]): Sentence[] {
  const isHeading = runs[0]?.isHeading === true;
  const { text, from, to } = readable(toSpokenText(runs));
  const starts = sentenceStarts(text);
  const spans = starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
  return withoutShort(spans, text)
    .flatMap((span) => cut(span, text))
    .map(({ start, end }) => trimmed(start, end, text))
    .filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)))
    .map(({ start, end }, index) => ({
      text: text.slice(start, end).replace(/ +/g, " "),
      from: from[start] ?? 0,
      to: Math.max(from[start] ?? 0, to[end - 1] ?? 0),
      startsBlock: index === 0,
      ...(index === 0 && isHeading ? { startsHeading: true as const } : {}),
    }));
}

function withoutShort(spans: readonly Span[], text: string): Span[] {
  const lengthOf = ({ start, end }: Span) => spokenLength(text.slice(start, end).trim());
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

/** A Chinese, Japanese or Korean character is about as long as four letters. */
function spokenLength(text: string): number {
  const wide = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  return text.length + 3 * (wide?.length ?? 0);
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
