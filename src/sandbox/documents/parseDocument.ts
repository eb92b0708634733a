import { badField } from "../refusal.ts";
import { partNames } from "./zip.ts";

/** The text of a PDF, DOCX, PPTX, XLSX or text file (spec E9). Throws a 400 for other, damaged or empty files. */
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
      return (await import("./office/office.ts")).readOffice(bytes, kind);
    case "xlsx":
      return (await import("./office/xlsx.ts")).readXlsx(bytes);
    case "text":
      return readPlainText(bytes);
    default:
      throw badField(["file"], "Must be a PDF, DOCX, PPTX, XLSX or plain text file");
  }
}

type ParsableKind = "pdf" | "docx" | "pptx" | "xlsx" | "text";

/** The part that identifies an office format. */
const mainParts: Readonly<Record<string, ParsableKind>> = {
  "word/document.xml": "docx",
  "ppt/presentation.xml": "pptx",
  "xl/workbook.xml": "xlsx",
};

/** The kind of a file by its content, as names and media types can be wrong. Undefined for a kind that is not parsed. */
export function kindOf(bytes: Uint8Array): ParsableKind | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  // A PDF may have other bytes before its header.
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("PK\x03\x04")) return partNames(bytes).flatMap((name) => mainParts[name] ?? [])[0];
  return looksLikeText(bytes) ? "text" : undefined;
}

/** Text has no zero bytes, unless it is UTF-16 with a byte order mark. */
function looksLikeText(bytes: Uint8Array): boolean {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) return true;
  const head = bytes.subarray(0, 65_536);
  const odd = head.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return !bytes.includes(0) && odd <= head.length / 100;
}

/** Decodes by the byte order mark, else as UTF-8, else as Windows-1252. */
function readPlainText(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
