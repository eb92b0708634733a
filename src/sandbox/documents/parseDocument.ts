import { badField } from "../refusal.ts";
import { kindOf } from "./kind.ts";

/** The text of a PDF, DOCX, PPTX, XLSX or plain text file (spec E9). Throws the 400 of any other, damaged or empty one. */
export async function parseDocument(bytes: Uint8Array): Promise<string> {
  const text = (await read(bytes)).trim();
  // wire.md section 7: scanned pages give 400.
  if (text === "") throw badField(["file"], "There is no text in the file; scanned pages can't be read");
  return text;
}

async function read(bytes: Uint8Array): Promise<string> {
  const kind = kindOf(bytes);
  switch (kind) {
    case "pdf":
      return (await import("./pdf.ts")).readPdf(bytes);
    case "docx":
    case "pptx":
      return (await import("./office.ts")).readOffice(bytes, kind);
    case "xlsx":
      return (await import("./xlsx.ts")).readXlsx(bytes);
    case "text":
      return (await import("./plainText.ts")).readPlainText(bytes);
    default:
      throw badField(["file"], "Must be a PDF, DOCX, PPTX, XLSX or plain text file");
  }
}
