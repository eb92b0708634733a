import { type AbbreviationKind, abbreviationKinds, sentenceStarters } from "./abbreviations.ts";

/** Offsets at which the sentences of a block begin. `text` has no line breaks; the first is 0. */
export function sentenceStarts(text: string): number[] {
  const found = [...segmenter.segment(text)].map(({ index }) => index);
  const isSmall = !/\p{Lu}/u.test(text);
  const more = [...text.matchAll(mayEnd)].flatMap(({ index, 0: { length } }) =>
    isMissedEnd(text, index + length, isSmall) ? [index + length] : [],
  );
  const starts = more.length === 0 ? found : [...new Set([...found, ...more])].sort((a, b) => a - b);
  return starts
    .map((start) => beforeOpening(text, start))
    .filter((start) => start === 0 || !isInside(text, start));
}

/** The Unicode rules take a bracket that opens for one that closes if no blank is before it. */
function beforeOpening(text: string, start: number): number {
  const [opening = ""] =
    /(?<=[。！？｡.!?][”’」』）】]*)[「『（《【〈“‘]+$/u.exec(
      text.slice(Math.max(0, start - nearby), start),
    ) ?? [];
  return start - opening.length;
}

// The user's locale must not decide where the sentences of a text end.
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** Characters around a break that decide on it. */
const nearby = 80;

/** Ends that the Unicode rules leave out: before a small letter, after an ellipsis, the Greek question mark. */
const mayEnd = /(?:[.…]["”’»)\]]*|(?<=\p{Script=Greek})[;\u037e]) +(?=\S)/gu;

function isMissedEnd(text: string, start: number, isSmall: boolean): boolean {
  const before = text.slice(Math.max(0, start - nearby), start).trimEnd();
  const after = text.slice(start, start + nearby);
  if (/[;\u037e]$/.test(before)) return true;
  if (before.endsWith("…")) return /^\p{Lu}/u.test(after) && !/^I\b/.test(after);
  // `iPhone`, `macOS`.
  if (/^\p{Ll}{1,3}\p{Lu}/u.test(after)) return true;
  return (
    isSmall && /^\p{Ll}/u.test(after) && /\p{L}{3}\.["”’»)\]]*$/u.test(before) && !/\.\.[^.]*$/.test(before)
  );
}

/** True if a person goes on reading at this break. */
function isInside(text: string, start: number): boolean {
  const whole = text.slice(Math.max(0, start - nearby), start);
  const before = whole.trimEnd();
  const after = text.slice(start, start + nearby);
  if (closes.test(after) || isQuoted(before, after)) return true;
  if (before === whole && isUnspaced(before, after)) return true;
  if (/(?:^|\s)(?:Yahoo|Jeopardy|Joomla)!$/.test(before)) return true;
  return /(?:^|[^.])\.$/.test(before) && isAbbreviated(before, after, start <= nearby);
}

/** A closing mark after a blank, as in `« Stop ! » dit-il`. The mark » opens, too. */
const closes = /^(?:[)\]}”’」』】》〉）］]|»(?![\p{L}\p{N}])|[,;:](?=\s|$))/u;

