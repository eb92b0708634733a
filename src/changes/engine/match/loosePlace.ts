import { indentOf } from "../../../shared/text/indent.ts";
import { type Folded, type Folding, folded } from "./folded.ts";
import { searchFor } from "./textSearch.ts";

/** The place in a file that a model means, although it is written differently there. */
export interface LoosePlace {
  readonly start: number;
  readonly end: number;
  /** The text of the model, without white space at its end that the line of the file does not have. */
  readonly sought: string;
  /** Blanks that stand for one tab, if the file and the model indent in different ways. */
  readonly tabWidth: number | undefined;
  readonly folding: Folding;
}

/** Several places are written like a text, or none is. `found` are the first two. */
export interface NoLoosePlace {
  readonly found: readonly LoosePlace[];
}

const foldings: readonly Folding[] = [
  { level: "ends", isLineEnd: false },
  { level: "looks", isLineEnd: false },
  { level: "looks", isLineEnd: true },
  { level: "indents", isLineEnd: false },
  { level: "indents", isLineEnd: true },
];
/** The number of times that a search reads the text. */
export const looseReads = 2 * foldings.length;
/** Places that are tried: each may take time linear in the text. */
const maxTries = 64;
/** Widths of a tab, the usual ones first. */
const tabWidths = [4, 2, 8, 3, 1, 5, 6, 7];

/**
 * Looks for a text that is not exactly in a file: first with other line ends, then with characters that look alike and
 * other white space at the ends of lines, then with tabs for blanks in the indentation. The first of them that finds
 * something decides. Linear in the texts.
 */
export function loosePlace(text: string, sought: string): LoosePlace | NoLoosePlace {
  for (const folding of foldings) {
    const wanted = folding.isLineEnd ? withoutBlanksAtEnd(sought) : sought;
    if (folding.isLineEnd && wanted === sought) continue;
    const found = placesIn(text, wanted, folding);
    const [first] = found;
    if (found.length === 1 && first) return first;
    if (found.length > 1) return { found };
  }
  return { found: [] };
}

/** In linear time, unlike a pattern that ends with its end. */
function withoutBlanksAtEnd(text: string): string {
  const rest = text.slice(text.trimEnd().length);
  return text.slice(0, text.length - rest.length + rest.lastIndexOf("\n") + 1);
}

/** The first two places. */
function placesIn(text: string, sought: string, folding: Folding): readonly LoosePlace[] {
  const file = folded(text, { ...folding, isLineEnd: true });
  const wanted = folded(sought, { ...folding, isLineEnd: false }).text;
  if (wanted.trim() === "") return [];
  const search = searchFor(wanted);
  const places: LoosePlace[] = [];
  let tries = 0;
  for (let at = search(file.text, 0); at >= 0 && places.length < 2; at = search(file.text, at + 1)) {
    tries += 1;
    // A place that was not tried could match as well.
    if (tries > maxTries) return [];
    const place = placeAt(text, file, at, { sought, length: wanted.length, folding });
    if (place) places.push(place);
  }
  return places;
}

interface Wanted {
  readonly sought: string;
  /** Of its folded text. */
  readonly length: number;
  readonly folding: Folding;
}

function placeAt(
  text: string,
  { starts, ends, text: plain }: Folded,
  at: number,
  { sought, length, folding }: Wanted,
): LoosePlace | undefined {
  const after = at + length;
  const isWhole = starts[at] !== starts[at - 1] && ends[after - 1] !== ends[after];
  if (!isWhole || (folding.isLineEnd && after < plain.length && plain[after] !== "\n")) return undefined;
  const [start = 0, end = 0] = [starts[at], ends[after - 1]];
  if (folding.level !== "indents") return { start, end, sought, tabWidth: undefined, folding };
  const isIndented = /^[^\S\n]/.test(sought);
  const lineStart = startOfLine(text, start);
  if (isIndented && text.slice(lineStart, start).trim() !== "") return undefined;
  const first = isIndented ? lineStart : start;
  const tabWidth = tabWidthOf(text.slice(first, end), sought);
  return tabWidth === undefined ? undefined : { start: first, end, sought, tabWidth, folding };
}

function startOfLine(text: string, index: number): number {
  let start = index;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start -= 1;
  return start;
}

/** The width of a tab with which all lines of two texts are indented equally; undefined without one. */
function tabWidthOf(text: string, sought: string): number | undefined {
  const [lines, wanted] = [text.split(/\r\n|\r|\n/), sought.split("\n")];
  const pairs = wanted.flatMap((line, index) =>
    line.trim() === "" ? [] : [[indentOf(line), indentOf(lines[index] ?? "")] as const],
  );
  return tabWidths.find((width) =>
    pairs.every(([one, other]) => widthOf(one, width) === widthOf(other, width)),
  );
}

/** The width of white space in blanks. */
export function widthOf(indent: string, tabWidth: number): number {
  let width = 0;
  for (const character of indent) width += character === "\t" ? tabWidth - (width % tabWidth) : 1;
  return width;
}
