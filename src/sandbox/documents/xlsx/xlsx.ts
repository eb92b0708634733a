import { badField, Refusal } from "../../refusal.ts";
import { markdownTable } from "../office/markdownTable.ts";
import { drawingText } from "../office/office.ts";
import { relationsOf, targetsOf } from "../xml/relations.ts";
import { ZipParts } from "../zip.ts";
import { cellComments } from "./cellComments.ts";
import { readSheet, type Sheet } from "./sheet.ts";
import { readWorkbook, type Workbook } from "./workbook.ts";

/**
 * Each sheet as a markdown table below its name, with the values as a person sees them. Hidden sheets, rows and columns
 * are left out and named. Throws a 400 if the file is damaged.
 */
export function readXlsx(bytes: Uint8Array): string {
  try {
    const parts = new ZipParts(bytes);
    const workbook = readWorkbook(parts);
    if (workbook.sheets.length === 0) throw new Error("a workbook has a sheet");
    const seen = workbook.sheets.filter(({ isHidden }) => !isHidden);
    const texts = seen.map(({ name, part }) => sheetText(parts, workbook, name, part));
    const hidden = workbook.sheets.flatMap(({ name, isHidden }) => (isHidden ? [name] : []));
    return [...texts, hidden.length > 0 ? leftOut(`hidden sheets: ${hidden.join(", ")}`) : ""]
      .filter(Boolean)
      .join("\n\n");
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw badField(["file"], "The XLSX file is damaged");
  }
}

function sheetText(parts: ZipParts, workbook: Workbook, name: string, part: string): string {
  const relations = relationsOf(parts, part);
  const sheet = readSheet(parts.text(part) ?? "<none/>", workbook, (id) => {
    const relation = relations.get(id);
    return relation?.isExternal ? relation.target : undefined;
  });
  const drawings = targetsOf(relations, "drawing").map((drawing) => drawingText(parts, drawing));
  const comments = cellComments(parts, part);
  const pieces = [markdownTable(sheet.rows), ...drawings, ...comments, hiddenText(sheet)].filter(Boolean);
  return pieces.length === 0 ? "" : [`## ${name}`, ...pieces].join("\n\n");
}

function hiddenText({ hiddenRows, hiddenColumns }: Sheet): string {
  const counted = [
    [hiddenRows, "row"],
    [hiddenColumns, "column"],
  ] as const;
  const words = counted.flatMap(([count, noun]) => {
    if (count === 0) return [];
    return [`${count} hidden ${noun}${count === 1 ? "" : "s"}`];
  });
  return words.length === 0 ? "" : leftOut(words.join(", "));
}

function leftOut(what: string): string {
  return `*Left out: ${what}.*`;
}
