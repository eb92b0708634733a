import { indentOf } from "../../../shared/text/indent.ts";
import { type Anchored, PatchPlaces, rowBefore, rowFrom } from "./patchPlaces.ts";
import { indentedAs, type LineEdit, toTextLines, withEdits } from "./textLines.ts";

/** What a patch does to one file. */
export type PatchedFile =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

/** Lines to find in a file, and what they become. */
export interface Hunk {
  /** Lines after which it stands, such as `class A`. */
  readonly anchors: readonly string[];
  /** Where a unified diff says that it begins, counted from 0. */
  readonly start: number | undefined;
  readonly isAtEnd: boolean;
  readonly lines: readonly HunkLine[];
}

interface HunkLine {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
}

/** A patch that can't be read, or applied; the message is a sentence for the model. */
class PatchProblem extends Error {}

/**
 * Reads a patch in the form that models of OpenAI are trained on, or a unified diff. Accepted are a missing begin or end
 * mark, CRLF, a code fence around it, and context lines without their leading blank. Throws PatchProblem.
 */
export function parsePatch(given: string): readonly PatchedFile[] {
  const lines = patchLines(given);
  const files = lines.some((line) => headerIn(line)) ? codexFiles(lines) : unifiedFiles(lines);
  if (files.length === 0)
    throw new PatchProblem(
      "The patch names no file. Write *** Begin Patch, then *** Update File: path, hunks with @@ and lines that begin with a blank, - or +, and *** End Patch.",
    );
  const paths = files.flatMap((file) =>
    file.kind === "update" && file.moveTo ? [file.path, file.moveTo] : [file.path],
  );
  const seen = new Set<string>();
  const twice = paths.find((path) => seen.size === seen.add(path).size);
  if (twice !== undefined)
    throw new PatchProblem(`The patch has ${twice} twice. Write one section for each file.`);
  return files;
}

/** The kind and the path of a line that begins a file. Linear, also for a line of white space. */
function headerIn(line: string): readonly [kind: string, path: string] | undefined {
  const [, kind, path] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line.trimEnd()) ?? [];
  return kind === undefined || path === undefined ? undefined : [kind, path];
}