const spoken =
  /^(?:\p{Lu}[\p{L}.'’-]* ){1,3}(?:said|says|asked|replied|answered|cried|shouted|whispered|added|thought|wrote|sagte|fragte|rief|meinte)\b/u;

/** Quoted words end with a mark, and the sentence around them goes on. */
function isQuoted(before: string, after: string): boolean {
  if (/[」』”]$/.test(before) && /^(?:と|って|という|など|[^。！？，]{0,4}[说說道问問喊答叫])/.test(after))
    return true;
  if (!/[.!?…][\s\u00a0]*["”’»“«)\]]+$/.test(before)) return false;
  return /^\p{Ll}/u.test(after) || spoken.test(after);
}

/** Without a blank after the mark, as in `a?x=1`. Chinese and Japanese have no blanks. */
function isUnspaced(before: string, after: string): boolean {
  if (!/[.!?]["”’)\]]*$/.test(before) || noBlanks.test(after)) return false;
  return !(/\p{L}[.!?]+["”’)\]]*$/u.test(before) && /^\p{Lu}[\p{Ll} ]/u.test(after));
}

const noBlanks = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}「『《“]/u;

/** True if the full stop at the end of `before` belongs to an abbreviation, an initial or an ordinal. */
function isAbbreviated(before: string, after: string, isWhole: boolean): boolean {
  const [, word = ""] = /(?:^|[\s([{"“„«»‘'’/\u00a0-])([\p{L}\p{M}\p{N}.№’'-]+)\.$/u.exec(before) ?? [];
  const rest = before.slice(0, before.length - word.length - 1).trimEnd();
  // The number or letter of a list item or a heading.
  if (isWhole && rest === "" && /^(?:\d{1,3}(?:\.\d+)*|\p{L}|[IVX]{1,4})$/u.test(word)) return true;
  if (/^\d{1,2}$/.test(word) || /^[IVXLC]{2,6}$/.test(word)) return isOrdinal(word, rest, after);
  const startsNew = sentenceStarters.has(firstWord(after));
  if (/^\p{L}$/u.test(word)) return isInitial(word, rest, after, startsNew);
  const kinds = abbreviationKinds(joinedLetters(word, rest));
  return isKind(kinds, after, startsNew) || (/^(?:\p{L}\.)+\p{L}$/u.test(word) && !startsNew);
}

function isKind(kinds: ReadonlySet<AbbreviationKind>, after: string, startsNew: boolean): boolean {
  if (kinds.has("open")) return true;
  if (kinds.has("number") && /^[\d#№]|^[IVXLC]+\b/.test(after)) return true;
  return kinds.has("name") && !startsNew;
}

function firstWord(after: string): string {
  return /^["“„«»‘'([]*(\p{L}+(?:['’]\p{L}+)?)/u.exec(after)?.[1] ?? "";
}

/** `p. ex` and `и т. д` as one: an abbreviation of several letters with blanks between them. */
function joinedLetters(word: string, rest: string): string {
  const letters = /(?:^|[\s(])((?:\p{L}\. ?)+)$/u.exec(rest)?.[1] ?? "";
  return letters.replaceAll(" ", "") + word;
}

/** Nouns that have letters as names: after them, a letter may end a sentence. */
const lettered =
  /(?:plan|vitamin|type|class|grade|option|group|part|section|appendix|hepatitis|team|route|figure|Typ|Gruppe)$/iu;

function isInitial(word: string, rest: string, after: string, startsNew: boolean): boolean {
  const isNextShort = /^\p{L}{1,3}\.(?:\s|$|[,;)])/u.test(after);
  if (isNextShort) return true;
  if (abbreviationKinds(joinedLetters(word, rest)).has("open") && !startsNew) return true;
  if (/^\p{Lu}$/u.test(word)) return /^\p{Lu}/u.test(after) && !startsNew && !lettered.test(rest);
  if (isKind(abbreviationKinds(word), after, startsNew)) return !/\d$/.test(rest);
  return /(?:^|\s)\p{L}\.$/u.test(rest) && !startsNew;
}

const months =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jan|Feb|Mär|Apr|Aug|Sept?|Okt|Nov|Dez)\b/;
/** German words before an ordinal: `am 3. Oktober`, `der 2. Weltkrieg`, `im 19. Jahrhundert`. */
const ordinalArticle =
  /(?:^|[\s(])(?:am|der|die|das|dem|den|des|im|vom|zum|zur|beim|bis|ab|seit|ein|eine|einem|einen|einer|jeder|jede|jedes|jeden|ihr|ihre|sein|seine|seinen|dieser|diese)$/iu;

function isOrdinal(word: string, rest: string, after: string): boolean {
  if (months.test(after)) return true;
  const startsNew = sentenceStarters.has(firstWord(after));
  if (/^\d/.test(word)) return ordinalArticle.test(rest) && !startsNew;
  // `Friedrich II. Preußen`: a numeral behind a name.
  return (
    /\p{Lu}\p{Ll}+$/u.test(rest) &&
    !startsNew &&
    !lettered.test(rest) &&
    !/(?:Chapter|Kapitel|Teil|Part|War)$/.test(rest)
  );
}
