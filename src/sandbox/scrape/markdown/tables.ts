import type { DominoElement, DominoNode } from "@mixmark-io/domino";
import type { AlignType, PhrasingContent, RootContent, Table, TableRow } from "mdast";
import { codeTable, isGutter } from "./codeBlock.ts";
import { displayOf, elements, isElement, nameOf } from "./elements.ts";
import type { BlockReader, Scope } from "./scope.ts";

/** More rows or columns than any reader looks at. */
const maxSpan = 1_000;
const newLine: PhrasingContent = { type: "html", value: "<br>" };

/** A table as Markdown. Tables that only lay out a page are their content, cell by cell. */
export function tableBlocks(table: DominoElement, flow: BlockReader, scope: Scope): RootContent[] {
  const lines = codeTable(table);
  if (lines) return [lines];
  const rows = isRoleTable(table) ? roleRows(table) : rowsOf(table);
  if (rows.length === 0 && isRoleTable(table)) return flow.blocksIn(table, scope);
  const caption = elements(table.children).find((child) => nameOf(child) === "caption");
  const above = caption ? flow.blocksIn(caption, scope) : [];
  if (isLayout(table, rows)) return [...above, ...rows.flatMap((row) => layoutRow(row, flow, scope))];
  const grid = gridOf(rows);
  if (cellCount(grid) === 0) return above;
  return [...above, toTable(grid, flow, scope)];
}

/** True for a table that roles or styles make of other elements. */
export function isRoleTable(element: DominoElement): boolean {
  if (nameOf(element) === "table") return false;
  return /^(?:table|grid|treegrid)$/.test(element.getAttribute("role") ?? "") || styleOf(element) === "table";
}

const cellRole = /^(?:cell|gridcell|columnheader|rowheader)$/;

/** The rows of a table without the elements of one. */
function roleRows(table: DominoElement): Row[] {
  const own = (element: DominoElement) => [...ancestors(element)].find(isRoleTable) === table;
  const all = elements(table.getElementsByTagName("*"));
  return all
    .filter((row) => isRow(row) && own(row))
    .flatMap((row) => {
      const cells = elements(row.getElementsByTagName("*")).filter(
        (cell) => isCell(cell) && [...ancestors(cell)].find(isRow) === row && displayOf(cell) !== "none",
      );
      const isHead = cells.length > 0 && cells.every((cell) => cell.getAttribute("role") === "columnheader");
      return displayOf(row) === "none" ? [] : [{ cells, isHead }];
    });
}

function isRow(element: DominoElement): boolean {
  return element.getAttribute("role") === "row" || styleOf(element) === "table-row";
}

function isCell(element: DominoElement): boolean {
  return cellRole.test(element.getAttribute("role") ?? "") || styleOf(element) === "table-cell";
}

function styleOf(element: DominoElement): string | undefined {
  return /(?:^|[;\s])display\s*:\s*(table(?:-row|-cell)?)\s*(?:;|$)/i.exec(
    element.getAttribute("style") ?? "",
  )?.[1];
}

function* ancestors(element: DominoElement): Generator<DominoElement> {
  for (let node = element.parentNode; node && isElement(node); node = node.parentNode) yield node;
}

interface Row {
  readonly cells: readonly DominoElement[];
  readonly isHead: boolean;
}

/** The rows as they are shown: those of the head first, those of the foot last. */
function rowsOf(table: DominoElement): Row[] {
  const parts: Record<"thead" | "tbody" | "tfoot", Row[]> = { thead: [], tbody: [], tfoot: [] };
  const addTo = (part: Row[], element: DominoElement, isHead: boolean) => {
    const cells = elements(element.children).filter(
      (child) => /^t[dh]$/.test(nameOf(child)) && displayOf(child) !== "none",
    );
    part.push({ cells, isHead });
  };
  for (const child of elements(table.children)) {
    const name = nameOf(child);
    if (displayOf(child) === "none") continue;
    if (name === "tr") addTo(parts.tbody, child, false);
    if (name !== "thead" && name !== "tbody" && name !== "tfoot") continue;
    for (const row of elements(child.children)) {
      if (nameOf(row) === "tr" && displayOf(row) !== "none") addTo(parts[name], row, name === "thead");
    }
  }
  return [...parts.thead, ...parts.tbody, ...parts.tfoot];
}

function isLayout(table: DominoElement, rows: readonly Row[]): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  const cells = rows.flatMap((row) => row.cells);
  if (rows.some(({ cells: [first] }) => first !== undefined && isGutter(first))) return true;
  if (cells.some((cell) => nameOf(cell) === "th") || rows.some(({ isHead }) => isHead)) return false;
  const holdsTable = cells.some((cell) => Boolean(cell.querySelector("table")));
  return holdsTable || rows.every((row) => row.cells.length <= 1) || (rows.length === 1 && hasBlocks(cells));
}

function hasBlocks(cells: readonly DominoElement[]): boolean {
  return cells.some((cell) =>
    Boolean(cell.querySelector("p, div, ul, ol, pre, h1, h2, h3, h4, h5, h6, blockquote")),
  );
}

/** Short cells stand beside each other, others below each other. */
function layoutRow({ cells }: Row, flow: BlockReader, scope: Scope): RootContent[] {
  const shown = cells.filter((cell) => !isGutter(cell)).map((cell) => flow.blocksIn(cell, scope));
  const areLines = shown.every(
    (blocks) => blocks.length <= 1 && blocks.every(({ type }) => type === "paragraph"),
  );
  if (!areLines) return shown.flat();
  const children = shown.flat().flatMap((block, index): PhrasingContent[] => {
    if (block.type !== "paragraph") return [];
    return index > 0 ? [{ type: "text", value: " " }, ...block.children] : block.children;
  });
  return children.length > 0 ? [{ type: "paragraph", children }] : [];
}

