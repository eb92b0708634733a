/** A part of a Markdown text: some paragraphs under one heading, or a block of code. */
export interface Passage {
  readonly text: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

const longestPassage = 900;

/** The passages of a text, in order. A heading belongs to what follows it. */
export function passagesOf(markdown: string): readonly Passage[] {
  const passages: Passage[] = [];
  let start: number | undefined;
  let end = 0;
  const close = () => {
    if (start !== undefined) passages.push(...cut(markdown, start, end));
    start = undefined;
  };
  for (const block of blocksOf(markdown)) {
    const isHeading = /^ {0,3}#{1,6}\s/.test(block.text);
    const length = start === undefined ? 0 : block.end - start;
    if (isHeading || length > longestPassage) close();
    start ??= block.start;
    ({ end } = block);
  }
  close();
  return passages;
}

/** Runs of lines without a blank line outside of code. */
function* blocksOf(markdown: string): Generator<Passage> {
  let start: number | undefined;
  let offset = 0;
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    fence = fenceAfter(line, fence);
    const isBlank = line.trim() === "" && fence === undefined;
    if (isBlank && start !== undefined)
      yield { text: markdown.slice(start, offset - 1), start, end: offset - 1 };
    start = isBlank ? undefined : (start ?? offset);
    offset += line.length + 1;
  }
  if (start !== undefined) yield { text: markdown.slice(start), start, end: markdown.length };
}

/** The marks of the block of code that is open behind a line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, marks] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
  if (marks === undefined) return open;
  if (open === undefined) return marks;
  return marks.startsWith(open) ? undefined : open;
}

/** A long part in pieces that end with a sentence, a line or, if there is neither, anywhere. */
function cut(markdown: string, start: number, end: number): readonly Passage[] {
  const pieces: Passage[] = [];
  for (let from = start; from < end; ) {
    const text = markdown.slice(from, Math.min(end, from + longestPassage));
    const isLast = from + text.length >= end;
    const last = isLast ? text.length : lastEnd(text);
    pieces.push({ text: text.slice(0, last), start: from, end: from + last });
    from += last;
  }
  return pieces;
}

function lastEnd(text: string): number {
  const ends = [...text.matchAll(/\n|[.!?]\s|[。！？]/g)].map(({ index, 0: found }) => index + found.length);
  const last = ends.at(-1) ?? 0;
  return last > longestPassage / 3 ? last : text.length;
}

/** Scripts without spaces between words: two characters each are a term. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const stopWords = new Set(
  "a an and are as at be but by for from has have how in into is it its not of on or that the their this to was were what when where which who why will with you your".split(
    " ",
  ),
);
/** Longer words are compared by their beginning, because their endings change. */
const comparedLetters = 6;

/** The terms of a text, as they are compared. */
function termsIn(text: string): readonly string[] {
  const words =
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => {
    if (unspaced.test(word)) return pairsOf(word);
    if (stopWords.has(word)) return [];
    return [/\d/.test(word) ? word : word.slice(0, comparedLetters)];
  });
}

function pairsOf(word: string): readonly string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A score of each passage for a text, by the terms that they share. Rare terms count more (BM25). */
export function fitOf(passages: readonly Passage[], text: string): readonly number[] {
  const asked = new Set(termsIn(text));
  const counts = passages.map(({ text: said }) => countsOf(termsIn(said), asked));
  const mean = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length);
  const weights = new Map(
    [...asked].map((term) => {
      const having = counts.filter(({ byTerm }) => byTerm.has(term)).length;
      return [term, Math.log(1 + (passages.length - having + 0.5) / (having + 0.5))];
    }),
  );
  return counts.map(({ byTerm, length }) =>
    [...byTerm].reduce((sum, [term, count]) => {
      const norm = 0.25 + (0.75 * length) / Math.max(1, mean);
      return sum + ((weights.get(term) ?? 0) * count * 2.2) / (count + 1.2 * norm);
    }, 0),
  );
}

