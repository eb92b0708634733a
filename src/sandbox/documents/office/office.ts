import { fileName } from "../../../shared/text/fileName.ts";
import { badField } from "../../refusal.ts";
import { readXml } from "../xml/xml.ts";
import { readParts } from "../zip.ts";
import { officeMarkdown } from "./officeMarkdown.ts";
import { noStyles, readStyles } from "./officeStyles.ts";

type Parts = ReadonlyMap<string, string>;

/** The text of a DOCX or PPTX file as markdown, in reading order. Throws a 400 if the file is damaged. */
export function readOffice(bytes: Uint8Array, kind: "docx" | "pptx"): string {
  const parts = readParts(bytes, kind === "docx" ? /^word\/[^/]+\.xml$/ : /^ppt\/.*\.(xml|rels)$/);
  try {
    return kind === "docx" ? documentText(parts) : slidesText(parts);
  } catch {
    throw badField(["file"], `The ${kind.toUpperCase()} file is damaged`);
  }
}

/** The body, then footnotes and endnotes. */
function documentText(parts: Parts): string {
  const names = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"];
  const styles = readStyles(
    parts.get("word/styles.xml") ?? "<none/>",
    parts.get("word/numbering.xml") ?? "<none/>",
  );
  return names
    .map((name) => officeMarkdown(parts.get(name) ?? "<none/>", styles).trim())
    .filter(Boolean)
    .join("\n\n");
}

function slidesText(parts: Parts): string {
  const textOf = (name: string, isSlide: boolean) =>
    officeMarkdown(parts.get(name) ?? "<none/>", noStyles, isSlide).trim();
  const slides = slideNames(parts).map((name) => [
    textOf(name, true),
    ...targets(parts, name, "notesSlide").map((notes) => textOf(notes, false)),
  ]);
  return slides.map((pieces) => pieces.filter(Boolean).join("\n\n")).join("\n\n");
}

/** In presentation order, which differs from the order of their names. */
function slideNames(parts: Parts): string[] {
  const main = "ppt/presentation.xml";
  const byId = relations(parts, main);
  const names: string[] = [];
  readXml(parts.get(main) ?? "<none/>", {
    open(name, attributes) {
      const target = name === "sldId" ? byId.get(attributes["r:id"] ?? "")?.target : undefined;
      if (target) names.push(target);
    },
  });
  return names;
}

function targets(parts: Parts, name: string, type: string): string[] {
  return [...relations(parts, name).values()]
    .filter((relation) => relation.type === type)
    .map(({ target }) => target);
}

interface Relation {
  /** The last segment of the type's URL. */
  readonly type: string;
  /** The full name of the part. */
  readonly target: string;
}

/** The relations of a part to others, by id. */
function relations(parts: Parts, name: string): ReadonlyMap<string, Relation> {
  const found = new Map<string, Relation>();
  const [folder, file] = [name.slice(0, name.lastIndexOf("/")), fileName(name)];
  readXml(parts.get(`${folder}/_rels/${file}.rels`) ?? "<none/>", {
    open(element, { Id: id = "", Type: type = "", Target: target = "" }) {
      if (element !== "Relationship" || !URL.canParse(target, `zip:///${folder}/`)) return;
      const { pathname } = new URL(target, `zip:///${folder}/`);
      found.set(id, {
        type: fileName(type),
        target: decodeURIComponent(pathname.slice(1)),
      });
    },
  });
  return found;
}
