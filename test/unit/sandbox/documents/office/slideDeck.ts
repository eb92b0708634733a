// Presentations of one slide for tests.
import { strToU8, zipSync } from "fflate";
import { parseDocument } from "../../../../../src/sandbox/documents/parseDocument.ts";

const relationType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export function relations(...all: readonly (readonly [id: string, type: string, target: string])[]): string {
  const lines = all.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${type.includes("://") ? type : `${relationType}/${type}`}" Target="${target}"/>`,
  );
  return `<Relationships>${lines.join("")}</Relationships>`;
}

/** The text of a slide with these shapes. `attributes`: of the slide. */
export function deckOf(
  shapes: string,
  parts: Readonly<Record<string, string>> = {},
  attributes = "",
): Promise<string> {
  const files = {
    "_rels/.rels": relations(["r", "officeDocument", "ppt/presentation.xml"]),
    "ppt/presentation.xml": `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(["s1", "slide", "slides/slide1.xml"]),
    "ppt/slides/slide1.xml": `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    ...parts,
  };
  return parseDocument(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
}

export function shape(kind: string, ...lines: string[]): string {
  return `<p:sp><p:nvSpPr><p:nvPr>${kind}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${lines.join("")}</p:txBody></p:sp>`;
}

export function line(text: string, properties = "", run = ""): string {
  return `<a:p>${properties}<a:r><a:rPr ${run}/><a:t>${text}</a:t></a:r></a:p>`;
}
