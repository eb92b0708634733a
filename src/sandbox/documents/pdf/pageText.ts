import { raisedText } from "../office/raisedText.ts";
import { onceDrawn, type TextItem, undoubled } from "./drawnTwice.ts";
import type { PlacedText } from "./formTexts.ts";
import { type Cell, type Row, textBlock } from "./tables.ts";

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

/** Wider gaps than this, in sizes of the font, separate cells. Words of justified text are closer. */
const cellGap = 1.2;
/** Cells of narrow columns are closer, but no words are. */
const narrowGap = 0.6;

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
  for (const item of onceDrawn(items)) {
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
  const rows = lines.map(
    (line): Row => ({
      y: line.y,
      size: line.size,
      cells: cellsOf(line, cellGap),
      narrow: () => cellsOf(line, narrowGap),
    }),
  );
  const blocks: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const block = textBlock(rows, index);
    const line = lines[index];
    if (block) blocks.push(`\n${block.text}\n`);
    else if (line) blocks.push(lineText(line));
    index += block?.count ?? 1;
  }
  return withoutSoftHyphens(blocks.join("\n"));
}

/** They are seen at the end of a line only, where a word goes on in the next one. */
function withoutSoftHyphens(text: string): string {
  return text.replace(/\u00ad[^\S\n]*\n(?=\S)|\u00ad/g, "");
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
  return undoubled(text);
}

/** Small text above or below its line, such as an exponent. */
function positioned(piece: Piece, y: number, size: number): string {
  if (piece.size === 0 || piece.size > size * 0.85) return piece.text;
  const offset = (piece.y - y) / size;
  if (offset > 0.15) return raisedText(piece.text, "superscript");
  return offset < -0.08 ? raisedText(piece.text, "subscript") : piece.text;
}

function cellsOf(line: Line, gap: number): Cell[] {
  const groups: Piece[][] = [];
  for (const piece of line.pieces) {
    if (piece.text.trim() === "") continue;
    const last = groups.at(-1)?.at(-1);
    if (last && piece.left - last.right <= line.size * gap && piece.left >= last.left)
      groups.at(-1)?.push(piece);
    else groups.push([piece]);
  }
  return groups.map((pieces) => ({
    text: lineText({ ...line, pieces }).trim(),
    left: Math.min(...pieces.map(({ left }) => left)),
    right: Math.max(...pieces.map(({ right }) => right)),
  }));
}
