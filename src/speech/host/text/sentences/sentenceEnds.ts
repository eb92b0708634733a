import { type AbbreviationKind, abbreviationKinds, sentenceStarters } from "./abbreviations.ts";
import { listItems } from "./listItems.ts";

/** Offsets at which the sentences of a block begin. `text` has no line breaks; the first is 0. */
export function sentenceStarts(text: string): number[] {
  const found = [...segmenter.segment(text)].map(({ index }) => index);
  const isSmall = !/\p{Lu}/u.test(text);
  const more = [...text.matchAll(mayEnd)].flatMap(({ index, 0: { length } }) =>
    isMissedEnd(text, index + length, isSmall) ? [index + length] : [],
  );
  const ends = [...found, ...more]
    .map((start) => beforeOpening(text, start))
    .filter((start) => start === 0 || !isInside(text, start));
  const items = listItems(text);
  const starts = ends.filter((start) => !items.some((item) => start > item.start && start <= item.end));
  return [...new Set([...starts, ...items.map(({ start }) => start)])].sort((a, b) => a - b);
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

/**
 * Ends that the Unicode rules leave out: before a small letter, a digit or a dash, after an ellipsis, the Greek question
 * mark, the Armenian full stop, also typed as a colon, a wide full stop, and an end without a blank.
 */
const mayEnd =
  /(?:[.…]["”’»)\]]*|[?!]["”’»)\]]*(?= +[-–—])|(?<=\p{Script=Greek})[;\u037e]|(?<=\p{Script=Armenian}):) +(?=\S)|．(?=[^\d０-９])|(?<=\p{Ll}{2}|\d)[.?!](?=\p{Lu}[\p{Ll} ])/gu;

function isMissedEnd(text: string, start: number, isSmall: boolean): boolean {
  const before = text.slice(Math.max(0, start - nearby), start).trimEnd();
  const after = text.slice(start, start + nearby);
  if (/[;\u037e:．]$/.test(before)) return true;
  if (before.length > 0 && !/\s/.test(text.charAt(start - 1))) return sentenceStarters.has(firstWord(after));
  if (before.endsWith("…")) return /^\p{Lu}/u.test(after) && !/^I\b/.test(after);
  // The words of another speaker.
  if (/^[-–—] ?[\p{Lu}¿¡«"“]/u.test(after)) return true;
  if (/\p{L}{2}["”’»)\]]*\.["”’»)\]]*$/u.test(before) && /^(?:\d|(?:\.\.\.|…) ?\p{L})/u.test(after))
    return true;
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
  if (closes.test(after) || isQuoted(before, after) || isNamed(before, after)) return true;
  if (before === whole && isUnspaced(before, after)) return true;
  // The number of an item.
  if (start <= nearby && /^\(?(?:\d{1,3}|[a-z])\.?\)$/.test(before)) return true;
  if (/(?:^|\s)(?:Yahoo|Jeopardy|Joomla)!$/.test(before)) return true;
  // Three dots with blanks are a pause, four are an end.
  if (/(?:^|[^.\s] *)\. \. \.$/.test(before))
    return !sentenceStarters.has(firstWord(after)) || /^I\b/.test(after);
  return /(?:^|[^.])\.$/.test(before) && isAbbreviated(before, after, start <= nearby);
}

/** In a Chinese title, as in 《你好！世界》, and before a source in brackets, as in `“…” (Smith 55).`. */
function isNamed(before: string, after: string): boolean {
  if (before.lastIndexOf("《") > before.lastIndexOf("》") && /^[^《]*》/.test(after)) return true;
  return /["”’»]$/.test(before) && /^\([^()]{1,60}[^.!?…()]\)[.,;:!?]/.test(after);
}

/** A closing mark after a blank, as in `« Stop ! » dit-il`. The mark » opens, too. */
const closes = /^(?:[)\]}”’」』】》〉）］]|»(?![\p{L}\p{N}])|[,;:](?=\s|$))/u;

const says =
  "(?:said|says|asked|replied|answered|cried|shouted|yelled|whispered|added|thought|wrote|sagte|fragte|rief|meinte|schrie)\\b";
const spoken = new RegExp(`^(?:\\p{Lu}[\\p{L}.'’-]* ){1,3}${says}`, "u");
/** Words that were spoken, without quote marks: `Go away! he yelled.` */
const unquoted = new RegExp(`^\\p{Ll}+ ${says}`, "u");

