import { otherDocument } from "../../shared/documents/otherDocument.ts";
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
/** Why a file is not parsed: its format by name if that helps. Throws for a zip file that is damaged or unpacks to too much. */
export function otherFormat(bytes: Uint8Array): string {
  const known = otherDocument(bytes);
  if (known !== undefined) return `This is ${known}. ${accepted}`;
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) new ZipParts(bytes);
  return accepted;
}