function countsOf(terms: readonly string[], asked: ReadonlySet<string>) {
  const byTerm = new Map<string, number>();
  for (const term of terms) if (asked.has(term)) byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
  return { byTerm, length: terms.length };
}

/** Stands for what is left out between two passages. */
export const omission = "[…]";

/** The passages of a text that fit a question best, in their order, with the beginning: at most so many characters. */
export function excerptFor(markdown: string, question: string, mostCharacters: number): string {
  if (markdown.length <= mostCharacters) return markdown;
  const passages = passagesOf(markdown);
  const fits = fitOf(passages, question);
  const byFit = passages.map((_, index) => index).sort((one, two) => (fits[two] ?? 0) - (fits[one] ?? 0));
  const chosen = new Set<number>();
  let left = mostCharacters;
  for (const index of new Set([0, ...byFit])) {
    const needed = (passages[index]?.text.length ?? 0) + omission.length + 4;
    if (needed > left) continue;
    left -= needed;
    chosen.add(index);
  }
  const ordered = [...chosen].sort((one, two) => one - two);
  const parts = ordered.flatMap((index, place) => {
    const isAfterGap = place > 0 && ordered[place - 1] !== index - 1;
    return [...(isAfterGap ? [omission] : []), passages[index]?.text.trim() ?? ""];
  });
  const isEndCut = !chosen.has(passages.length - 1);
  return [...parts, ...(isEndCut ? [omission] : [])].join("\n\n");
}

/** The least share of a statement's terms that its place has to have. */
const leastShare = 0.3;

/** The sentence of a text that a statement is from; undefined if none has enough of its words. */
export function placeOf(markdown: string, statement: string): Passage | undefined {
  const terms = new Set(termsIn(statement));
  const passages = passagesOf(markdown);
  const fits = fitOf(passages, statement);
  const best = passages[fits.indexOf(Math.max(...fits))];
  if (!best || sharedShare(best.text, terms) < leastShare) return undefined;
  const sentences = sentencesOf(best);
  const among = fitOf(sentences, statement);
  const sentence = sentences[among.indexOf(Math.max(...among))] ?? best;
  return sharedShare(sentence.text, terms) >= leastShare / 2 ? sentence : best;
}

function sharedShare(text: string, terms: ReadonlySet<string>): number {
  const found = new Set(termsIn(text));
  const shared = [...terms].filter((term) => found.has(term)).length;
  return shared < Math.min(2, terms.size) ? 0 : shared / Math.max(1, terms.size);
}

/** The sentences and lines of a passage, without its heading. */
function sentencesOf({ text, start }: Passage): readonly Passage[] {
  let offset = start;
  return text.split(/(?<=\n)/).flatMap((line) => {
    const from = offset;
    offset += line.length;
    return /^ {0,3}#{1,6}\s/.test(line) ? [] : sentencesIn(line, from);
  });
}

const segments = new Intl.Segmenter(undefined, { granularity: "sentence" });
/** A title, an initial or an abbreviation, behind which a sentence goes on. */
const goesOn = /(?:^|[\s(])(?:\p{Lu}\p{Ll}{0,2}|e\.g|i\.e|cf|vs|al|approx|resp|ca|z\.\s?B|d\.\s?h)\.\s*$/u;

/** The sentences of a text without the blanks around them. `start` is the offset of the text. */
function sentencesIn(text: string, start: number): readonly Passage[] {
  const pieces: string[] = [];
  for (const { segment } of segments.segment(text)) {
    const last = pieces.at(-1);
    if (last !== undefined && goesOn.test(last)) pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
  }
  let offset = start;
  return pieces.flatMap((piece) => {
    const said = piece.trim();
    const from = offset + piece.indexOf(said);
    offset += piece.length;
    return said === "" ? [] : [{ text: said, start: from, end: from + said.length }];
  });
}

/** The last sentence of a text: what a mark behind it is about. */
export function lastSentence(text: string): string {
  return sentencesIn(text, 0).findLast(({ text: said }) => termsIn(said).length > 0)?.text ?? "";
}
