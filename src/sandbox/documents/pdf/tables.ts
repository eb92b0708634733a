import { markdownTable } from "../office/markdownTable.ts";

/** The text between two wide gaps of a line. */
export interface Cell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** A line of a page, which may be a row of a table. Lengths are in points. */
export interface Row {
  readonly y: number;
  /** Of the font. */
  readonly size: number;
  readonly cells: readonly Cell[];
  /** The cells if smaller gaps separate them, too. */
  readonly narrow: () => readonly Cell[];
}

interface Block {
  readonly text: string;
  /** The number of its lines. */
  readonly count: number;
}

interface Column {
  left: number;
  right: number;
}

/** The table, or the columns of text, that begin with this line. Undefined if it is a line of its own. */
export function textBlock(rows: readonly Row[], from: number): Block | undefined {
  const below = tableLength(rows, from);
  const head = below > 1 ? [] : headOf(rows, from);
  const count = below > 1 ? below : head.length > 0 ? tableLength(rows, from + 1) : 0;
  if (count < 2) return undefined;
  const first = below > 1 ? from : from + 1;
  const body = rows.slice(first, first + count);
  const columns = columnsOf(body.flatMap(({ cells }) => (cells.length > 1 ? cells : [])));
  const prose = head.length > 0 ? undefined : columnsOfText(body, columns);
  if (prose !== undefined) return { text: prose, count };
  // Cells of one row can be closer to each other than those of the others.
  const narrow = () => columnsOf(body.flatMap(({ cells, narrow }) => (cells.length > 1 ? narrow() : [])));
  for (const each of [() => columns, narrow]) {
    const all = [...body, ...lastRows(rows, first + count, each())];
    const text = tableOf(head, all, each());
    if (text !== undefined) return { text, count: all.length + (head.length > 0 ? 1 : 0) };
  }
  return undefined;
}

/** Lines of one cell that can follow each other within a table, and their distance in sizes of the font. */
const maxSingleLines = 8;
const maxDistance = 2.5;

/** The number of lines from this one that can be rows: those of one cell stand between others. */
function tableLength(rows: readonly Row[], from: number): number {
  if ((rows[from]?.cells.length ?? 0) < 2) return 0;
  let end = from + 1;
  for (let index = end; index < rows.length && index <= end + maxSingleLines; index++) {
    const cells = rows[index]?.cells.length ?? 0;
    if (cells === 0 || isFar(rows[index - 1], rows[index])) break;
    if (cells > 1) end = index + 1;
  }
  return end - from;
}

function isFar(above: Row | undefined, below: Row | undefined): boolean {
  if (!above || !below) return true;
  return above.y - below.y > Math.max(above.size, below.size) * maxDistance || below.y > above.y + above.size;
}

/** The cells of a line with narrow gaps if it can be the head of a table that begins below it. */
function headOf(rows: readonly Row[], from: number): readonly Cell[] {
  if (rows[from]?.cells.length !== 1 || isFar(rows[from], rows[from + 1])) return [];
  const cells = rows[from].narrow();
  return cells.length > 1 ? cells : [];
}

/** Longer texts are no last cell of a table. */
const maxLastCell = 25;
const maxPitch = 1.2;

/** Rows below the others that have one cell, such as a total: in a column that is not the first, or as close as they are. */
function lastRows(rows: readonly Row[], from: number, columns: readonly Column[]): readonly Row[] {
  const more: Row[] = [];
  const pitch = (index: number) => (rows[index - 1]?.y ?? 0) - (rows[index]?.y ?? 0);
  for (let index = from; index < rows.length; index++) {
    const row = rows[index];
    const [cell, ...others] = row?.cells ?? [];
    if (!row || !cell || others.length > 0 || isFar(rows[index - 1], row)) break;
    const column = columns.findIndex(({ left, right }) => cell.left < right && cell.right > left);
    const isInside = column >= 0 && cell.right <= (columns[column + 1]?.left ?? Number.POSITIVE_INFINITY);
    const isLabel = column === 0 && !/[.:;!?]$/.test(cell.text) && isAlone(rows, index);
    const isRow = cell.text.length <= maxLastCell && pitch(index) <= maxPitch * pitch(index - 1);
    if (!isInside || !isRow || !(column > 0 || isLabel)) break;
    more.push(row);
  }
  return more;
}

/** No other line of one cell follows as a paragraph would. */
function isAlone(rows: readonly Row[], index: number): boolean {
  const next = rows[index + 1];
  return next?.cells.length !== 1 || isFar(rows[index], next);
}

/** Cells that are longer on average are columns of text. */
const maxCellLength = 40;

/** Undefined if the cells have no columns in common, or if each line says as much as a table would. */
function tableOf(
  head: readonly Cell[],
  rows: readonly Row[],
  columns: readonly Column[],
): string | undefined {
  const hasGap = rows.some(({ cells }) => cells.length < columns.length);
  if (columns.length < 2 || (columns.length < 3 && !hasGap)) return undefined;
  const texts = rows.flatMap(({ cells }) => cells.map(({ text }) => text.length));
  if (texts.reduce((sum, length) => sum + length, 0) / texts.length > maxCellLength) return undefined;
  const table: string[][] = [];
  if (head.length > 0) {
    const row = inColumns(head, columns);
    if (!row) return undefined;
    table.push(row);
  }
  for (const { cells, narrow } of rows) {
    const row = inColumns(cells, columns) ?? inColumns(narrow(), columns);
    if (!row) return undefined;
    table.push(row);
  }
  return markdownTable(table);
}

/** Undefined for two cells in one column, or one across several: this is no table, or not one that can be read. */
function inColumns(cells: readonly Cell[], columns: readonly Column[]): string[] | undefined {
  const row = columns.map(() => "");
  for (const { text, left, right } of cells) {
    const index = columns.findIndex((column) => left < column.right && right > column.left);
    const column = columns[index];
    if (!column || row[index] !== "" || right > (columns[index + 1]?.left ?? Number.POSITIVE_INFINITY))
      return undefined;
    row[index] = text;
  }
  return row;
}

/** Ranges from left to right that no cell crosses. */
function columnsOf(cells: readonly Cell[]): Column[] {
  const columns: Column[] = [];
  for (const { left, right } of cells.toSorted((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last && left < last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}

/** Lines of text that are broken at the end of a column fill it; cells of a table do not. */
const minTextLines = 3;
const minFill = 0.75;
const minFull = 0.7;
const minLineLength = 15;

/** Two columns of text whose lines are drawn across the page: first the left one, then the right one. */
function columnsOfText(rows: readonly Row[], columns: readonly Column[]): string | undefined {
  if (columns.length !== 2) return undefined;
  const texts = columns.map((column) =>
    rows.flatMap(({ cells }) =>
      cells.filter(({ left, right }) => left < column.right && right > column.left),
    ),
  );
  const count = rows.reduce((sum, { cells }) => sum + cells.length, 0);
  if (texts.flat().length !== count || !texts.every(isText)) return undefined;
  return texts.map((cells) => cells.map(({ text }) => text).join("\n")).join("\n\n");
}

function isText(cells: readonly Cell[]): boolean {
  const width = Math.max(...cells.map(({ left, right }) => right - left));
  const full = cells.filter(({ left, right }) => right - left >= width * minFill).length;
  const lefts = cells.map(({ left }) => left);
  const length = cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length;
  return (
    cells.length >= minTextLines &&
    Math.max(...lefts) - Math.min(...lefts) < 2 &&
    length >= minLineLength &&
    full >= cells.length * minFull
  );
}
