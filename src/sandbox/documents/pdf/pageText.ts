import { markdownTable } from "../office/markdownTable.ts";
import { raisedText } from "../office/raisedText.ts";
import type { PlacedText } from "./formTexts.ts";

/** A piece of text of a page, as the reader of PDF files gives it. Lengths are in points. */
export interface TextItem {
  readonly str: string;
  /** a, b, c, d, x, y. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

interface Piece {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
}

/** A line in the order of the file. */
export interface Line {
  readonly y: number;
  readonly size: number;
  readonly pieces: Piece[];
}

/** The text between two wide gaps. */
interface Cell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** Wider gaps than this, in sizes of the font, separate cells. Words of justified text are closer. */
const cellGap = 1.2;

/** The lines of a page, in the order of its content, which is that of its columns and boxes. */
export function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let pieces: Piece[] = [];
  const end = () => {
    const size = Math.max(0, ...pieces.map((piece) => piece.size));
    const y = pieces.find((piece) => piece.size === size)?.y ?? 0;
    lines.push({ y, size, pieces });
    pieces = [];
  };
  for (const item of items) {
    if (item.str !== "") pieces.push(pieceOf(item));
    if (item.hasEOL) end();
  }
  if (pieces.length > 0) end();
  return lines;
}

function pieceOf({ str, transform, width, height }: TextItem): Piece {
  const [a = 0, b = 0, , , left = 0, y = 0] = transform;
  // Blanks between two texts have no height.
  const size = str.trim() === "" ? 0 : height || Math.hypot(a, b);
  return { text: str, left, right: left + width, y, size };
}

/** Puts texts beside the line that they are level with, else between the lines above and below. */
export function withTexts(lines: readonly Line[], texts: readonly PlacedText[]): Line[] {
  const result = lines.map((line) => ({ ...line, pieces: [...line.pieces] }));
  for (const { text, left, bottom, top } of texts.toSorted((one, other) => other.top - one.top)) {
    const right = left + 1;
    const level = result.find(
      ({ y, size, pieces }) => pieces.length > 0 && y >= bottom - size / 3 && y <= top,
    );
    const size = level?.size ?? Math.min(12, top - bottom);
    const piece = { text, left, right, y: level?.y ?? bottom, size };
    if (level) insertByLeft(level.pieces, piece);
    else {
      const below = result.findIndex(({ y, pieces }) => pieces.length > 0 && y < bottom);
      result.splice(below < 0 ? result.length : below, 0, { y: bottom, size, pieces: [piece] });
    }
  }
  return result;
}

function insertByLeft(pieces: Piece[], piece: Piece): void {
  const index = pieces.findIndex(({ left, text }) => left > piece.left && text.trim() !== "");
  pieces.splice(index < 0 ? pieces.length : index, 0, piece);
}

/** The text of a page by line. Lines whose cells have columns are a table, so that no value moves beside an empty cell. */
export function pageText(lines: readonly Line[]): string {
  const rows = lines.map(cellsOf);
  const blocks: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const count = tableLength(rows, lines, index);
    const table = count > 1 ? tableOf(rows.slice(index, index + count)) : undefined;
    const line = lines[index];
    if (table !== undefined) blocks.push(`\n${table}\n`);
    else if (line) blocks.push(lineText(line));
    index += table === undefined ? 1 : count;
  }
  return blocks.join("\n");
}

function lineText({ y, size, pieces }: Line): string {
  let text = "";
  let end: number | undefined;
  for (const piece of pieces) {
    const isApart = end !== undefined && piece.left - end > size / 4;
    if (isApart && !/\s$/.test(text) && !/^\s/.test(piece.text)) text += " ";
    text += positioned(piece, y, size);
    end = piece.right;
  }
  return text;
}

/** Small text above or below its line, such as an exponent. */
function positioned(piece: Piece, y: number, size: number): string {
  if (piece.size === 0 || piece.size > size * 0.85) return piece.text;
  const offset = (piece.y - y) / size;
  if (offset > 0.15) return raisedText(piece.text, "superscript");
  return offset < -0.08 ? raisedText(piece.text, "subscript") : piece.text;
}

function cellsOf(line: Line): Cell[] {
  const groups: Piece[][] = [];
  for (const piece of line.pieces) {
    if (piece.text.trim() === "") continue;
    const last = groups.at(-1)?.at(-1);
    if (last && piece.left - last.right <= line.size * cellGap && piece.left >= last.left)
      groups.at(-1)?.push(piece);
    else groups.push([piece]);
  }
  return groups.map((pieces) => ({
    text: lineText({ ...line, pieces }).trim(),
    left: Math.min(...pieces.map(({ left }) => left)),
    right: Math.max(...pieces.map(({ right }) => right)),
  }));
}

/** Lines of one cell that can follow each other within a table, and their distance in sizes of the font. */
const maxSingleLines = 8;
const maxDistance = 2.5;

/** The number of lines from this one that can be rows: those of one cell stand between others. */
function tableLength(rows: readonly (readonly Cell[])[], lines: readonly Line[], from: number): number {
  if ((rows[from]?.length ?? 0) < 2) return 0;
  let end = from + 1;
  for (let index = end; index < rows.length && index <= end + maxSingleLines; index++) {
    const cells = rows[index]?.length ?? 0;
    if (cells === 0 || isFar(lines[index - 1], lines[index])) break;
    if (cells > 1) end = index + 1;
  }
  return end - from;
}

function isFar(above: Line | undefined, below: Line | undefined): boolean {
  if (!above || !below) return true;
  return above.y - below.y > Math.max(above.size, below.size) * maxDistance || below.y > above.y + above.size;
}

/** Cells that are longer on average are columns of text. */
const maxCellLength = 40;

/** Undefined if the cells have no columns in common, or if each line says as much as a table would. */
function tableOf(rows: readonly (readonly Cell[])[]): string | undefined {
  const columns = columnsOf(rows.filter((cells) => cells.length > 1).flat());
  const hasGap = rows.some((cells) => cells.length < columns.length);
  if (columns.length < 2 || (columns.length < 3 && !hasGap)) return undefined;
  const texts = rows.flat().map(({ text }) => text.length);
  if (texts.reduce((sum, length) => sum + length, 0) / texts.length > maxCellLength) return undefined;
  const table: string[][] = [];
  for (const cells of rows) {
    const row = columns.map(() => "");
    for (const { text, left, right } of cells) {
      const index = columns.findIndex((column) => left < column.right && right > column.left);
      const column = columns[index];
      // Two cells in one column, or one across several: this is no table, or not one that can be read.
      if (!column || row[index] !== "" || right > (columns[index + 1]?.left ?? Number.POSITIVE_INFINITY))
        return undefined;
      row[index] = text;
    }
    table.push(row);
  }
  return markdownTable(table);
}

/** Ranges from left to right that no cell crosses. */
function columnsOf(cells: readonly Cell[]): { left: number; right: number }[] {
  const columns: { left: number; right: number }[] = [];
  for (const { left, right } of cells.toSorted((one, other) => one.left - other.left)) {
    const last = columns.at(-1);
    if (last && left < last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}