/** Quoted words end with a mark, and the sentence around them goes on. */
function isQuoted(before: string, after: string): boolean {
  if (/[」』”]$/.test(before) && /^(?:と|って|という|など|[^。！？，]{0,4}[说說道问問喊答叫])/.test(after))
    return true;
  if (/[!?]$/.test(before) && unquoted.test(after)) return true;
  if (!/[.!?…][\s\u00a0]*["'”’»“‘«)\]]+$/.test(before)) return false;
  return /^\p{Ll}/u.test(after) || spoken.test(after);
}

/** Without a blank after the mark, as in `a?x=1`. Chinese and Japanese have no blanks. */
function isUnspaced(before: string, after: string): boolean {
  if (!/[.!?]["”’)\]]*$/.test(before) || noBlanks.test(after)) return false;
  if (/(?:\p{Ll}{2}|\d)[.?!]$/u.test(before) && sentenceStarters.has(firstWord(after))) return false;
  return !(/\p{L}[.!?]+["”’)\]]*$/u.test(before) && /^\p{Lu}[\p{Ll} ]/u.test(after));
}

const noBlanks = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}「『《“]/u;

/** A word before a full stop, with the elided article of Italian and French: `l’Ing`. */
const lastWord = /(?:^|[\s([{"“„«»‘'’/\u00a0-])([\p{L}\p{M}\p{N}.№°º’'-]+)\.$/u;
/** A letter that stands for a title or a date in Arabic: `د. محمد`. */
const arabicLetter = /^\p{Script=Arabic}$/u;

/** True if the full stop at the end of `before` belongs to an abbreviation, an initial or an ordinal. */
function isAbbreviated(before: string, after: string, isWhole: boolean): boolean {
  const [, word = ""] = lastWord.exec(before) ?? [];
  const rest = before.slice(0, before.length - word.length - 1).trimEnd();
  // The number or letter of a list item or a heading.
  if (isWhole && rest === "" && /^(?:\d{1,3}(?:\.\d+)*|\p{L}|[IVX]{1,4})$/u.test(word)) return true;
  // Nothing but the number of an item, or `Q.` and `A.` of an interview, is a sentence of one character.
  if (/^(?:\d{1,2}|[QA])$/.test(word) && isEnded(rest, `${word}. ${after}`)) return true;
  if (/^\d{1,2}$/.test(word) || /^[IVXLC]{2,6}$/.test(word)) return isOrdinal(word, rest, after);
  const startsNew = sentenceStarters.has(firstWord(after));
  if (/^\p{L}$/u.test(word)) return arabicLetter.test(word) || isInitial(word, rest, after, startsNew);
  return isShortened(word, rest, after, startsNew);
}

function isEnded(text: string, after: string): boolean {
  if (/[!?…]["”’»)\]]*$/.test(text)) return true;
  return /[^.]\.["”’»)\]]*$/.test(text) && !isAbbreviated(text, after, false);
}

function isShortened(word: string, rest: string, after: string, startsNew: boolean): boolean {
  if (endsTime(word, after)) return false;
  const bare = word.replace(/^.*['’](?=.)/, "");
  const written = [word, bare, joinedLetters(word, rest), joinedWords(word, rest)];
  if (written.some((each) => isKind(abbreviationKinds(each), after, startsNew))) return true;
  // `Rm. 204`, `N°. 5`, `Hft. 3`: no word is without a vowel.
  if (/^\d/.test(after) && /^(?:N[°ºo]|(?![\p{L}]*[aeiouyаеёиоуыэюя])\p{Lu}?\p{Ll}{1,3})$/iu.test(bare))
    return true;
  if (isDegree(word, rest)) return true;
  return /^(?:\p{L}\.)+\p{L}$/u.test(word) && !startsNew;
}

/** Abbreviations after a title: `Dr. med. Meyer`, `Prof. em. Müller`. */
function isDegree(word: string, rest: string): boolean {
  const [, title = ""] = lastWord.exec(rest) ?? [];
  return /^\p{Ll}{2,6}$/u.test(word) && /^(?:Dr|Prof|Mag|Dipl|Lic)$/.test(title);
}

/** After `5 P.M.` a capital begins a sentence, but for a time zone, a day, and what is named after a place. */
function endsTime(word: string, after: string): boolean {
  return /^[ap]\.m$/i.test(word) && /^\p{Lu}/u.test(after) && !timeZone.test(after);
}

const timeZone =
  /^(?:[A-Z]{2,5}\b|(?:Eastern|Pacific|Central|Mountain|Atlantic|Standard|Daylight|Greenwich|Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Satur|Sat|Sun)(?:day)?\b|(?:Mr|Mrs|Ms|Dr|Prof)\.)/;

function isKind(kinds: ReadonlySet<AbbreviationKind>, after: string, startsNew: boolean): boolean {
  if (kinds.has("open")) return true;
  if (kinds.has("number") && /^(?:[\d#№]|[IVXLC]+\b(?! \p{Ll})|[A-Z](?=[.,;:)]))/u.test(after)) return true;
  return kinds.has("name") && !startsNew;
}

function firstWord(after: string): string {
  return /^["“„«»‘'([]*(\p{L}+(?:['’]\p{L}+)?)/u.exec(after)?.[1] ?? "";
}

/** `ad es`: an abbreviation that is an ordinary word without the one before it. */
function joinedWords(word: string, rest: string): string {
  const before = /(?:^|[\s(])(\p{L}{2,3})$/u.exec(rest)?.[1] ?? "";
  return `${before}\u00a0${word}`;
}

/** `p. ex` and `и т. д` as one: an abbreviation of several letters with blanks between them. */
function joinedLetters(word: string, rest: string): string {
  const letters = /(?:^|[\s(])((?:\p{L}\. ?)+)$/u.exec(rest)?.[1] ?? "";
  return letters.replaceAll(" ", "") + word;
}

/** Nouns that have letters as names: after them, a letter may end a sentence. */
const lettered =
  /(?:plan|vitamin|type|class|grade|option|group|part|section|appendix|hepatitis|team|route|figure|Typ|Gruppe|app\.|fig\.|sec\.)$/iu;

function isInitial(word: string, rest: string, after: string, startsNew: boolean): boolean {
  const isNextShort = /^\p{L}{1,3}\.(?:\s|$|[,;)])/u.test(after);
  if (isNextShort) return true;
  if (abbreviationKinds(joinedLetters(word, rest)).has("open") && !startsNew) return true;
  if (/^\p{Lu}$/u.test(word) && abbreviationKinds(word).has("number") && /^\d/.test(after)) return true;
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
