import readXlsxFile from "read-excel-file/universal";
import { badField } from "../refusal.ts";
import { checkUnpackedSize } from "./zip.ts";

/** Each sheet under its name, a line to a row, with tabs between the cells. Throws the 400 of a damaged file. */
export async function readXlsx(bytes: Uint8Array): Promise<string> {
  checkUnpackedSize(bytes);
  const sheets = await readXlsxFile(Uint8Array.from(bytes).buffer).catch(() => {
    throw badField(["file"], "The XLSX file is damaged");
  });
  return sheets
    .map(({ sheet, data }) => ({ sheet, rows: data.map(rowText).filter((row) => row !== "") }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ sheet, rows }) => [sheet, ...rows].join("\n"))
    .join("\n\n");
}

function rowText(cells: readonly unknown[]): string {
  return cells.map(cellText).join("\t").trimEnd();
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, "");
  return cell === null || cell === undefined ? "" : String(cell).replace(/\s*\n\s*/g, " ");
}
