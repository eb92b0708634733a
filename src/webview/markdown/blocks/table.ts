import { type Leaf, settleDirection } from "../drawing.ts";
import type { DrawContext } from "../inline/drawInline.ts";
import { createInlineText, type InlineText } from "../inline/inlineText.ts";

const shortRowsNote =
  "The rows of this table leave out so many cells that not all of the empty ones are drawn.";

/** The number of elements around the rows. */
const frameElements = 5;

/** A table, drawn row by row. The row that is being written grows cell by cell. */
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
      // In a long table each part names all columns again, so a row counts for two more elements.
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
  /** Adds the missing cells. */
  fill(): void;
  draw(): void;
}

function createRow(alignments: readonly Alignment[], context: DrawContext): Row {
  const element = document.createElement("tr");
  let count = 0;
  /** The cell that is being written. */
  let place: HTMLTableCellElement | undefined;
  let inline: InlineText | undefined;
  const fillTo = (end: number) => {
    for (; count < end && count < alignments.length; count++)
      place = addCell(element, "td", alignments[count]);
  };
  const reader = createCellReader(
    (cell, text) => {
      // Cells beyond the last column are dropped.
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

/** A table continues in another one after this many rows: a browser lays out all of a table when a cell grows. */
const leastRows = 40;

/** The rows of one table, split into several short tables that look like one and are announced as one. */
interface TableParts {
  /** Adds a row at the end, where it grows until it is complete. */
  add(row: HTMLTableRowElement): void;
  end(row: HTMLTableRowElement): void;
}

/** `frame` contains `table` and the tables after it. Their columns are as wide as those of `headRow`. */
function createTableParts(
  frame: HTMLElement,
  table: HTMLTableElement,
  headRow: HTMLTableRowElement,
): TableParts {
  let part = table;
  let body = document.createElement("tbody");
  let rows = 0;
  // Each part names all columns, so tables of many columns have longer parts.
  const rowsPerPart = Math.max(leastRows, headRow.cells.length);
  const setWidths = () => {
    const widths = [...headRow.cells].map((cell) => cell.getBoundingClientRect().width);
    // Elements out of sight have no width; until then each part has its own.
    if (widths.every((width) => width === 0)) return;
    for (const [index, width] of widths.entries()) frame.style.setProperty(`--column-${index}`, `${width}px`);
    frame.style.setProperty("--table-width", `${table.getBoundingClientRect().width}px`);
  };
  const startPart = () => {
    if (part === table) {
      setWidths();
      new ResizeObserver(setWidths).observe(table);
      frame.setAttribute("role", "table");
      joinTable(table);
    }
    settleDirection(part);
    part = document.createElement("table");
    part.className = "table-part";
    part.dir = table.dir;
    part.append(columnsLike(headRow));
    joinTable(part);
    body = document.createElement("tbody");
    body.setAttribute("role", "none");
    frame.append(part);
  };
  return {
    add(row) {
      if (rows > 0 && rows % rowsPerPart === 0) startPart();
      rows += 1;
      if (!body.parentNode) part.append(body);
      body.append(row);
    },
    end(row) {
      if (part !== table) joinRow(row);
    },
  };
}

function columnsLike({ cells }: HTMLTableRowElement): HTMLElement {
  const group = document.createElement("colgroup");
  for (let index = 0; index < cells.length; index++) {
    const column = document.createElement("col");
    column.style.width = `var(--column-${index})`;
    group.append(column);
  }
  return group;
}

/** Makes a table a row group of the frame, which has the role of the table. */
function joinTable(part: HTMLTableElement): void {
  part.setAttribute("role", "rowgroup");
  for (const section of part.querySelectorAll("thead, tbody")) section.setAttribute("role", "none");
  for (const row of part.rows) joinRow(row);
}

/** Sets the roles of a row and its cells, which a table with the role `rowgroup` does not imply. */
function joinRow(row: HTMLTableRowElement): void {
  row.setAttribute("role", "row");
  for (const cell of row.cells) cell.setAttribute("role", cell.localName === "th" ? "columnheader" : "cell");
}

/** Reads the cells of a row that arrives in pieces. */
interface CellReader {
  /** Reads more of the row. */
  read(text: string): void;
  /** Ends the row and returns the number of its cells. */
  end(): number;
}

const tokens = /[^|\\ \t]+|[ \t]+|\\\|?|\|/g;

/** Reports the text of each cell as it is read, without white space around it. An escaped bar is text. */
function createCellReader(
  onText: (cell: number, text: string) => void,
  onCellEnd: (cell: number) => void = () => {},
): CellReader {
  let cell = 0;
  let hasBegun = false;
  let isEmpty = true;
  let spaces = "";
  let held = "";
  const add = (text: string) => {
    onText(cell, spaces + text);
    spaces = "";
    hasBegun = true;
    isEmpty = false;
  };
  const endCell = () => {
    if (hasBegun) onCellEnd(cell++);
    hasBegun = true;
    isEmpty = true;
    spaces = "";
  };
  const take = (token: string) => {
    if (token === "|") endCell();
    else if (token === "\\|") add("|");
    else if (!/^[ \t]/.test(token)) add(token);
    else if (!isEmpty) spaces += token;
  };
  return {
    read(text) {
      const fresh = held + text;
      // A bar may follow the backslash.
      held = fresh.endsWith("\\") ? "\\" : "";
      for (const [token] of fresh.slice(0, fresh.length - held.length).matchAll(tokens)) take(token);
    },
    end() {
      if (held !== "") add(held);
      if (!isEmpty) onCellEnd(cell++);
      return cell;
    },
  };
}

/** The trimmed cells of a row. */
export function tableCells(row: string): string[] {
  const cells: string[] = [];
  const reader = createCellReader((cell, text) => {
    cells[cell] = (cells[cell] ?? "") + text;
  });
  reader.read(row);
  const count = reader.end();
  return Array.from({ length: count }, (_, cell) => cells[cell] ?? "");
}

/** A table of more columns is shown as text: a browser would need seconds to lay it out. */
const mostColumns = 1000;

type Alignment = "left" | "right" | "center" | undefined;

/** Reads the alignments from the line below a table's header; undefined if it is not such a line. */
export function tableAlignments(text: string): Alignment[] | undefined {
  if (!/[|:]/.test(text)) return undefined;
  const cells = tableCells(text);
  if (cells.length === 0 || cells.length > mostColumns) return undefined;
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    const left = cell.startsWith(":");
    const right = cell.endsWith(":");
    if (left && right) return "center";
    return left ? "left" : right ? "right" : undefined;
  });
}