function cellCount(grid: readonly GridRow[]): number {
  return grid[0]?.cells.length ?? 0;
}

interface GridRow {
  /** The cell that begins in each column. */
  readonly cells: (DominoElement | undefined)[];
  readonly isHead: boolean;
}

/** The cells by row and column. A cell over several of them is in the first. Columns without a cell are left out. */
function gridOf(rows: readonly Row[]): GridRow[] {
  const taken: number[] = [];
  const starts = new Set<number>();
  const grid = rows.map(({ cells, isHead }, index): GridRow => {
    const placed: (DominoElement | undefined)[] = [];
    let column = 0;
    for (const cell of cells) {
      while ((taken[column] ?? 0) > index) column += 1;
      placed[column] = cell;
      starts.add(column);
      const width = Math.max(1, span(cell, "colspan"));
      const height = span(cell, "rowspan");
      const end = height === 0 ? rows.length : index + height;
      for (let each = 0; each < width; each++)
        taken[column + each] = Math.max(taken[column + each] ?? 0, end);
      column += width;
    }
    return { cells: placed, isHead };
  });
  const columns = [...starts].toSorted((left, right) => left - right);
  return grid.map(({ cells, isHead }) => ({ cells: columns.map((column) => cells[column]), isHead }));
}

function span(cell: DominoElement, name: "colspan" | "rowspan"): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return Number.isNaN(value) || value < 0 ? 1 : Math.min(value, maxSpan);
}

/** The first row is the head if the page says so. Markdown has no table without a head: else it is empty. */
function toTable(grid: readonly GridRow[], flow: BlockReader, scope: Scope): Table {
  const [first] = grid;
  const width = cellCount(grid);
  const cells = first?.cells.filter((cell) => cell !== undefined) ?? [];
  const isHead = first?.isHead === true || (cells.length > 0 && cells.every(isHeadCell));
  const rows = grid.map((row) => toRow(row, flow, scope));
  const empty: TableRow = {
    type: "tableRow",
    children: Array.from({ length: width }, () => ({ type: "tableCell", children: [] })),
  };
  const all = isHead ? rows : [empty, ...rows];
  const shown = all.filter(
    (row, index) => index === 0 || row.children.some(({ children }) => children.length > 0),
  );
  return { type: "table", align: alignments(grid, width), children: shown };
}

/** An empty corner is part of a head. */
function isHeadCell(cell: DominoElement, index: number): boolean {
  return (
    nameOf(cell) === "th" ||
    cell.getAttribute("role") === "columnheader" ||
    (index === 0 && cell.textContent.trim() === "" && nameOf(cell) === "td")
  );
}

function toRow({ cells }: GridRow, flow: BlockReader, scope: Scope): TableRow {
  return {
    type: "tableRow",
    children: cells.map((cell) => ({
      type: "tableCell",
      children: cell ? inOneLine(flow.blocksIn(cell, scope)) : [],
    })),
  };
}

/** Blocks as one line of a cell. */
function inOneLine(blocks: readonly RootContent[]): PhrasingContent[] {
  return blocks.flatMap((block, index) => [...(index > 0 ? [newLine] : []), ...lineOf(block)]);
}

function lineOf(block: RootContent): PhrasingContent[] {
  switch (block.type) {
    case "paragraph":
      return block.children.flatMap((child) => (child.type === "break" ? [newLine] : escaped(child)));
    case "heading":
      return [{ type: "strong", children: block.children.flatMap(escaped) }];
    case "blockquote":
      return inOneLine(block.children);
    case "code":
      return block.value.split("\n").flatMap((line, index): PhrasingContent[] => {
        const code: PhrasingContent[] = line.trim() === "" ? [] : [{ type: "inlineCode", value: line }];
        return index > 0 ? [newLine, ...code] : code;
      });
    case "list":
      return block.children.flatMap((item, index): PhrasingContent[] => {
        const sign = block.ordered ? `${(block.start ?? 1) + index}. ` : "• ";
        return [...(index > 0 ? [newLine] : []), { type: "text", value: sign }, ...inOneLine(item.children)];
      });
    case "table":
      return block.children
        .map((row) =>
          row.children.flatMap((cell, index) => (index > 0 ? [space, ...cell.children] : cell.children)),
        )
        .filter((row) => row.some((child) => child !== space))
        .flatMap((row, index) => (index > 0 ? [newLine, ...row] : row));
    case "html":
      return escaped({ type: "html", value: block.value.replace(/\s+/g, " ") });
    default:
      return [];
  }
}

const space: PhrasingContent = { type: "text", value: " " };

/** The writer escapes texts, and leaves formulas as they are. */
function escaped(node: PhrasingContent): PhrasingContent[] {
  return [node.type === "html" ? { ...node, value: node.value.replaceAll("|", "\\|") } : node];
}

function alignments(grid: readonly GridRow[], width: number): AlignType[] {
  return Array.from({ length: width }, (_, column) => {
    const values = grid.flatMap(({ cells }) => (cells[column] ? [alignmentOf(cells[column])] : []));
    const [first = null] = values.slice(values.length > 1 ? 1 : 0);
    return values.slice(1).every((value) => value === first) ? first : null;
  });
}

function alignmentOf(cell: DominoNode): AlignType {
  if (!isElement(cell)) return null;
  const styled = /text-align\s*:\s*(left|right|center)/i.exec(cell.getAttribute("style") ?? "")?.[1];
  const value = (styled ?? cell.getAttribute("align") ?? "").toLowerCase();
  return value === "left" || value === "right" || value === "center" ? value : null;
}
