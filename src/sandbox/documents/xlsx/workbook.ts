import type { Position } from "../office/officeStyles.ts";
import { raisedText } from "../office/raisedText.ts";
import { mainPart, relationsOf, targetsOf } from "../xml/relations.ts";
import { type Attributes, attribute, readXml } from "../xml/xml.ts";
import type { ZipParts } from "../zip.ts";
import { type NumberFormat, numberFormat } from "./numberText.ts";

interface SheetEntry {
  readonly name: string;
  /** The name of its part. */
  readonly part: string;
  readonly isHidden: boolean;
}

/** What the sheets of an XLSX file share. */
export interface Workbook {
  readonly sheets: readonly SheetEntry[];
  readonly is1904: boolean;
  readonly strings: readonly string[];
  /** The formats of numbers, by the index of a cell's style. */
  readonly formats: readonly NumberFormat[];
}

export function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true" || value === "on";
}

/** Throws if the XML is invalid. */
export function readWorkbook(parts: ZipParts): Workbook {
  const main = mainPart(parts) ?? "xl/workbook.xml";
  const relations = relationsOf(parts, main);
  const sheets: SheetEntry[] = [];
  let is1904 = false;
  readXml(parts.text(main) ?? "<none/>", {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = isOn(attribute(attributes, "date1904"));
      if (name !== "sheet") return;
      const relation = relations.get(attribute(attributes, "id") ?? "");
      if (!relation) return;
      const isHidden = /hidden/i.test(attribute(attributes, "state") ?? "");
      sheets.push({ name: attribute(attributes, "name") ?? "", part: relation.target, isHidden });
    },
  });
  const part = (type: string) => {
    const [related] = targetsOf(relations, type);
    return parts.text(related ?? `${main.slice(0, main.lastIndexOf("/") + 1)}${type}.xml`) ?? "<none/>";
  };
  return { sheets, is1904, strings: stringsIn(part("sharedStrings")), formats: formatsIn(part("styles")) };
}

/** Each text as a person sees it: without phonetic hints, whose elements also have text. */
function stringsIn(xml: string): string[] {
  const strings: string[] = [];
  const reader = new StringReader();
  readXml(xml, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close(name) {
      reader.close(name);
      if (name === "si") strings.push(reader.take());
    },
  });
  return strings;
}

/** Reads the runs of a text in a cell. */
export class StringReader {
  #text = "";
  #run = "";
  #position: Position | "" = "";
  #isInText = false;
  #hints = 0;

  open(name: string, attributes: Attributes): void {
    if (name === "rPh") this.#hints += 1;
    else if (name === "r") this.#position = "";
    else if (name === "vertAlign") this.#position = positionIn(attribute(attributes, "val"));
    else if (name === "t") this.#isInText = true;
  }

  text(text: string): void {
    if (this.#isInText && this.#hints === 0) this.#run += text;
  }

  close(name: string): void {
    if (name === "rPh") this.#hints -= 1;
    else if (name === "r") this.#position = "";
    if (name !== "t") return;
    this.#isInText = false;
    this.#text += this.#position === "" ? this.#run : raisedText(this.#run, this.#position);
    this.#run = "";
  }

  take(): string {
    const text = unescaped(this.#text);
    this.#text = "";
    return text;
  }
}

function positionIn(value: string | undefined): Position | "" {
  return value === "superscript" || value === "subscript" ? value : "";
}

/** Characters that XML can't contain are escaped: `_x000D_` (22.9.2.19). */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function formatsIn(xml: string): NumberFormat[] {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isInCells = false;
  const idOf = (attributes: Attributes) => Number(attribute(attributes, "numFmtId")) || 0;
  readXml(xml, {
    open(name, attributes) {
      if (name === "numFmt") codes.set(idOf(attributes), attribute(attributes, "formatCode") ?? "General");
      else if (name === "cellXfs") isInCells = true;
      else if (name === "xf" && isInCells) ids.push(idOf(attributes));
    },
    close(name) {
      if (name === "cellXfs") isInCells = false;
    },
  });
  const formats = new Map<number, NumberFormat>();
  return ids.map((id) => {
    const known = formats.get(id) ?? numberFormat(id, codes.get(id));
    formats.set(id, known);
    return known;
  });
}
