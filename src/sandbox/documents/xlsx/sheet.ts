import { linked } from "../office/inlineText.ts";
import { type Attributes, attribute, readXml } from "../xml/xml.ts";
import { generalText, numberText } from "./numberText.ts";
import { isOn, StringReader, type Workbook } from "./workbook.ts";

/** The cells of a sheet that a person sees. */
export interface Sheet {
  /** By row, each from the first column that has a value in any row. */
  readonly rows: readonly (readonly string[])[];
  /** Rows and columns with values that are hidden, and left out. */
  readonly hiddenRows: number;
  readonly hiddenColumns: number;
}

/** Excel's limits; larger numbers are errors of the file. */
const maxColumn = 16_384;

interface Cell {
  readonly row: number;
  readonly column: number;
  text: string;
}

interface OpenCell {
  readonly type: string;
  readonly style: number;
  readonly row: number;
  readonly column: number;
  value: string;
  formula: string | undefined;
}

interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Reads the XML of a worksheet. `linkOf`: the address that a relation of it leads to. Throws if it is invalid. */
export function readSheet(
  xml: string,
  workbook: Workbook,
  linkOf: (relation: string) => string | undefined,
): Sheet {
  const reader = new SheetReader(workbook, linkOf);
  readXml(xml, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  return reader.sheet();
}

class SheetReader {
  readonly #workbook: Workbook;
  readonly #cells: Cell[] = [];
  readonly #hiddenRows = new Set<number>();
  readonly #hiddenColumns: { readonly from: number; readonly to: number }[] = [];
  readonly #merged: Range[] = [];
  /** Addresses by row, then by column. */
  readonly #linked = new Map<number, Map<number, string>>();
  readonly #linkOf: (relation: string) => string | undefined;
  readonly #string = new StringReader();
  #row = 0;
  #column = 0;
  #cell: OpenCell | undefined;
  #target: "value" | "formula" | undefined;
  #isInData = false;

  constructor(workbook: Workbook, linkOf: (relation: string) => string | undefined) {
    this.#workbook = workbook;
    this.#linkOf = linkOf;
  }

  open(name: string, attributes: Attributes): void {
    this.#string.open(name, attributes);
    const own = (key: string) => attribute(attributes, key);
    const opener = Object.hasOwn(this.#openers, name) ? this.#openers[name] : undefined;
    opener?.(own);
  }

  text(text: string): void {
    this.#string.text(text);
    if (this.#cell && this.#target === "value") this.#cell.value += text;
    if (this.#cell && this.#target === "formula") this.#cell.formula += text;
  }

  close(name: string): void {
    this.#string.close(name);
    if (name === "v" || name === "f") this.#target = undefined;
    else if (name === "sheetData") this.#isInData = false;
    else if (name === "c" && this.#cell) {
      const { row, column } = this.#cell;
      const text = this.#shown(this.#cell)
        .replace(/\s*[\n\r]\s*/g, " ")
        .trim();
      const link = /^\s*HYPERLINK\(\s*"([^"]*)"\s*[,;)]/i.exec(this.#cell.formula ?? "")?.[1] ?? "";
      if (text !== "") this.#cells.push({ row, column, text: linked(text, link) });
      this.#cell = undefined;
    }
  }

  sheet(): Sheet {
    for (const cell of this.#cells)
      cell.text = linked(cell.text, this.#linked.get(cell.row)?.get(cell.column) ?? "");
    const covered = coveredCells(this.#merged, this.#cells);
    const filled = this.#cells.filter((cell) => !covered.has(cell));
    const isHiddenColumn = (column: number) =>
      this.#hiddenColumns.some(({ from, to }) => column >= from && column <= to);
    const seen = filled.filter(({ row, column }) => !this.#hiddenRows.has(row) && !isHiddenColumn(column));
    return {
      rows: rowsOf(seen, isHiddenColumn),
      hiddenRows: new Set(filled.flatMap(({ row }) => (this.#hiddenRows.has(row) ? [row] : []))).size,
      hiddenColumns: new Set(filled.flatMap(({ column }) => (isHiddenColumn(column) ? [column] : []))).size,
    };
  }

  #openCell(own: (key: string) => string | undefined): void {
    // Rows and cells without an address follow the one before.
    const [, letters = "", digits = ""] = /^\$?([A-Z]{1,3})\$?(\d+)$/i.exec(own("r") ?? "") ?? [];
    this.#column = letters === "" ? this.#column + 1 : columnOf(letters);
    this.#cell = {
      type: own("t") ?? "n",
      style: Number(own("s")) || 0,
      row: Number(digits) || this.#row,
      column: Math.min(maxColumn, this.#column),
      value: "",
      formula: undefined,
    };
    this.#string.take();
  }

  readonly #openers: Readonly<Record<string, (own: (key: string) => string | undefined) => void>> = {
    sheetData: () => {
      this.#isInData = true;
    },
    row: (own) => {
      if (!this.#isInData) return;
      this.#row = Number(own("r")) || this.#row + 1;
      this.#column = 0;
      if (isOn(own("hidden")) || Number(own("ht") ?? 1) === 0) this.#hiddenRows.add(this.#row);
    },
    c: (own) => {
      if (this.#isInData) this.#openCell(own);
    },
    v: () => {
      this.#target = "value";
    },
    f: () => this.#openFormula(),
    col: (own) => {
      if (isOn(own("hidden")) || Number(own("width") ?? 1) === 0)
        this.#hiddenColumns.push({ from: Number(own("min")), to: Number(own("max")) });
    },
    mergeCell: (own) => void this.#merged.push(...rangeOf(own("ref") ?? "")),
    hyperlink: (own) => this.#openLink(own),
  };

  #openLink(own: (key: string) => string | undefined): void {
    const target = this.#linkOf(own("id") ?? "") ?? "";
    const location = own("location") ?? "";
    if (target === "") return;
    const address = location === "" ? target : `${target}#${location}`;
    // A link over several cells is that of its first one, which has the text.
    const [, letters = "", digits = ""] = /^\$?([A-Z]{1,3})\$?(\d+)/i.exec(own("ref") ?? "") ?? [];
    const columns = this.#linked.get(Number(digits)) ?? new Map<number, string>();
    this.#linked.set(Number(digits), columns.set(columnOf(letters), address));
  }

  #openFormula(): void {
    this.#target = "formula";
    if (this.#cell) this.#cell.formula = "";
  }

  #shown(cell: OpenCell): string {
    const { type, value, formula } = cell;
    // A formula whose text is empty has a stored value. One without a type has none.
    if (formula !== undefined && value === "" && type !== "str" && type !== "inlineStr")
      return formula === "" ? "(formula, not calculated)" : `=${formula} (not calculated)`;
    return Object.hasOwn(this.#texts, type) ? (this.#texts[type]?.(value) ?? "") : this.#numberText(cell);
  }

  readonly #texts: Readonly<Record<string, (value: string) => string>> = {
    s: (value) => this.#workbook.strings[Number(value)] ?? "",
    inlineStr: () => this.#string.take(),
    str: (value) => value,
    e: (value) => value,
    b: (value) => (isOn(value) ? "TRUE" : value && "FALSE"),
    d: (value) => dateText(value),
  };

  #numberText({ value, style }: OpenCell): string {
    const number = Number(value);
    if (value.trim() === "" || Number.isNaN(number)) return value;
    const format = this.#workbook.formats[style];
    return format ? numberText(number, format, this.#workbook.is1904) : generalText(number);
  }
}

/** A date that is stored as ISO 8601, which some programs write. */
function dateText(value: string): string {
  return value.replace(/T00:00:00(?:\.0+)?Z?$/, "").replace("T", " ");
}

function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function rangeOf(ref: string): Range[] {
  const [, left = "", top = "", right = "", bottom = ""] =
    /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/i.exec(ref) ?? [];
  if (left === "") return [];
  return [{ top: Number(top), left: columnOf(left), bottom: Number(bottom), right: columnOf(right) }];
}

/** Cells below a merged one keep values that nobody sees. */
function coveredCells(merged: readonly Range[], cells: readonly Cell[]): ReadonlySet<Cell> {
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const covered = merged.flatMap((range) =>
    [...byRow]
      .filter(([row]) => row >= range.top && row <= range.bottom)
      .flatMap(([, inRow]) => inRow.filter((cell) => isCovered(cell, range))),
  );
  return new Set(covered);
}

function isCovered({ row, column }: Cell, { top, left, right }: Range): boolean {
  return column >= left && column <= right && (column > left || row > top);
}

/** Rows from the first to the last column with a value, without hidden ones. Empty rows are left out. */
function rowsOf(cells: readonly Cell[], isHidden: (column: number) => boolean): string[][] {
  const used = [...new Set(cells.map(({ column }) => column))].toSorted((one, other) => one - other);
  const [first = 1] = used;
  const width = (used.at(-1) ?? 0) - first + 1;
  const byRow = Map.groupBy(cells, ({ row }) => row);
  // A value far to the right would cost a cell for each column before it, in each row.
  const isSparse = width > 4 * used.length + 64;
  const all = isSparse ? used : Array.from({ length: width }, (_, index) => first + index);
  const columns = all.filter((column) => !isHidden(column));
  const indexOf = new Map(columns.map((column, index) => [column, index]));
  const rows = [...byRow].toSorted(([one], [other]) => one - other);
  return rows.map(([, inRow]) => {
    const row: string[] = [];
    for (const { column, text } of inRow) {
      const index = indexOf.get(column) ?? 0;
      while (row.length < index) row.push("");
      row[index] = text;
    }
    return row;
  });
}
