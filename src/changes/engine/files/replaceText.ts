import { Refusal } from "../../../platform/errors/refusal.ts";

/** Replaces one place, which `oldText` names exactly, or all places. Line ends of the file count as `\n`. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  readonly all?: boolean;
}

/** Limit in bytes of a text that an agent writes, as of the files that it changes. */
export const mostTextBytes = 25 * 1024 * 1024;
/** Limits of one call, because it keeps the editor from all other work: characters that are searched, and replaced places. */
const mostSearched = 16 * mostTextBytes;
const mostPlaces = 100_000;

/** A new text for a file, with the line ends that the file has. */
export function inFormOf(former: string | undefined, text: string): string {
  if (former === undefined) return text;
  const hasOnlyCrLf = former.includes("\r\n") && !loneBreak.test(former);
  return hasOnlyCrLf && !text.includes("\r\n") ? text.replace(/\n/g, "\r\n") : text;
}

const loneBreak = /(?<!\r)\n/;
/** Lines that a refusal names. */
const mostNamed = 10;

/**
 * Applies replacements in order, each to the result of the one before. Lines of the new text get the line ends of the
 * file. Throws a Refusal that says why a text is not found (with the most similar line), not unique (with the lines),
 * or that a limit would be passed. The work is linear in the searched texts, and bounded.
 */
export function replaceText(path: string, text: string, replacements: readonly Replacement[]): string {
  const isCrLf = text.includes("\r\n") && !loneBreak.test(text);
  const isMixed = !isCrLf && text.includes("\r\n");
  const inForm = (one: string) => (isMixed ? one : one.replace(/\r\n/g, "\n"));
  const left = { searched: mostSearched, places: mostPlaces };
  let result = inForm(text);
  for (const [index, { oldText, newText, all = false }] of replacements.entries()) {
    const name = replacements.length > 1 ? `Replacement ${index + 1} of ${path}` : path;
    left.searched -= result.length;
    if (left.searched < 0)
      throw new Refusal(
        `${name} was not changed: the edits of one call search at most ${mostSearched / 1024 / 1024} million characters. Use several calls.`,
      );
    result = replaceOne(name, result, { oldText: inForm(oldText), newText: inForm(newText), all }, left);
  }
  return isCrLf ? result.replace(/\n/g, "\r\n") : result;
}

function replaceOne(
  name: string,
  text: string,
  { oldText, newText, all = false }: Replacement,
  left: { places: number },
): string {
  if (oldText === "")
    throw new Refusal(`${name} was not changed: old_text is empty. Name the text to replace.`);
  if (oldText === newText) throw new Refusal(`${name} was not changed: old_text and new_text are the same.`);
  const search = searchFor(oldText);
  const first = search(text, 0);
  if (first < 0)
    throw new Refusal(`${name} was not changed: old_text was not found.${similar(text, oldText)}`);
  if (!all && search(text, first + 1) >= 0)
    throw new Refusal(
      `${name} was not changed: old_text is not unique, it is at the lines ${linesOf(text, search)}. Add lines around it, or set all to true.`,
    );
  const places = [first];
  for (let at = first; all && at >= 0 && places.length <= left.places; ) {
    at = search(text, at + oldText.length);
    if (at >= 0) places.push(at);
  }
  if (places.length > left.places)
    throw new Refusal(
      `${name} was not changed: one call replaces at most ${mostPlaces} places. Name longer texts.`,
    );
  left.places -= places.length;
  const length = text.length + places.length * (newText.length - oldText.length);
  if (length > mostTextBytes)
    throw new Refusal(
      `${name} was not changed: it would have ${length} characters, and the limit is ${mostTextBytes}.`,
    );
  const starts = [0, ...places.map((at) => at + oldText.length)];
  return starts.map((start, index) => text.slice(start, places[index] ?? text.length)).join(newText);
}

/** The first place at or after `from`; -1 without one. */
type Search = (text: string, from: number) => number;

/** For longer texts, `indexOf` may compare nearly all of it at each place of the file. */
const longestNative = 64;
/** Places at which only the start of a longer text was found, before the search that is linear for each text. */
const mostTries = 16;

/** Searches in linear time: by `indexOf` for the start of the text, unless that stands at many other places. */
function searchFor(sought: string): Search {
  if (sought.length <= longestNative) return (text, from) => text.indexOf(sought, from);
  const start = sought.slice(0, longestNative);
  let linear: Search | undefined;
  return (text, from) => {
    let at = text.indexOf(start, from);
    for (let tries = 0; at >= 0 && tries < mostTries; tries++) {
      if (text.startsWith(sought, at)) return at;
      at = text.indexOf(start, at + 1);
    }
    if (at < 0) return -1;
    linear ??= linearSearch(sought);
    return linear(text, at);
  };
}

/** Knuth, Morris, Pratt, "Fast Pattern Matching in Strings", 1977. */
function linearSearch(sought: string): Search {
  // For each length of a matching part: the length of the longest shorter one with which it also ends.
  const shorter = new Int32Array(sought.length + 1);
  for (let at = 1, length = 0; at < sought.length; shorter[++at] = length) {
    while (length > 0 && sought.charCodeAt(at) !== sought.charCodeAt(length)) length = shorter[length] ?? 0;
    if (sought.charCodeAt(at) === sought.charCodeAt(length)) length += 1;
  }
  return (text, from) => {
    for (let at = from, length = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (length > 0 && unit !== sought.charCodeAt(length)) length = shorter[length] ?? 0;
      if (unit === sought.charCodeAt(length)) length += 1;
      if (length === sought.length) return at + 1 - length;
    }
    return -1;
  };
}

/** The lines at which a text begins, counted from 1. */
function linesOf(text: string, search: Search): string {
  const found: number[] = [];
  let line = 1;
  let from = 0;
  for (let at = search(text, 0); at >= 0; at = search(text, at + 1)) {
    if (found.length === mostNamed) return `${found.join(", ")} and more`;
    line += countBreaks(text, from, at);
    from = at;
    found.push(line);
  }
  return found.join(", ");
}

/** The place where the first written line of the text stands with other white space, or how the file begins. */
function similar(text: string, sought: string): string {
  const wanted = /\S.*/.exec(sought)?.[0].trim();
  const at = wanted === undefined ? undefined : lineThatIs(text, wanted);
  if (at === undefined) return " Read the file again: it may have changed.";
  return ` Line ${countBreaks(text, 0, at) + 1} has its first line, but the lines after it or the white space differ. Read the file again.`;
}

/** The start of the first line that is this text but for the white space around it. Looks at a bounded number of lines. */
function lineThatIs(text: string, wanted: string): number | undefined {
  const search = searchFor(wanted);
  let at = search(text, 0);
  for (let looked = 0; at >= 0 && looked < mostPlaces; looked++) {
    const start = text.lastIndexOf("\n", at) + 1;
    const end = text.indexOf("\n", at);
    const line = text.slice(start, end < 0 ? text.length : end);
    if (line.trim() === wanted) return start;
    at = end < 0 ? -1 : search(text, end);
  }
  return undefined;
}

function countBreaks(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) found += 1;
  return found;
}
