import { folded } from "../../../changes/engine/match/folded.ts";
import { SequenceSearch } from "./sequenceSearch.ts";

/** From exact to loose: white space at ends, then the indentation, which models lose. */
const forms: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => folded(line, { level: "looks", isLineEnd: true }).text,
  (line) => folded(line, { level: "indents", isLineEnd: true }).text,
];

/** The rows of a file that are an anchor, that begin with it as a word, and that have it. */
type AnchorRows = readonly [exact: Rows, words: Rows, parts: Rows];

/** Rows of a file in ascending order, counted from 0. */
type Rows = readonly number[];

export interface Anchored {
  /** The row after the last anchor. */
  readonly after: number;
  /** Other rows may be meant by an anchor, too: it is only a part of them. */
  readonly isVague: boolean;
}

/**
 * Where the hunks of a patch may stand in a file. The file is read once for all hunks and for each form of their lines, so
 * that the time does not grow with both.
 */
export class PatchPlaces {
  readonly #file: readonly string[];
  readonly #sought: readonly (readonly string[])[];
  readonly #anchors: readonly string[];
  readonly #found = new Map<number, ReadonlyMap<readonly string[], Rows>>();
  #anchorRows: ReadonlyMap<string, AnchorRows> | undefined;

  /** `sought` are the old lines of each hunk. */
  constructor(file: readonly string[], sought: readonly (readonly string[])[], anchors: readonly string[]) {
    this.#file = file;
    this.#sought = sought;
    this.#anchors = anchors;
  }

  /** For each form, the rows at which these old lines of a hunk begin; the exact form first. */
  *of(sought: readonly string[]): Generator<Rows> {
    for (const [index, form] of forms.entries()) {
      const found = this.#found.get(index) ?? this.#findAll(form);
      this.#found.set(index, found);
      yield found.get(sought) ?? [];
    }
  }

  /** The first row from `begin` that is the anchor, else one that begins with it as a word, else one that has it. */
  anchorAfter(anchor: string, begin: number): Anchored | undefined {
    this.#anchorRows ??= this.#findAnchors();
    for (const [index, rows] of (this.#anchorRows.get(anchor) ?? []).entries()) {
      const found = rowFrom(rows, begin);
      if (found !== undefined) return { after: found + 1, isVague: index > 0 && (rows.at(-1) ?? 0) > found };
    }
    return undefined;
  }

  #findAll(form: (line: string) => string): ReadonlyMap<readonly string[], Rows> {
    const search = new SequenceSearch<string>();
    const ids = this.#sought.map((lines) => search.add(lines.map(form)));
    const rows: number[][] = [];
    search.find(this.#file.map(form), (id, start) => {
      rows[id] ??= [];
      rows[id].push(start);
    });
    return new Map(this.#sought.map((lines, index) => [lines, rows[ids[index] ?? 0] ?? []]));
  }

  #findAnchors(): ReadonlyMap<string, AnchorRows> {
    const search = new SequenceSearch<string>();
    const all = new Map(
      this.#anchors.map((anchor) => [
        anchor,
        { id: search.add(anchor), rows: [[], [], []] as [number[], number[], number[]] },
      ]),
    );
    const byId = new Map([...all].map(([anchor, { id, rows }]) => [id, { anchor, rows }]));
    for (const [row, given] of this.#file.entries()) {
      const line = given.trim();
      search.find(line, (id, start) => {
        const known = byId.get(id);
        if (!known) return;
        const [exact, words, parts] = known.rows;
        const { length } = known.anchor;
        if (parts.at(-1) !== row) parts.push(row);
        if (start === 0 && !/^\w/.test(line.slice(length, length + 1))) words.push(row);
        if (start === 0 && line.length === length) exact.push(row);
      });
    }
    return new Map([...all].map(([anchor, { rows }]) => [anchor, rows]));
  }
}

/** The first of some rows from `begin`; undefined without one. */
export function rowFrom(rows: Rows, begin: number): number | undefined {
  return rows[indexFrom(rows, begin)];
}

/** The last of some rows before `end`; undefined without one. */
export function rowBefore(rows: Rows, end: number): number | undefined {
  return rows[indexFrom(rows, end) - 1];
}

function indexFrom(rows: Rows, begin: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < begin) low = middle + 1;
    else high = middle;
  }
  return low;
}
