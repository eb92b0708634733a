import type { DrawContext } from "./drawContext.ts";
import { createInlineText, type InlineText } from "./inlineText.ts";
import type { Leaf } from "./leaf.ts";
import type { Alignment } from "./lineSyntax.ts";
import { type CellReader, createCellReader } from "./tableCells.ts";
import { createTableParts } from "./tableParts.ts";

const shortRowsNote =
  "The rows of this table leave out so many cells that not all of the empty ones are drawn.";

/** What stands around the rows. */
const frameElements = 5;

/** A table, drawn row by row; the row that is being written grows cell by cell. */
export function createTable(
  parent: Element,
  header: readonly string[],
  alignments: readonly Alignment[],
  context: DrawContext,
): Leaf {
  const frame = document.createElement("div");
  frame.className = "table-frame";
  frame.tabIndex = 0;
  const table = document.createElement("table");
  table.dir = "auto";
  const head = document.createElement("thead");
  table.append(head);
  frame.append(table);
  parent.append(frame);
  let row: Row | undefined;
  let isCut = false;
  context.budget.addElements(frameElements + 2 * header.length);

  const headRow = createHead(header, alignments, context);
  head.append(headRow);
  const parts = createTableParts(frame, table, headRow);
  return {
    kind: "table",
    append(text) {
      if (!row && text.trim() === "") return;
      if (!row) {
        row = createRow(alignments, context);
        parts.add(row.element);
      }
      row.reader.read(text);
    },
    endLine() {
      if (!row) return;
      const count = Math.min(alignments.length, row.reader.end());
      const missing = alignments.length - count;
      // Its part of a long table names a column for each of so many rows.
      context.budget.addElements(count + 2);
      if (missing > 0 && context.budget.takeCells(missing)) row.fill();
      else isCut ||= missing > 0;
      parts.end(row.element);
      row = undefined;
    },
    draw() {
      row?.draw();
    },
    finish() {
      this.endLine();
      if (isCut) frame.after(note());
    },
  };
}

function createHead(
  header: readonly string[],
  alignments: readonly Alignment[],
  context: DrawContext,
): HTMLTableRowElement {
  const element = document.createElement("tr");
  for (const [index, alignment] of alignments.entries()) {
    const inline = createInlineText(addCell(element, "th", alignment), context);
    inline.append(header[index] ?? "");
    inline.finish();
  }
  return element;
}

interface Row {
  readonly element: HTMLTableRowElement;
  readonly reader: CellReader;
  /** Adds the cells that it leaves out. */
  fill(): void;
  draw(): void;
}

function createRow(alignments: readonly Alignment[], context: DrawContext): Row {
  const element = document.createElement("tr");
  let count = 0;
  /** The cell that is being written, and its text. */
  let place: HTMLTableCellElement | undefined;
  let inline: InlineText | undefined;
  const fillTo = (end: number) => {
    for (; count < end && count < alignments.length; count++)
      place = addCell(element, "td", alignments[count]);
  };
  const reader = createCellReader(
    (cell, text) => {
      // Cells beyond the last column are none.
      if (cell >= alignments.length) return;
      fillTo(cell + 1);
      if (!inline && place) inline = createInlineText(place, context);
      inline?.append(text);
    },
    (cell) => {
      fillTo(cell + 1);
      inline?.finish();
      inline = undefined;
    },
  );
  return { element, reader, fill: () => fillTo(alignments.length), draw: () => inline?.draw() };
}

function addCell(row: HTMLTableRowElement, tag: "th" | "td", alignment: Alignment): HTMLTableCellElement {
  const cell = document.createElement(tag);
  if (alignment) cell.className = `align-${alignment}`;
  row.append(cell);
  return cell;
}

function note(): HTMLElement {
  const element = document.createElement("p");
  element.className = "cut-note";
  element.append(shortRowsNote);
  return element;
}
