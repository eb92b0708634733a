/**
 * What one answer may have drawn. An answer that has more was made to be slow, or is so long that nobody reads it: the
 * rest of it is shown as it was written. What counts is the text alone, not the pieces in which it came.
 */
export interface DrawBudget {
  /** Counts elements. */
  addElements(count: number): void;
  /** Counts the signs of a text that may come to be marks. */
  addText(text: string): void;
  /** Whether no block should begin any more. */
  readonly isSpent: boolean;
  /** Whether so many empty cells may be added, which a row leaves out. */
  takeCells(count: number): boolean;
  /** Whether so much code may be coloured. */
  takeColour(length: number): boolean;
  /** Whether one more formula may be set. */
  takeFormula(tex: string): boolean;
  /** What formulas have taken. Text that is drawn anew gives back what its formulas took. */
  formulas: number;
}

/** Signs of marks, two of which mostly make an element, and elements. An answer of 300 KB, dense with lists and tables, has half as many. */
const mostParts = 100_000;
const partsPerElement = 2;
const mostCells = 10_000;
const mostColoured = 150_000;
/** Characters of formulas, each of which counts as so many more. */
const mostTex = 60_000;
const texPerFormula = 30;

export function createDrawBudget(): DrawBudget {
  let parts = 0;
  let cells = 0;
  let coloured = 0;
  return {
    formulas: 0,
    addElements(count) {
      parts += count * partsPerElement;
    },
    addText(text) {
      parts += countSigns(text);
    },
    get isSpent() {
      return parts >= mostParts;
    },
    takeCells(count) {
      cells += count;
      return cells <= mostCells;
    },
    takeColour(length) {
      coloured += length;
      return coloured <= mostColoured;
    },
    takeFormula(tex) {
      this.formulas += tex.length + texPerFormula;
      return this.formulas <= mostTex;
    },
  };
}

const isSign = new Uint8Array(128);
for (const sign of "\n\\`*_~[]!<&$^:@") isSign[sign.charCodeAt(0)] = 1;

function countSigns(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) count += isSign[text.charCodeAt(at)] ?? 0;
  return count;
}
