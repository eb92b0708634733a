// Pieces of word/document.xml for tests.
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";
import { docxOf } from "../../docxWriter.ts";

export function textOf(body: string, parts?: Readonly<Record<string, string>>): Promise<string> {
  return parseDocument(docxOf(body, parts));
}

export function p(inner: string, properties = ""): string {
  return `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;
}

export function r(text: string, properties = ""): string {
  return `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
}

export function cell(inner: string, properties = ""): string {
  const content = inner.startsWith("<") ? inner : p(inner && r(inner));
  return `<w:tc>${properties && `<w:tcPr>${properties}</w:tcPr>`}${content}</w:tc>`;
}

export function table(...rows: readonly (readonly string[])[]): string {
  return `<w:tbl>${rows.map((cells) => `<w:tr>${cells.join("")}</w:tr>`).join("")}</w:tbl>`;
}

const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

/** A field; without a result, as old formulas are. */
export function field(code: string, result?: string): string {
  const shown = result === undefined ? "" : `${mark("separate")}${r(result)}`;
  return `${mark("begin")}<w:r><w:instrText xml:space="preserve">${code}</w:instrText></w:r>${shown}${mark("end")}`;
}
