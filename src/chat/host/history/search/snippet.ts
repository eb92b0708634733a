import { eachTerm, queryWords } from "./searchTerms.ts";

/** An excerpt of a text around the matches. */
export interface Snippet {
  readonly text: string;
  /** Ranges of the matches in it: start, and end (exclusive). */
  readonly marks: readonly (readonly [number, number])[];
}

/** Characters before the first match, and of the whole excerpt. */
const leadLength = 30;
const snippetLength = 160;

/** Ranges of the words of a query in a text. */
export function marksIn(text: string, query: string): [number, number][] {
  const words = queryWords(query);
  const marks: [number, number][] = [];
  eachTerm(text, (term, start, end) => {
    const word = words.find((one) => term.startsWith(one));
    if (word === undefined || start < (marks.at(-1)?.[1] ?? 0)) return;
    marks.push([start, Math.min(end, start + word.length)]);
  });
  return marks;
}

/** The excerpt with most matches. Undefined without a match. */
export function snippetOf(texts: readonly string[], query: string): Snippet | undefined {
  let best: { readonly text: string; readonly marks: [number, number][]; readonly count: number } | undefined;
  for (const text of texts) {
    const marks = marksIn(text, query);
    const count = new Set(marks.map(([from, to]) => text.slice(from, to).toLowerCase())).size;
    if (count > (best?.count ?? 0)) best = { text, marks, count };
  }
  return best && cut(best.text, best.marks);
}

function cut(text: string, marks: readonly (readonly [number, number])[]): Snippet {
  const first = bestStart(marks);
  const from = wordStart(text, Math.max(0, first - leadLength));
  const to = Math.min(text.length, from + snippetLength);
  const lead = from > 0 ? "…" : "";
  // Line breaks become spaces, one for one, so that the ranges stay valid.
  const shown = `${lead}${text.slice(from, to).replace(/\s/g, " ")}${to < text.length ? "…" : ""}`;
  const inside = marks.filter(([start, end]) => start >= from && end <= to);
  const shift = lead.length - from;
  return { text: shown, marks: inside.map(([start, end]) => [start + shift, end + shift]) };
}

/** The match with most other matches near it. */
function bestStart(marks: readonly (readonly [number, number])[]): number {
  let best = marks[0]?.[0] ?? 0;
  let most = 0;
  let last = 0;
  marks.forEach(([start], place) => {
    last = Math.max(last, place);
    while ((marks[last]?.[1] ?? Number.POSITIVE_INFINITY) < start + snippetLength - leadLength) last += 1;
    if (last - place > most) {
      most = last - place;
      best = start;
    }
  });
  return best;
}

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + leadLength).search(/\s\S/);
  return space === -1 ? at : at + space + 1;
}
