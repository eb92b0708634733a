import { isPdf } from "../../shared/documents/pdfHeader.ts";

type DocumentKind = "pdf" | "docx" | "pptx" | "xlsx" | "text";

/** The type of a file, or why the parser rejects it (spec E9). */
export type CheckedDocument = { readonly kind: DocumentKind } | { readonly problem: string };

const accepted = "The parser accepts PDF, DOCX, PPTX, XLSX and plain text.";
/** 25 MB (spec E9). */
export const mostDocumentBytes = 25 * 1024 * 1024;

/** First bytes of other file types, in hexadecimal. A dot is any digit. */
const others: readonly (readonly [start: RegExp, name: string])[] = [
  [/^89504e47/, "a PNG image"],
  [/^ffd8ff/, "a JPEG image"],
  [/^474946383/, "a GIF image"],
  [/^52494646.{8}57454250/, "a WebP image"],
  [
    /^d0cf11e0/,
    "an old or password-protected Office file: save it as DOCX, PPTX or XLSX, without a password",
  ],
  [/^7b5c727466/, "an RTF file: save it as DOCX"],
  [/^(1f8b|377abcaf|52617221)/, "an archive"],
  [/^(7f454c46|4d5a|cffaedfe)/, "a program"],
  [/^(494433|4f676753|664c6143)|^52494646.{8}57415645/, "a sound file"],
];

/** Checks size and first bytes. Names and media types are not reliable. */
export function checkDocument(name: string, size: number, head: Uint8Array): CheckedDocument {
  if (size === 0) return { problem: `${name} is empty.` };
  if (size > mostDocumentBytes) return { problem: tooBig(name, size) };
  const start = Buffer.from(head.subarray(0, 1024)).toString("latin1");
  if (start.startsWith("%PDF-") || isPdf(head)) return { kind: "pdf" };
  if (start.startsWith("PK\x03\x04")) return checkZip(name, head);
  const isRichText = start.startsWith("{\\rtf");
  if (looksLikeText(head) && !isRichText) return checkText(name);
  const bytes = Buffer.from(head.subarray(0, 16)).toString("hex");
  const other = others.find(([pattern]) => pattern.test(bytes));
  return { problem: other ? `${name} is ${other[1]}. ${accepted}` : `${name} contains no text. ${accepted}` };
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
  const some = head.subarray(0, 65_536);
  const odd = some.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return !some.includes(0) && odd <= some.length / 100;
}
