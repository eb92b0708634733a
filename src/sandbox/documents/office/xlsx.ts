import readXlsxFile from "read-excel-file/universal";
import { badField } from "../../refusal.ts";
import { checkUnpackedSize } from "../zip.ts";
import { markdownTable } from "./markdownTable.ts";

/** Each sheet as a markdown table below its name. Throws a 400 if the file is damaged. */
export async function readXlsx(bytes: Uint8Array): Promise<string> {
  checkUnpackedSize(bytes);
  const sheets = await readXlsxFile(Uint8Array.from(bytes).buffer).catch(() => {
    throw badField(["file"], "The XLSX file is damaged");
  });
  return sheets
    .map(({ sheet, data }) => ({ sheet, table: markdownTable(data.map((cells) => cells.map(cellText))) }))
    .filter(({ table }) => table !== "")
    .map(({ sheet, table }) => `## ${sheet}\n\n${table}`)
    .join("\n\n");
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, "");
  return cell === null || cell === undefined ? "" : String(cell).replace(/\s*\n\s*/g, " ");
}
