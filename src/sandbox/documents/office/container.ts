import { type Attributes, attribute } from "../xml/xml.ts";
import type { Block } from "./blocks.ts";
import { AutoNumbers } from "./lists/numbering.ts";
import { markdownTable } from "./markdownTable.ts";
import type { Paragraph } from "./paragraph.ts";
import type { Shape } from "./slides/shape.ts";

/** `nested`: a paragraph within another one, which is a text box of a kind that is not known here. */
export type ContainerKind = "document" | "table" | "cell" | "box" | "nested" | "note" | "shape";

/** What paragraphs are in. */
export interface Container {
  readonly kind: ContainerKind;
  readonly blocks: Block[];
  /** Of a table. */
  readonly rows: Row[];
  /** Columns of a cell. */
  span: number;
  /** A cell that a merged one covers: what it has is not seen. */
  isCovered: boolean;
  /** The paragraph that is being read. */
  paragraph: Paragraph | undefined;
  /** A paragraph whose end was deleted: it goes on in the next one. */
  carried: Pick<Paragraph, "text" | "after"> | undefined;
  /** The numbered items of a slide. */
  readonly counts: AutoNumbers;
  readonly shape: Shape | undefined;
}

interface Row {
  readonly cells: string[];
  /** Columns whose cell is merged with those below it. */
  readonly merged: Set<number>;
  /** Of its cells, in order. */
  readonly blocks: Block[];
  /** A cell has headings, lists or tables beside other text. */
  isRich: boolean;
  isDeleted: boolean;
}

/** Word's limit; a larger number is an error of the file. */
const maxColumns = 63;

export function newContainer(kind: ContainerKind, shape?: Shape): Container {
  return {
    kind,
    blocks: [],
    rows: [],
    span: 1,
    isCovered: false,
    paragraph: undefined,
    carried: undefined,
    counts: new AutoNumbers(),
    shape,
  };
}

export function newRow(): Row {
  return { cells: [], merged: new Set(), blocks: [], isRich: false, isDeleted: false };
}

/** Text that was to go on in another paragraph is one of its own if there is none. */
export function flush(container: Container): void {
  const { text, after = [] } = container.carried ?? {};
  container.carried = undefined;
  const markdown = text?.markdown() ?? "";
  if (markdown !== "") container.blocks.push({ text: markdown });
  addAll(container.blocks, after);
}

/** A document can have more blocks than a call can have arguments. */
export function addAll(blocks: Block[], added: readonly Block[]): void {
  for (const block of added) blocks.push(block);
}

export function columnsOf(attributes: Attributes): number {
  const columns = Number(attribute(attributes, "val"));
  return Number.isInteger(columns) ? Math.min(maxColumns, Math.max(1, columns)) : 1;
}

/** Columns that a row leaves out at its start or end. */
export function gap(attributes: Attributes): string[] {
  return Array.from({ length: columnsOf(attributes) }, () => "");
}

/**
 * Merges a cell that begins in a table with the one above it, unless `isFirst`. A cell that goes on without one above
 * it is a cell of its own.
 */
export function mergeDown(table: Container, cell: Container, isFirst: boolean): void {
  const [row, above] = [table.rows.at(-1), table.rows.at(-2)];
  const column = row?.cells.length ?? 0;
  row?.merged.add(column);
  if (!isFirst && above?.merged.has(column)) cell.isCovered = true;
}

/** Adds a cell to the last row of its table. */
export function addCell(table: Container, { blocks, span }: Container): void {
  const row = table.rows.at(-1);
  if (!row) return;
  const texts = blocks.map(({ text, isHeading }) => (isHeading ? text.replace(/^#+ /, "") : text));
  const text = texts
    .join(" ")
    .replace(/\s*\n\s*/g, " ")
    .trim();
  row.cells.push(text, ...Array.from({ length: span - 1 }, () => ""));
  addAll(row.blocks, blocks);
  row.isRich ||= blocks.length > 1 && blocks.some(isStructure);
}

function isStructure({ isHeading, level, outside }: Block): boolean {
  return isHeading === true || level !== undefined || outside !== undefined;
}

/**
 * A table as blocks. One row with headings, lists or tables in its cells only arranges them, and so does a single cell
 * with several paragraphs: their content stands by itself. `isNested`: in the cell of another table.
 */
export function tableBlocks(table: Container, isNested: boolean): readonly Block[] {
  const seen = table.rows.filter(({ isDeleted }) => !isDeleted);
  const [first] = seen;
  const isFrame = seen.length === 1 && first && (first.isRich || first.cells.length === 1);
  if (isFrame && first.blocks.length > 1)
    return isNested
      ? first.blocks
      : first.blocks.map((block) => (block.outside === undefined ? block : { text: block.outside }));
  const rows = seen.map(({ cells }) => cells);
  const markdown = markdownTable(rows);
  if (markdown === "") return [];
  if (!isNested) return [{ text: markdown }];
  // Markdown has no table within a cell, so its cells become one line.
  const lines = rows.map((cells) => cells.filter(Boolean).join(" ")).filter(Boolean);
  return [{ text: lines.join("; "), outside: markdown }];
}
