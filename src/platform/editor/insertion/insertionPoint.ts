import { wordEnd } from "./wordEnd.ts";

/** `[start, end)` of a part in which nothing is inserted. */
type Span = readonly [start: number, end: number];

/** In code, text goes exactly where the cursor is. */
const proseLanguages = new Set(
  "markdown mdx quarto rmd latex tex html vue svelte plaintext restructuredtext asciidoc typst".split(" "),
);
/** Characters around the place that are looked at. */
const mostCharacters = 4_000;

/** Footnotes and citations that stand close behind a word. */
const marks = /(?:\[(?:\^[^\]\s]{1,100}|-?@[^\]\n]{1,300})\])+/y;

/** The offset behind the footnotes at an offset that follows a word: other text would part them from it. */
export function behindMarks(text: string, offset: number, languageId: string): number {
  if (!isMarkdown(languageId) || !/\S/.test(text.charAt(offset - 1))) return offset;
  marks.lastIndex = offset;
  return marks.test(text) ? marks.lastIndex : offset;
}

/** True if no other syntax is known for the language. */
function isMarkdown(languageId: string): boolean {
  return proseLanguages.has(languageId) && !/^(?:latex|tex|html|vue|svelte|plaintext)$/.test(languageId);
}

/**
 * The offset nearest behind `offset` at which text can be inserted: not within a word, a link, an address, code, a formula or
 * a tag. The part around it ends at blank lines.
 */
export function insertionPoint(text: string, offset: number, languageId: string): number {
  if (!proseLanguages.has(languageId)) return offset;
  const { start, end } = paragraphAt(text, offset);
  const paragraph = text.slice(start, end);
  const spans = spansOf(paragraph, languageId);
  let point = offset - start;
  for (let before = -1; before !== point; ) {
    before = point;
    for (const [from, to] of spans) if (from < point && point < to) point = to;
    point = wordEnd(paragraph, point);
  }
  return start + point;
}

/** The lines around the offset that no blank line separates, as far as they are looked at. */
function paragraphAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  const blank = /\n[^\S\n]*\r?\n/g;
  const floor = Math.max(0, offset - mostCharacters);
  let start = floor;
  for (const { index, 0: found } of text.slice(floor, offset).matchAll(blank))
    start = floor + index + found.length;
  const rest = text.slice(offset, offset + mostCharacters);
  const close = rest.search(blank);
  return { start, end: offset + (close < 0 ? rest.length : close) };
}

function spansOf(text: string, languageId: string): readonly Span[] {
  if (/^(?:latex|tex)$/.test(languageId)) return [...latexSpans(text), ...addresses(text)];
  if (/^(?:html|vue|svelte)$/.test(languageId)) return [...tags(text), ...addresses(text)];
  if (languageId === "plaintext") return addresses(text);
  return [...codeAndLinks(text), ...formulas(text), ...tags(text), ...addresses(text)];
}

function matches(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => [index, index + found.length]);
}

