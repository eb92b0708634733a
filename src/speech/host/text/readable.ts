import { type Replacement, replaced, type SpokenText } from "./spokenText.ts";

/**
 * What a person reads of a text: the host of an address, no marks of citations and footnotes, no pictures between
 * words, no invisible characters.
 */
export function readable(spoken: SpokenText): SpokenText {
  const whole = replaced(spoken, linkedNotesIn(spoken.text));
  const addresses = replaced(whole, addressesIn(whole.text));
  return replaced(addresses, [...marksIn(addresses.text), ...silentIn(addresses.text)]);
}

/** `[[Note]]` and `[[Note|its text]]`, links of note programs. */
function linkedNotesIn(text: string): Replacement[] {
  return [...text.matchAll(/\[\[([^[\]|\n]{1,200})(?:\|([^[\]|\n]{1,200}))?\]\]/g)].map(
    ({ index, 0: found, 1: note = "", 2: words }) => ({
      start: index,
      end: index + found.length,
      text: words ?? note,
    }),
  );
}

/** Up to white space, a quote mark, or punctuation that Chinese and Japanese writers put behind an address. */
const address =
  /(?:https?:\/\/|ftp:\/\/|www\.)[^\s<>"“”„«»`{}|\\^，。、；：！？（）「」『』【】《》〈〉]{1,2000}/giu;
/** Marks that end the sentence or the words around an address. */
const behindAddress = /[.,;:!?'’*_~…-]+$/;

function addressesIn(text: string): Replacement[] {
  return [...text.matchAll(address)].flatMap(({ index, 0: found }) => {
    const written = trimmedAddress(found);
    const host = hostOf(written);
    return host === undefined ? [] : [{ start: index, end: index + written.length, text: host }];
  });
}

/** Without the punctuation and the unopened brackets behind it. */
function trimmedAddress(found: string): string {
  let written = found;
  for (;;) {
    const bare = written.replace(behindAddress, "");
    const isUnopened =
      (bare.endsWith(")") && !balances(bare, "(", ")")) || (bare.endsWith("]") && !balances(bare, "[", "]"));
    if (!isUnopened) return bare;
    written = bare.slice(0, -1);
  }
}

function balances(text: string, open: string, close: string): boolean {
  return text.split(open).length >= text.split(close).length;
}

function hostOf(written: string): string | undefined {
  const full = /^www\./i.test(written) ? `https://${written}` : written;
  // The host is said as it is written, not in Punycode.
  const host = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#:]+|\[[^\]]+\])/i.exec(full)?.[1];
  return host && URL.canParse(full) ? host.replace(/^www\./i, "") : undefined;
}

/** `[1]`, `[2, 5–7]`, `[1][2]`, `[note 3]`, `[@smith2020]`, `[^1]`. */
const mark =
  /(?<= ?)\[(?:\^[^\]\s]{1,40}|(?:note |nb |Anm\. |fn )?\d{1,3}(?: ?[,;–-] ?\d{1,3})*|citation needed|-?@[\w:.#$%&+?<>~/-]+(?:; -?@[\w:.#$%&+?<>~/-]+)*)\]/giu;
/** A number behind such a word is read: `see [2]`, `as shown in [1]`. */
const names =
  /(?:^|[\s(])(?:in|see|by|from|of|and|to|with|cf\.?|refs?\.?|references?|siehe|aus|von|nach|und|voir|dans|ver|en)$/i;

function marksIn(text: string): Replacement[] {
  const found: Replacement[] = [];
  for (const { index, 0: written } of text.matchAll(mark)) {
    const before = text.slice(Math.max(0, index - 40), index);
    const end = index + written.length;
    // At the start it is the number of an entry in a list of sources.
    if (before.trim() === "" || names.test(before.trimEnd())) continue;
    const blanks = before.length - before.trimEnd().length;
    found.push({ start: index - (isBoundary(text, end) ? blanks : 0), end, text: "" });
  }
  // `word¹`, but `10⁶` and `m²` are powers.
  for (const { index, 0: written } of text.matchAll(
    /(?<=\p{L}{3}|[.,;:!?…"”’»)])[⁰¹²³⁴-⁹]{1,3}(?![\p{L}\p{N}⁻⁺])/gu,
  ))
    found.push({ start: index, end: index + written.length, text: "" });
  return found;
}

/** True if nothing but punctuation or a blank follows, so the blank before is not needed. */
function isBoundary(text: string, end: number): boolean {
  return /^(?:$|[\s.,;:!?…)\]])/.test(text.slice(end, end + 1));
}

const picture =
  /(?:\p{Regional_Indicator}{2}|(?![©®™\d#*\u2190-\u21ff])\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*)*)/gu;
/** Soft hyphens, zero-width characters, marks of direction, variation selectors, keycaps. */
const invisible =
  /[\p{Variation_Selector}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]|\u20e3/gu;
/** `==text==`, marked in a note program. */
const highlighted = /(?<![\w=])==(?=\S)([^=\n]{1,400})(?<=\S)==(?![\w=])/g;
/** `:smile:`, the name of a picture. */
const pictureName = /(?<=^|\s):(?:[+-]1|[a-z][a-z\d_+-]{1,40}):(?=$|[\s.,;!?])/g;
/** Lines that are drawn with characters: `-----`, `. . . . .`. */
const rule = /(?:[-_=*~#]{4,}|(?:\. ?){5,}|[─━═]+)/g;

function silentIn(text: string): Replacement[] {
  const toNothing = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
      text: "",
    }));
  return [
    ...withBlank(text, toNothing(picture)),
    ...toNothing(invisible),
    ...withBlank(text, toNothing(pictureName)),
    ...[...text.matchAll(highlighted)].flatMap(({ index, 0: { length } }) => [
      { start: index, end: index + 2, text: "" },
      { start: index + length - 2, end: index + length, text: "" },
    ]),
    ...withBlank(text, toNothing(rule)),
  ];
}

/** A silent part between two words leaves a blank. */
function withBlank(text: string, parts: readonly Replacement[]): Replacement[] {
  return parts.map((part) => ({
    ...part,
    text:
      /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, part.start - 2), part.start)) &&
      /^[\p{L}\p{N}]/u.test(text.slice(part.end, part.end + 2))
        ? " "
        : "",
  }));
}
