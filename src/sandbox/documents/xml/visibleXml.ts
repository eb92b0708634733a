import { type Attributes, attribute, readXml, type XmlListener } from "./xml.ts";

/** Elements without text of their own, and former properties of changes that were tracked. */
const withoutText = new Set([
  "tabs",
  "tabLst",
  "delInstrText",
  "delText",
  "rPrChange",
  "pPrChange",
  "tblPrChange",
  "tblPrExChange",
  "trPrChange",
  "tcPrChange",
  "sectPrChange",
  "custGeom",
]);
/** Text that was deleted, or moved away, while changes were tracked. In properties they mark a paragraph or a row. */
const removed = new Set(["del", "moveFrom"]);
const properties = new Set(["pPr", "rPr", "trPr"]);

/**
 * Reads a part of a DOCX or PPTX file as a reader of the document sees it: without text that was deleted or moved away,
 * and with one form of each content that has several. Throws if the XML is invalid.
 */
export function readVisible(xml: string, listener: Required<XmlListener>): void {
  let depth = 0;
  /** The depth of the element that is skipped. */
  let skipped: number | undefined;
  let propertiesDepth = 0;
  /** For each content with several forms around the current element: true once one of them had text. */
  const forms: boolean[] = [];
  const isSkipped = (name: string, attributes: Attributes) => {
    if (withoutText.has(name)) return true;
    if (removed.has(name)) return propertiesDepth === 0;
    // Which form a program shows depends on what it knows. The first with text is what a reader of text needs.
    if (name === "Choice" || name === "Fallback") return forms.at(-1) === true;
    // The number of a slide is no content.
    return name === "fld" && attribute(attributes, "type") === "slidenum";
  };
  readXml(xml, {
    open(name, attributes) {
      depth += 1;
      if (skipped !== undefined) return;
      if (isSkipped(name, attributes)) {
        skipped = depth;
        return;
      }
      if (properties.has(name)) propertiesDepth += 1;
      if (name === "AlternateContent") forms.push(false);
      listener.open(name, attributes);
    },
    close(name) {
      if (skipped === undefined) {
        if (properties.has(name)) propertiesDepth -= 1;
        if (name === "AlternateContent") forms.pop();
        listener.close(name);
      } else if (skipped === depth) skipped = undefined;
      depth -= 1;
    },
    text(text) {
      if (skipped !== undefined) return;
      if (text.trim() !== "") forms.fill(true);
      listener.text(text);
    },
  });
}