/** Without the punctuation behind an address. */
function addresses(text: string): readonly Span[] {
  return matches(
    text,
    /(?:\b[a-z][a-z\d+.-]{1,20}:\/\/|\bwww\.)[^\s<>"`{}|\\^]{0,2000}[^\s<>"`{}|\\^.,;:!?)\]'*_]/giu,
  );
}

/** Tags, comments and entities; links and code with their text. */
function tags(text: string): readonly Span[] {
  return [
    ...matches(text, /<(a|code|kbd|math|svg)\b[^<>]{0,2000}>(?:(?!<\/?\1\b)[\s\S]){0,2000}<\/\1>/gi),
    ...matches(
      text,
      /<(?:[a-z/!](?:"[^"<>]{0,2000}"|'[^'<>]{0,2000}'|[^<>"']){0,2000}|!--[\s\S]{0,2000}?--)>/gi,
    ),
    ...matches(text, /&(?:[a-z]{2,31}|#\d{1,7}|#x[\da-f]{1,6});/gi),
  ];
}

/** `$x$` and `$$x$$`, and not prices: a formula touches its signs, and no digit follows. */
function formulas(text: string): readonly Span[] {
  return matches(text, /\$\$[^$]{1,2000}\$\$|(?<![\\$\w])\$(?=[^\s$])[^$\n]{0,500}(?<=[^\s\\$])\$(?![\d$])/g);
}

/** Commands of LaTeX whose braces hold a name, an address or text that is a link. */
const named =
  /\\(?:url|path|href|hyperref|[a-zA-Z]*cite[a-zA-Z]*|[a-zA-Z]*ref|label|includegraphics|input|include|bibliography|usepackage|begin|end|footnotemark|gls)\*?(?:\s{0,3}(?:\[[^[\]]{0,400}\]|\{(?:[^{}]|\{[^{}]{0,400}\}){0,2000}\})){1,4}/g;

function latexSpans(text: string): readonly Span[] {
  return [
    ...matches(text, named),
    // The name of any command, with what follows it.
    ...matches(text, /\\(?:[a-zA-Z]{1,60}\*?|[^a-zA-Z\s])(?=[^{[]|$)/g),
    ...commandNames(text),
    ...matches(text, /\\(?:verb|lstinline)\*?([^\w\s{])[^\n]{0,400}?\1/g),
    ...matches(text, /\\\([\s\S]{1,2000}?\\\)|\\\[[\s\S]{1,2000}?\\\]/g),
    ...formulas(text),
  ];
}

/** From the backslash to the brace: text that is inserted there would become the argument. */
function commandNames(text: string): readonly Span[] {
  return [...text.matchAll(/\\[a-zA-Z]{1,60}\*?(?:\[[^[\]]{0,400}\])?\{/g)].map(({ index, 0: found }) => [
    index,
    index + found.length,
  ]);
}

/** Inline code, links, pictures, footnotes and citations of Markdown. */
function codeAndLinks(text: string): readonly Span[] {
  const code = codeSpans(text);
  const spans: Span[] = [...code];
  const open: number[] = [];
  let codes = 0;
  for (const { index, 0: sign } of text.matchAll(/\\[\s\S]|[[\]]/g)) {
    while ((code[codes]?.[1] ?? text.length) <= index) codes += 1;
    const isCode = (code[codes]?.[0] ?? text.length) <= index;
    if (!isCode && sign === "[") open.push(index);
    if (!isCode && sign === "]") spans.push(...linkAt(text, open.pop(), index));
  }
  return spans;
}

/** The link whose text ends at an offset, with the sign of a picture. */
function linkAt(text: string, start: number | undefined, close: number): readonly Span[] {
  const end = start === undefined ? undefined : linkEnd(text, start, close);
  if (start === undefined || end === undefined) return [];
  return [[text[start - 1] === "!" ? start - 1 : start, end]];
}

/** In their order. A run of backticks without another of its length is text. */
function codeSpans(text: string): readonly Span[] {
  const runs = backtickRuns(text);
  const spans: Span[] = [];
  let from = 0;
  for (const [index, { end }] of runs) {
    if (index < from || end === undefined) continue;
    spans.push([index, end]);
    from = end;
  }
  return spans;
}

interface Run {
  readonly length: number;
  /** Of the code that begins here; undefined if no run of the same length follows. */
  end?: number;
}

/** The runs of backticks by their offset. */
function backtickRuns(text: string): ReadonlyMap<number, Run> {
  const runs = new Map<number, Run>();
  const lastByLength = new Map<number, Run>();
  for (const { index, 0: found } of text.matchAll(/`+/g)) {
    const { length } = found;
    const last = lastByLength.get(length);
    if (last) last.end = index + length;
    const run: Run = { length };
    runs.set(index, run);
    lastByLength.set(length, run);
  }
  return runs;
}

const destination =
  /\(\s{0,9}(?:<[^<>\n]{0,2000}>|(?:[^\s()\\]|\\.|\([^\s()]{0,1000}\)){0,2000})(?:\s{1,9}(?:"[^"]{0,1000}"|'[^']{0,1000}'|\([^()]{0,1000}\)))?\s{0,9}\)(?:\{[^{}\n]{0,200}\})?/y;
const reference = /\[[^[\]\n]{0,300}\]/y;

/** The end of a link whose text is between the brackets; undefined if these are plain brackets. */
function linkEnd(text: string, start: number, close: number): number | undefined {
  for (const pattern of [destination, reference]) {
    pattern.lastIndex = close + 1;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  const isNote = text[start + 1] === "[" && text[close - 1] === "]";
  return isNote || isMark(text.slice(start + 1, Math.min(close, start + 300))) ? close + 1 : undefined;
}

/** `[^1]`, `[@key]`, `[see @key, p. 3]`. */
function isMark(words: string): boolean {
  return /^\^|(?:^|[\s;-])@\w/.test(words);
}
