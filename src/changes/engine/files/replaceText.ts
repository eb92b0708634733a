import { Refusal } from "../../../platform/errors/refusal.ts";
import { inStyleOf } from "../match/keptStyle.ts";
import { type LoosePlace, loosePlace, looseReads } from "../match/loosePlace.ts";
import { differenceText, lookAlikeText } from "../match/notFound.ts";
import { countBreaks, type Search, searchFor } from "../match/textSearch.ts";

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
 * file. A text that is not there exactly is replaced where one place differs from it only in line ends, in characters that
 * look alike, in white space at line ends, or in tabs for blanks: what the new text leaves unchanged there stays as it is
 * in the file. Throws a Refusal that says why a text is not found (with the first difference), not unique (with the lines),
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

/** The work that is left to one call. */
interface Left {
  searched: number;
  places: number;
}

function replaceOne(
  name: string,
  text: string,
  { oldText, newText, all = false }: Replacement,
  left: Left,
): string {
  if (oldText === "")
    throw new Refusal(`${name} was not changed: old_text is empty. Name the text to replace.`);
  if (oldText === newText) throw new Refusal(`${name} was not changed: old_text and new_text are the same.`);
  const search = searchFor(oldText);
  const first = search(text, 0);
  if (first < 0) return replaceLoosely(name, text, { oldText, newText }, left);
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
  const written = formsAt(text, places, { oldText, newText });
  const starts = [0, ...places.map((at) => at + oldText.length)];
  return starts
    .map((start, index) => text.slice(start, places[index] ?? text.length) + (written(index) ?? ""))
    .join("");
}

/** Replaces the one place that is written differently. */
function replaceLoosely(name: string, text: string, { oldText, newText }: Replacement, left: Left): string {
  left.searched -= looseReads * text.length;
  const place = left.searched < 0 ? { found: [] } : loosePlace(text, oldText);
  if ("found" in place)
    throw new Refusal(
      `${name} was not changed: old_text was not found.${unfound(text, oldText, place.found)}`,
    );
  const { start, end, sought, tabWidth } = place;
  const dropped = oldText.slice(sought.length);
  const inFile = text.slice(start, end);
  const fresh = newText.endsWith(dropped) ? newText.slice(0, newText.length - dropped.length) : newText;
  const written = inStyleOf({
    oldText: sought,
    newText: fresh,
    inFile,
    tabWidth,
    lineEnd: lineEndAt(text, start),
  });
  return text.slice(0, start) + written + text.slice(end);
}

/** Why no place is replaced. */
function unfound(text: string, oldText: string, found: readonly LoosePlace[]): string {
  const [first] = found;
  if (!first) return differenceText(text, oldText);
  const lines = found.map(({ start }) => countBreaks(text, 0, start) + 1).join(" and ");
  return ` It is not unique either if look-alike characters and white space count as the same: see the lines ${lines} (${lookAlikeText(text, first.start, oldText)}). Add lines around.`;
}

/** The new text for each of the places, which have the old text exactly. In a file with both line ends, each has those around. */
function formsAt(
  text: string,
  places: readonly number[],
  { oldText, newText }: Replacement,
): (index: number) => string | undefined {
  const isPlain = !newText.includes("\n") || `${oldText}${newText}`.includes("\r") || !text.includes("\r\n");
  const forms = new Map<string, string>();
  const formOf = (lineEnd: string) => {
    const known = forms.get(lineEnd);
    const form = known ?? inStyleOf({ oldText, newText, inFile: oldText, lineEnd, tabWidth: undefined });
    forms.set(lineEnd, form);
    return form;
  };
  return (index) => {
    const at = places[index];
    if (at === undefined || isPlain) return at === undefined ? undefined : newText;
    return formOf(lineEndAt(text, places.length > mostLookedAt ? (places[0] ?? 0) : at));
  };
}

/** Places of one text whose lines are looked at. */
const mostLookedAt = 100;

/** The line end of the line at a place, or of the one before the last line. */
function lineEndAt(text: string, at: number): string {
  const next = text.indexOf("\n", at);
  const end = next < 0 ? text.lastIndexOf("\n", at) : next;
  return text[end - 1] === "\r" ? "\r\n" : "\n";
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
