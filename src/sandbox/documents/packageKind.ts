import { mainPart } from "./xml/relations.ts";
import { ZipParts } from "./zip.ts";

type PackageKind = "docx" | "pptx" | "xlsx";

/** The root element of the main part, which can have any name and any prefix. */
const roots: readonly (readonly [RegExp, PackageKind])[] = [
  [/<(?:\w+:)?document[\s>]/, "docx"],
  [/<(?:\w+:)?presentation[\s>/]/, "pptx"],
  [/<(?:\w+:)?workbook[\s>/]/, "xlsx"],
];

/** The kind of a package of an office suite by its main part. Undefined for other and for damaged zip files. */
export function packageKind(bytes: Uint8Array): PackageKind | undefined {
  try {
    const parts = new ZipParts(bytes);
    const main = mainPart(parts);
    const start = main === undefined ? "" : (parts.text(main) ?? "").slice(0, 16_384);
    return roots.find(([pattern]) => pattern.test(start))?.[1];
  } catch {
    return undefined;
  }
}

const accepted = "Must be a PDF, DOCX, PPTX, XLSX or plain text file";
/** First bytes of other documents, in hexadecimal, and parts of those that are zip files. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [
    /^d0cf11e0/,
    "This is an old or password-protected Office file: save it as DOCX, PPTX or XLSX, without a password",
  ],
  [/^7b5c727466/, "This is an RTF file: save it as DOCX"],
];
const otherParts: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.bin$/i, "This is an XLSB file: save it as XLSX"],
  [/^META-INF\/container\.xml$/i, "This is an EPUB file"],
  [
    /^Index\/(?:Document|Slide)?.*\.iwa$|^Index\.zip$/i,
    "This is an iWork file: export it as DOCX, PPTX, XLSX or PDF",
  ],
  [/^content\.xml$/i, "This is an OpenDocument file: save it as DOCX, PPTX or XLSX"],
];

/** Why a file is not parsed: its format by name if that helps. */
export function otherFormat(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  const known = signatures.find(([pattern]) => pattern.test(start))?.[1] ?? otherPackage(bytes, start);
  return known === undefined ? accepted : `${known}. ${accepted}`;
}

function otherPackage(bytes: Uint8Array, start: string): string | undefined {
  if (!start.startsWith("504b0304")) return undefined;
  const { names } = new ZipParts(bytes);
  return otherParts.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
}
