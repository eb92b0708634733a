import { partNames } from "./zip.ts";

export type ParsableKind = "pdf" | "docx" | "pptx" | "xlsx" | "text";

/** The part that every file of an office format has. */
const mainParts: Readonly<Record<string, ParsableKind>> = {
  "word/document.xml": "docx",
  "ppt/presentation.xml": "pptx",
  "xl/workbook.xml": "xlsx",
};

/** What a file is, by what stands in it: names and media types lie. Undefined for what the parser does not read. */
export function kindOf(bytes: Uint8Array): ParsableKind | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  // A PDF may have a few bytes of something else before it.
  if (head.includes("%PDF-")) return "pdf";
  if (head.startsWith("PK\x03\x04")) return partNames(bytes).flatMap((name) => mainParts[name] ?? [])[0];
  return looksLikeText(bytes) ? "text" : undefined;
}

/** Text has no zero bytes, unless a byte order mark says that it is UTF-16. */
function looksLikeText(bytes: Uint8Array): boolean {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) return true;
  const head = bytes.subarray(0, 65_536);
  const odd = head.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return !bytes.includes(0) && odd <= head.length / 100;
}
