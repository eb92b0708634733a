import { hasOnlyTextBytes, otherDocument } from "../../shared/documents/otherDocument.ts";
import { isPdf } from "../../shared/documents/pdfHeader.ts";

type DocumentKind = "pdf" | "docx" | "pptx" | "xlsx" | "text";

/** The type of a file, or why the parser rejects it (spec E9). */
export type CheckedDocument = { readonly kind: DocumentKind } | { readonly problem: string };

const accepted = "The parser accepts PDF, DOCX, PPTX, XLSX and plain text.";
/** 25 MB (spec E9). */
export const mostDocumentBytes = 25 * 1024 * 1024;

/** Checks size and first bytes. Names and media types are not reliable. */
export function checkDocument(name: string, size: number, head: Uint8Array): CheckedDocument {
  if (size === 0) return { problem: `${name} is empty.` };
  if (size > mostDocumentBytes) return { problem: tooBig(name, size) };
  const start = Buffer.from(head.subarray(0, 1024)).toString("latin1");
  if (start.startsWith("%PDF-") || isPdf(head)) return { kind: "pdf" };
  const other = otherDocument(head);
  if (other !== undefined) return { problem: `${name} is ${other}. ${accepted}` };
  if (start.startsWith("PK\x03\x04")) return checkZip(name, head);
  return looksLikeText(head) ? checkText(name) : { problem: `${name} contains no text. ${accepted}` };
}

/** A text with the name of another document is a broken file: nobody pays for reading it. */
function checkText(name: string): CheckedDocument {
  const [, extension] = /\.(pdf|docx|pptx|xlsx)$/i.exec(name) ?? [];
  if (extension === undefined) return { kind: "text" };
  return {
    problem: `${name} is no ${extension.toUpperCase()} file: it contains other text. Rename it to .txt to read that.`,
  };
}

export function tooBig(name: string, size: number): string {
  return `${name} has ${(size / 1024 / 1024).toFixed(1)} MB. The limit is 25 MB.`;
}

/** Office files are zips whose parts are in a folder named after the format. */
function checkZip(name: string, head: Uint8Array): CheckedDocument {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const folders = { "word/": "docx", "ppt/": "pptx", "xl/": "xlsx" } as const;
  for (const [folder, kind] of Object.entries(folders)) if (hasPart(bytes, folder)) return { kind };
  // A large picture may precede these parts: then trust the extension.
  const extension = /\.(docx|pptx|xlsx)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension !== undefined && hasPart(bytes, "[Content_Types].xml"))
    return { kind: extension as DocumentKind };
  return { problem: `${name} is an archive. ${accepted}` };
}

/** True if the name of a part starts like this. Names are 30 bytes after the signature (APPNOTE 4.3.7). */
function hasPart(bytes: Buffer, start: string): boolean {
  for (
    let at = bytes.indexOf("PK\x03\x04", 0, "latin1");
    at >= 0;
    at = bytes.indexOf("PK\x03\x04", at + 4, "latin1")
  )
    if (bytes.toString("latin1", at + 30, at + 30 + start.length) === start) return true;
  return false;
}

/** Text has no zero bytes, except UTF-16 with a byte order mark. */
function looksLikeText(head: Uint8Array): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return hasOnlyTextBytes(head.subarray(0, 65_536));
}