function patchLines(given: string): readonly string[] {
  const lines = given.replace(/^\uFEFF/, "").split(/\r\n|\n/);
  const isMark = (line: string) => /^\s*(?:```\w*|\*\*\* (?:Begin|End) Patch)\s*$/.test(line);
  while (lines.length > 0 && (isMark(lines[0] ?? "") || lines[0]?.trim() === "")) lines.shift();
  // A fence above the end mark belongs to the last file.
  let isInside = false;
  for (let last = lines.at(-1); last !== undefined; last = lines.at(-1)) {
    if (last !== "" && (isInside || !isMark(last))) break;
    isInside ||= last.includes("End Patch");
    lines.pop();
  }
  return lines;
}

function codexFiles(lines: readonly string[]): readonly PatchedFile[] {
  const sections: { kind: string; path: string; lines: string[] }[] = [];
  for (const line of lines) {
    const header = headerIn(line);
    if (header) sections.push({ kind: header[0], path: header[1], lines: [] });
    else if (sections.length > 0) sections.at(-1)?.lines.push(line);
    else if (line.trim() !== "")
      throw new PatchProblem(`The patch has the line “${line}” before its first file.`);
  }
  return sections.map(({ kind, path, lines: inside }): PatchedFile => {
    if (kind === "Delete") return { kind: "delete", path };
    if (kind === "Add") return { kind: "add", path, text: addedText(path, inside) };
    const [first = "", ...rest] = inside;
    const [, moveTo] = /^\*\*\* Move to: (.+)$/.exec(first.trimEnd()) ?? [];
    const hunks = hunksIn(moveTo === undefined ? inside : rest);
    if (hunks.length === 0 && moveTo === undefined)
      throw new PatchProblem(`The patch changes nothing in ${path}.`);
    return { kind: "update", path, hunks, ...(moveTo === undefined ? {} : { moveTo }) };
  });
}

function addedText(path: string, lines: readonly string[]): string {
  const written = lines.filter((line) => line !== "");
  const isSigned = written.every((line) => line.startsWith("+"));
  if (!isSigned && written.some((line) => line.startsWith("+")))
    throw new PatchProblem(`Each line of the new file ${path} begins with +.`);
  const texts = lines.map((line) => (isSigned ? line.slice(1) : line));
  return texts.length === 0 ? "" : `${texts.join("\n")}\n`;
}

function hunksIn(lines: readonly string[]): readonly Hunk[] {
  let last = new HunkDraft();
  const drafts = [last];
  for (const line of lines) {
    if (line.startsWith("@@")) {
      // Several lines with @@ name a place one inside the other.
      if (last.lines.length > 0) {
        last = new HunkDraft();
        drafts.push(last);
      }
      last.readPlace(line);
    } else if (/^\*\*\* End of File\s*$/.test(line)) last.isAtEnd = true;
    else if (!line.startsWith("\\ No newline")) last.lines.push(signed(line));
  }
  return drafts.map(withoutOuterBlanks).filter(({ lines: kept }) => kept.some(({ sign }) => sign !== " "));
}

/** A hunk that is being read. */
class HunkDraft implements Hunk {
  readonly anchors: string[] = [];
  start: number | undefined;
  isAtEnd = false;
  readonly lines: HunkLine[] = [];

  /** Reads a line with @@: where the hunk begins, or a line after which it stands. */
  readPlace(line: string): void {
    const start = startIn(line);
    if (start !== undefined) {
      this.start = start;
      return;
    }
    const anchor = anchorIn(line);
    if (anchor !== "") this.anchors.push(anchor);
  }
}

/** The first line of a hunk of a unified diff, from 0. One without old lines stands after the line that it names. */
function startIn(line: string): number | undefined {
  const [, start, count] = /^@@ -(\d+)(?:,(\d+))?/.exec(line) ?? [];
  if (start === undefined) return undefined;
  return Number(count) === 0 ? Number(start) : Math.max(0, Number(start) - 1);
}

function anchorIn(line: string): string {
  const inside = line.slice(2).trim();
  return inside.endsWith("@@") ? inside.slice(0, -2).trim() : inside;
}

function signed(line: string): HunkLine {
  const sign = line[0];
  // Models leave out the blank of an empty context line, and some that of all.
  return sign === "+" || sign === "-" || sign === " "
    ? { sign, text: line.slice(1) }
    : { sign: " ", text: line };
}

/** Empty lines between two sections belong to neither. */
function withoutOuterBlanks(hunk: Hunk): Hunk {
  const end = hunk.lines.findLastIndex(({ sign, text }) => sign !== " " || text !== "") + 1;
  return { ...hunk, lines: hunk.lines.slice(0, end) };
}

function unifiedFiles(lines: readonly string[]): readonly PatchedFile[] {
  const heads = lines.flatMap((line, index) =>
    /^--- /.test(line) && /^\+\+\+ /.test(lines[index + 1] ?? "") ? [index] : [],
  );
  return heads.map((head, index): PatchedFile => {
    const nameIn = (line = "") => line.slice(4).replace(/\t.*$/, "").trim();
    const [from, to] = [nameIn(lines[head]), nameIn(lines[head + 1])];
    const isGit = [from, to].every(
      (name, side) => name === "/dev/null" || name.startsWith(side === 0 ? "a/" : "b/"),
    );
    const bare = (name: string) => (isGit ? name.replace(/^[ab]\//, "") : name);
    const body = lines
      .slice(head + 2, heads[index + 1])
      .filter(
        (line) =>
          !/^(?:diff --git |index [\da-f]+\.\.|(?:new|deleted) file mode |(?:old|new) mode |similarity |rename )/.test(
            line,
          ),
      );
    if (to === "/dev/null") return { kind: "delete", path: bare(from) };
    if (from === "/dev/null") {
      const added = body.filter((line) => line.startsWith("+"));
      return { kind: "add", path: bare(to), text: addedText(bare(to), added) };
    }
    const moved = bare(from) === bare(to) ? {} : { moveTo: bare(to) };
    return { kind: "update", path: bare(from), hunks: hunksIn(body), ...moved };
  });
}

/** A file's text after these hunks. Lines that stay keep their bytes. Throws PatchProblem; then nothing is changed. */
export function patchedText(path: string, text: string, hunks: readonly Hunk[]): string {
  const file = toTextLines(text);
  const edits: LineEdit[] = [];
  const sought = hunks.map(({ lines }) => textsOf(lines, "+"));
  const places = new PatchPlaces(
    file.lines,
    sought,
    hunks.flatMap(({ anchors }) => anchors),
  );
  let after = 0;
  for (const [index, hunk] of hunks.entries()) {
    const name = hunks.length > 1 ? `Hunk ${index + 1} of ${path}` : `The hunk of ${path}`;
    const from = anchored(name, places, hunk.anchors, after);
    const placed = placedHunk(name, { file: file.lines, places, hunk, old: sought[index] ?? [], from });
    after = placed.end;
    edits.push(...placed.edits);
  }
  // Models don't always keep the order of the file.
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  if (sorted.some(({ start }, index) => start < (sorted[index - 1]?.end ?? 0)))
    throw new PatchProblem(`Hunks of ${path} overlap. Write them as one.`);
  return withEdits(file, sorted);
}

/** The changed lines of a hunk, and the line after it. */
interface PlacedHunk {
  readonly edits: readonly LineEdit[];
  readonly end: number;
}

interface Placing {
  readonly file: readonly string[];
  readonly places: PatchPlaces;
  readonly hunk: Hunk;
  /** The lines of the hunk that the file has. */
  readonly old: readonly string[];
  readonly from: Anchored | undefined;
}

function textsOf(lines: readonly HunkLine[], without: HunkLine["sign"]): readonly string[] {
  return lines.filter(({ sign }) => sign !== without).map(({ text }) => text);
}

function placedHunk(name: string, { file, places, hunk, old, from }: Placing): PlacedHunk {
  let above: readonly number[] = [];
  if (old.length === 0) return insertion(name, file, hunk, from, textsOf(hunk.lines, "-"));
  for (const found of places.of(old)) {
    const start = chosen(name, found, hunk, from, { length: old.length, total: file.length });
    if (start !== undefined) return replacement(file, hunk, start, old);
    if (found.length > 0) above = found;
  }
  if (above.length > 0)
    throw new PatchProblem(
      `${name} stands only above “${hunk.anchors.at(-1)}”, at the lines ${shownLines(above)}. Write after @@ a line above it.`,
    );
  throw new PatchProblem(notFound(name, file, old));
}

/** New lines alone: after their anchor, or at the end of the file. */
function insertion(
  name: string,
  file: readonly string[],
  { anchors, isAtEnd, start }: Hunk,
  from: Anchored | undefined,
  lines: readonly string[],
): PlacedHunk {
  const anchor = from?.isVague ? undefined : from?.after;
  const place = isAtEnd || file.length === 0 ? file.length : anchors.length > 0 ? anchor : start;
  if (from?.isVague && place === undefined)
    throw new PatchProblem(
      `${name} stands after “${anchors.at(-1)}”, which several lines have. Write one whole.`,
    );
  if (place === undefined || place > file.length)
    throw new PatchProblem(`${name} has no line of the file. Add lines before and after the place.`);
  return { edits: [{ start: place, end: place, lines }], end: place };
}

/** The place that is meant; undefined without one. Throws if several may be. */
function chosen(
  name: string,
  found: readonly number[],
  { anchors, start, isAtEnd }: Hunk,
  from: Anchored | undefined,
  { length, total }: { readonly length: number; readonly total: number },
): number | undefined {
  if (found.length <= 1) return found[0];
  const last = found.at(-1);
  if (isAtEnd && last !== undefined && last + length === total) return last;
  if (start !== undefined && rowFrom(found, start) === start) return start;
  if (anchors.length > 0 && !from?.isVague) return rowFrom(found, from?.after ?? 0);
  throw new PatchProblem(
    `${name} matches several places, at the lines ${shownLines(found)}. Add lines of context, or a line with @@ and the line above it, such as its function.`,
  );
}

function shownLines(found: readonly number[]): string {
  return found
    .slice(0, 10)
    .map((place) => place + 1)
    .join(", ");
}

/** Undefined without anchors. They may stand before the hunk of before. */
function anchored(
  name: string,
  places: PatchPlaces,
  anchors: readonly string[],
  after: number,
): Anchored | undefined {
  let place: Anchored | undefined;
  for (const anchor of anchors) {
    const begin = place?.after ?? after;
    const next = places.anchorAfter(anchor, begin) ?? (place ? undefined : places.anchorAfter(anchor, 0));
    if (!next) throw new PatchProblem(`${name} stands after “${anchor}”, which the file does not have.`);
    place = { after: next.after, isVague: next.isVague || place?.isVague === true };
  }
  return place;
}

/** Lines that stay are no part of the edits, so that they keep their bytes. */
function replacement(file: readonly string[], hunk: Hunk, start: number, old: readonly string[]): PlacedHunk {
  // Lines of the patch that the file may have in another indentation, with those of the file.
  const pairs = old.map((text, index) => ({ text, inFile: file[start + index] ?? "" }));
  const isShifted = pairs.some(
    ({ text, inFile }) => text.trim() !== "" && indentOf(text) !== indentOf(inFile),
  );
  const edits: { start: number; end: number; lines: string[] }[] = [];
  const indents = isShifted ? new NearIndents(pairs) : undefined;
  let next = 0;
  const current = () => {
    const last = edits.at(-1);
    if (last?.end === start + next) return last;
    const made = { start: start + next, end: start + next, lines: [] };
    edits.push(made);
    return made;
  };
  for (const { sign, text } of hunk.lines) {
    if (sign === "+") current().lines.push(indents ? indents.shifted(text, next) : text);
    else if (sign === "-") current().end += 1;
    if (sign !== "+") next += 1;
  }
  return { edits, end: start + old.length };
}

interface LinePair {
  readonly text: string;
  readonly inFile: string;
}

/** The lines of a hunk by their indentation. */
class NearIndents {
  readonly #pairs: readonly LinePair[];
  readonly #all: number[] = [];
  readonly #byIndent = new Map<string, number[]>();

  constructor(pairs: readonly LinePair[]) {
    this.#pairs = pairs;
    for (const [index, { text }] of pairs.entries()) {
      if (text.trim() === "") continue;
      this.#all.push(index);
      const indent = indentOf(text);
      const same = this.#byIndent.get(indent) ?? [];
      same.push(index);
      this.#byIndent.set(indent, same);
    }
  }

  /** A new line, indented as the file indents the nearest line that the patch indents like it, else the nearest one. */
  shifted(line: string, place: number): string {
    const indexes = this.#byIndent.get(indentOf(line)) ?? this.#all;
    const next = rowFrom(indexes, place);
    const former = rowBefore(indexes, place);
    const isFormerNearer = former !== undefined && (next === undefined || place - former <= next - place + 1);
    const pair = this.#pairs[(isFormerNearer ? former : next) ?? -1];
    return pair ? (indentedAs([line], pair.text, pair.inFile)[0] ?? "") : line;
  }
}

function notFound(name: string, file: readonly string[], old: readonly string[]): string {
  const missing = old.find((line) => line.trim() !== "" && !file.some((one) => one.trim() === line.trim()));
  const why =
    missing === undefined
      ? "the file has its lines, but not one after the other"
      : `the file does not have its line “${missing.trim()}”`;
  return `${name} was not found: ${why}. Read the file, and write the lines as they are there.`;
}
