import { safeCsvCell } from "../../../shared/text/csvCell.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { addressText, fieldText, jsonText, type Writing } from "./fields/fieldText.ts";
import { isQuantity, toWhole } from "./fields/numbers.ts";

/** A column of a table. Its exact value decides about filter, order and CSV. */
export interface Column<Row> {
  /** The name of the member in the result, which decides how a value is written. */
  readonly name: string;
  /** The name in the head of the table and in the CSV, if it is another one. */
  readonly title?: string;
  /** Undefined if the row has no such value. */
  readonly read: (row: Row) => Json | undefined;
  /** True if it is part of the filter and of the CSV only. */
  readonly hidden?: true;
}

export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

/** Characters of a value that the filter reads. */
const mostFiltered = 4_000;

/** The texts of each row that the filter reads: values as received, and as they are shown. */
export function filterTexts<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  writing: Writing,
): readonly string[] {
  return rows.map((row) => columns.map(({ name, read }) => filterText(name, read(row), writing)).join("\n"));
}

function filterText(name: string, value: Json | undefined, writing: Writing): string {
  if (value === undefined) return "";
  const exact = (typeof value === "string" ? value : exactJsonText(value)).slice(0, mostFiltered);
  const decimal = isQuantity(value) ? `\n${BigInt(value)}` : "";
  const shown = typeof value === "object" && value !== null ? "" : fieldText(name, value, writing).text;
  return `${exact}${decimal}\n${shown.slice(0, mostFiltered)}`.toLowerCase();
}

/** The rows whose texts contain the filter, as indexes. Case is ignored. */
export function matchingRows(texts: readonly string[], filter: string): readonly number[] {
  const wanted = filter.trim().toLowerCase();
  return texts.flatMap((text, at) => (text.includes(wanted) ? at : []));
}

/** A value for comparison: numbers before texts before everything else; missing values are last in both directions. */
type Key =
  | readonly [0, bigint | number]
  | readonly [1, string]
  | readonly [2, string]
  | readonly [3, undefined];

/** The indexes in the order of a column. Whole numbers of any size are compared exactly, and equal rows keep their order. */
export function ordered<Row>(
  indexes: readonly number[],
  rows: readonly Row[],
  { read }: Column<Row>,
  descending: boolean,
): readonly number[] {
  const keys = new Map(indexes.map((at) => [at, keyOf(read(rows[at] as Row))] as const));
  const missing: Key = [3, undefined];
  return indexes.toSorted((a, b) => {
    const [one, other] = [keys.get(a) ?? missing, keys.get(b) ?? missing];
    if (one[0] === 3 || other[0] === 3) return one[0] - other[0];
    const sign = one[0] - other[0] || compared(one[1] as string, other[1] as string);
    return descending ? -sign : sign;
  });
}

function keyOf(value: Json | undefined): Key {
  if (value === undefined || value === null || value === "") return [3, undefined];
  const number = toWhole(value) ?? (typeof value === "number" ? value : undefined);
  if (number !== undefined && !Number.isNaN(number)) return [0, number];
  if (typeof value === "object") return [2, exactJsonText(value)];
  return [1, String(value).toLowerCase()];
}

function compared<Value>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The values of the rows that were cut for display, or have a part that was. */
export function countCutValues<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { wholes }: Pick<Writing, "wholes">,
): number {
  if (!wholes || wholes.size === 0) return 0;
  const isCut = (value: Json | undefined): boolean =>
    (typeof value === "string" && wholes.has(value)) ||
    (typeof value === "object" &&
      value !== null &&
      (wholes.has(value) || Object.values(value).some((part) => isCut(part))));
  return rows.reduce((sum, row) => sum + columns.filter(({ read }) => isCut(read(row))).length, 0);
}

/** Names of bytes, which are not numbers even if they are short. */
const bytes = /^(data|input|output|code|topic \d)$/i;

/** The rows as CSV (RFC 4180). Whole numbers are exact; in decimal mode quantities are decimal. */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[], writing: Writing): string {
  const text = (name: string, value: Json | undefined) => {
    if (value === undefined || value === null) return "";
    if (typeof value === "object") return exactJsonText(value);
    if (typeof value !== "string") return String(value);
    return writing.radix === "decimal" && isQuantity(value) && !bytes.test(name)
      ? jsonText(value, writing)
      : addressText(value, writing);
  };
  const lines = [
    columns.map(({ name, title }) => safeCsvCell(title ?? name)).join(","),
    ...rows.map((row) => columns.map(({ name, read }) => safeCsvCell(text(name, read(row)))).join(",")),
  ];
  return `${lines.join("\r\n")}\r\n`;
}
