import { isPdf } from "../../shared/documents/pdfHeader.ts";
import { badField } from "../refusal.ts";
import { otherFormat, packageKind } from "./packageKind.ts";
import type { PdfOptions } from "./pdf/pdf.ts";
import { looksLikeText } from "./plainText.ts";

/** The text of a PDF, DOCX, PPTX, XLSX or text file (spec E9). Throws a 400 for other, damaged or empty files. */
export async function parseDocument(bytes: Uint8Array, options: PdfOptions = {}): Promise<string> {
  const text = (await read(bytes, options)).trim();
  // wire.md section 7: scanned pages give 400.
  if (text === "") throw badField(["file"], "There is no text in the file; scanned pages can't be read");
  return text;
}

async function read(bytes: Uint8Array, options: PdfOptions): Promise<string> {
  const kind = kindOf(bytes);
  switch (kind) {
    case "pdf":
      return (await import("./pdf/pdf.ts")).readPdf(bytes, options);
    case "docx":
    case "pptx":
      return (await import("./office/office.ts")).readOffice(bytes, kind);
    case "xlsx":
      return (await import("./xlsx/xlsx.ts")).readXlsx(bytes);
    case "text":
      return (await import("./plainText.ts")).readPlainText(bytes);
    default:
      throw badField(["file"], otherFormat(bytes));
  }
}

type ParsableKind = "pdf" | "docx" | "pptx" | "xlsx" | "text";

/** The kind of a file by its content, as names and media types can be wrong. Undefined for a kind that is not parsed. */
export function kindOf(bytes: Uint8Array): ParsableKind | undefined {
  if (isPdf(bytes)) return "pdf";
  const head = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (head.startsWith("PK\x03\x04")) return packageKind(bytes);
  if (head.startsWith("{\\rtf")) return undefined;
  return looksLikeText(bytes) ? "text" : undefined;
}
