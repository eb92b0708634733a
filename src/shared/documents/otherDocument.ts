import { latin1 } from "../bytes.ts";
import { type ImageFormat, imageFormatOf } from "../images/imageFormats.ts";

/** First bytes of documents whose text nobody here reads, in hexadecimal. */
const starts: readonly (readonly [start: RegExp, words: string])[] = [
  [
    /^d0cf11e0/,
    "an old or password-protected Office file: save it as DOCX, PPTX or XLSX, without a password",
  ],
  [/^(?:1f8b|377abcaf|52617221)/, "an archive"],
  [/^(?:7f454c46|4d5a|cffaedfe)/, "a program"],
  [/^(?:494433|4f676753|664c6143)|^52494646.{8}57415645/, "a sound file"],
  // Canon, Fujifilm, Olympus and Panasonic; those of others have the form of TIFF.
  [/^(?:.{8}66747970637278|46554a4946494c4d|4949(?:524f|5500))/, "a raw photo: export it as JPEG"],
  [/^.{8}66747970(?:69736f|6d7034|4d3456|717420)|^1a45dfa3/, "a video"],
];

const richText = "an RTF file: save it as DOCX";

/** The type that an OpenDocument file and an EPUB book state in their first part. */
const stated = /^mimetypeapplication\/(?:epub\+zip|vnd\.oasis\.opendocument\.)/;
const epub = "an EPUB book: convert it to DOCX or plain text";
const openDocument = "an OpenDocument file: save it as DOCX, PPTX or XLSX";
/** Parts of documents that are zip files. */
const parts: readonly (readonly [name: RegExp, words: string])[] = [
  [/^xl\/workbook\.bin$/i, "an XLSB file: save it as XLSX"],
  [/^META-INF\/container\.xml$/i, epub],
  [/^Index\/.{0,200}\.iwa$|^Index\.zip$/i, "an iWork file: export it as DOCX, PPTX, XLSX or PDF"],
  [/^content\.xml$/i, openDocument],
];
/** Parts of a zip file that are looked at. */
const mostParts = 2_000;

/**
 * What a file is whose text nobody here reads, by its content, with the step that helps: `an RTF file: save it as DOCX`.
 * Undefined for documents that are read, for text, and for what is not known. All bytes are needed for a zip file.
 */
export function otherDocument(bytes: Uint8Array): string | undefined {
  // A text may begin as a sound or a program does. RTF is one.
  if (hasOnlyTextBytes(bytes)) return latin1(bytes, 0, 5) === "{\\rtf" ? richText : undefined;
  const start = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const known = starts.find(([pattern]) => pattern.test(start))?.[1];
  if (known !== undefined) return known;
  const image = imageFormatOf(bytes);
  if (image) return imageWords(image);
  return start.startsWith("504b0304") ? otherPackage(bytes) : undefined;
}

function imageWords({ name, isSent }: ImageFormat): string {
  const article = /^(?:AVIF|ICO|SVG)$/.test(name) ? "an" : "a";
  return `${article} ${name} image${isSent ? "" : ": export it as PNG or JPEG"}`;
}

/** Bytes that decide. */
const headBytes = 65_536;

/** Few control characters, and no zero bytes anywhere: a text in an encoding of single bytes or in UTF-8. */
export function hasOnlyTextBytes(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, headBytes);
  const odd = head.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return !bytes.includes(0) && odd <= head.length / 100;
}

function otherPackage(bytes: Uint8Array): string | undefined {
  const names = partNames(bytes);
  const type = stated.exec(latin1(bytes, 30, 100))?.[0];
  if (type !== undefined) return type.includes("epub") ? epub : openDocument;
  if (names.some((name) => /^\[Content_Types\]\.xml$/i.test(name)) && !names.some(isBinaryWorkbook))
    return undefined;
  return parts.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
}

function isBinaryWorkbook(name: string): boolean {
  return /^xl\/workbook\.bin$/i.test(name);
}

/** The names in the local headers: 30 bytes after the signature (APPNOTE 4.3.7). */
function partNames(bytes: Uint8Array): readonly string[] {
  const names: string[] = [];
  for (let at = 0; names.length < mostParts; at += 4) {
    at = bytes.indexOf(0x50, at);
    if (at < 0 || at + 30 > bytes.length) break;
    if (bytes[at + 1] !== 0x4b || bytes[at + 2] !== 3 || bytes[at + 3] !== 4) {
      at -= 3;
      continue;
    }
    const length = (bytes[at + 26] ?? 0) + 256 * (bytes[at + 27] ?? 0);
    names.push(latin1(bytes, at + 30, at + 30 + Math.min(length, 300)));
  }
  return names;
}
