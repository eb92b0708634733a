import { settleDirection } from "./direction.ts";

/** Rows after which a table goes on in another: a browser lays out all of a table whenever one of its cells grows. */
const leastRows = 40;

/** The rows of one table, in as many tables as keep each of them short. They look, and are read out, as one. */
export interface TableParts {
  /** Adds a row at the end, which grows there until it is complete. */
  add(row: HTMLTableRowElement): void;
  end(row: HTMLTableRowElement): void;
}

/** `frame` holds `table`, and will hold those after it; its columns are as wide as those of `headRow`. */
export function createTableParts(
  frame: HTMLElement,
  table: HTMLTableElement,
  headRow: HTMLTableRowElement,
): TableParts {
  let part = table;
  let body = document.createElement("tbody");
  let rows = 0;
  // Each part names all columns: so those of many columns are longer.
  const rowsPerPart = Math.max(leastRows, headRow.cells.length);
  const setWidths = () => {
    const widths = [...headRow.cells].map((cell) => cell.getBoundingClientRect().width);
    // Out of sight nothing has a width: the parts find their own until then.
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

/** Makes a table a group of rows of the frame, which is the table from now on. */
function joinTable(part: HTMLTableElement): void {
  part.setAttribute("role", "rowgroup");
  for (const section of part.querySelectorAll("thead, tbody")) section.setAttribute("role", "none");
  for (const row of part.rows) joinRow(row);
}

/** Says of a row and its cells what they are: in a table that is a group of rows they are nothing by themselves. */
function joinRow(row: HTMLTableRowElement): void {
  row.setAttribute("role", "row");
  for (const cell of row.cells) cell.setAttribute("role", cell.localName === "th" ? "columnheader" : "cell");
}
