import { folded, isInvisible } from "./folded.ts";
import { countBreaks, searchFor } from "./textSearch.ts";

/** Places where a text may begin that are compared, and characters of each. */
const maxPlaces = 50;
const maxCompared = 20_000;
const shownLength = 40;
/** Characters of its first line that a similar place has. */
const minSeed = 3;

/**
 * Says how the most similar place of a file differs from a text that is not in it: with line, character and what stands
 * there. The work is bounded by the length of the file.
 */
export function differenceText(text: string, sought: string): string {
  const place = nearest(text, sought);
  if (!place) return " Read the file again: it may have changed.";
  const { at, index } = place;
  if (index === undefined)
    return ` Line ${countBreaks(text, 0, at) + 1} is like its first line, but with other white space before it. Read the file again.`;
  const line = countBreaks(text, 0, at) + 1;
  const character = at - text.lastIndexOf("\n", at - 1);
  const [has, wants] = [signAt(text, at), signAt(sought, index)];
  return ` The most similar place differs at line ${line}, character ${character}: ${shown(has)} where old_text has ${shown(wants)}.${restText(text, at, wants === "\n" || has === "\n")} Read these lines again.`;
}

/** Two texts that look alike: where and how they first differ. */
export function lookAlikeText(text: string, start: number, sought: string): string {
  let [at, index] = [start, 0];
  while (index < sought.length && text[at] === sought[index]) {
    at += 1;
    index += 1;
  }
  const line = countBreaks(text, 0, at) + 1;
  const character = at - text.lastIndexOf("\n", at - 1);
  return `line ${line}, character ${character}: ${shown(signAt(text, at))} where old_text has ${shown(signAt(sought, index))}`;
}

interface Difference {
  /** In the file. */
  readonly at: number;
  /** In the sought text; undefined if only the white space before it differs. */
  readonly index: number | undefined;
}

/** The first difference of the place that has the most of the text from its start. */
function nearest(text: string, sought: string): Difference | undefined {
  const folding = { level: "looks", isLineEnd: true } as const;
  const [file, wanted] = [folded(text, folding), folded(sought, folding)];
  const first = /\S[^\n]*/.exec(wanted.text);
  if (!first) return undefined;
  const begin = first.index;
  const best = mostAlike(file.text, wanted.text, begin, first[0].trimEnd());
  if (!best) return undefined;
  const [at, index] = [best.at + best.length, begin + best.length];
  if (index >= wanted.text.length && begin > 0) return { at: file.starts[best.at] ?? 0, index: undefined };
  return { at: file.starts[at] ?? text.length, index: wanted.starts[index] ?? sought.length };
}

interface Place {
  readonly at: number;
  /** Characters that it has in common with the sought text. */
  readonly length: number;
}

/** The place that has the most of a text from `begin`, where its first line is; else of half or a quarter of that line. */
function mostAlike(text: string, sought: string, begin: number, line: string): Place | undefined {
  for (const part of [1, 2, 4]) {
    const seed = line.slice(0, Math.ceil(line.length / part));
    if (seed.length < minSeed) return undefined;
    const best = mostAlikeWith(seed, text, sought, begin);
    if (best) return best;
  }
  return undefined;
}

/** Of the first places that begin with a seed, the one that has the most of a text from `begin`. */
function mostAlikeWith(seed: string, text: string, sought: string, begin: number): Place | undefined {
  const search = searchFor(seed);
  let best: Place | undefined;
  let at = search(text, 0);
  for (let places = 0; at >= 0 && places < maxPlaces; places++) {
    const length = sameLength(text, at, sought, begin);
    if (!best || length > best.length) best = { at, length };
    at = search(text, at + 1);
  }
  return best;
}

function sameLength(text: string, at: number, sought: string, from: number): number {
  const most = Math.min(text.length - at, sought.length - from, maxCompared);
  let length = 0;
  while (length < most && text[at + length] === sought[from + length]) length += 1;
  return length;
}

function signAt(text: string, index: number): string | undefined {
  if (index >= text.length) return undefined;
  if (text.startsWith("\r\n", index)) return "\n";
  return String.fromCodePoint(text.codePointAt(index) ?? 0);
}

function restText(text: string, at: number, isShort: boolean): string {
  const end = text.indexOf("\n", at);
  const rest = text.slice(at, end < 0 ? undefined : end).trim();
  if (isShort || rest.length < 2) return "";
  return ` There the file goes on with “${rest.length > shownLength ? `${rest.slice(0, shownLength)}…` : rest}”.`;
}

const names: Readonly<Record<string, string>> = {
  " ": "a blank",
  "\t": "a tab",
  "\n": "a line end",
  "\r": "a line end (CR)",
  "\u00a0": "a no-break space",
  "\u202f": "a narrow no-break space",
  "\u3000": "an ideographic space",
  "\u200b": "a zero-width space",
  "\u00ad": "a soft hyphen",
  "\u2013": "an en dash",
  "\u2014": "an em dash",
  "\u2212": "a minus sign",
  "\u2018": "a curly quote",
  "\u2019": "a curly quote",
  "\u201c": "a curly quote",
  "\u201d": "a curly quote",
};

/** A character with its name, or with its number unless a keyboard has it. */
function shown(character: string | undefined): string {
  if (character === undefined) return "its end";
  const unit = character.codePointAt(0) ?? 0;
  const number = unit > 126 ? ` (U+${unit.toString(16).toUpperCase().padStart(4, "0")})` : "";
  const isHidden = unit < 32 || isInvisible(character);
  return `${names[character] ?? (isHidden ? "an invisible character" : `“${character}”`)}${number}`;
}
