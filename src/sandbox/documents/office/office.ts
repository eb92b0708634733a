import { badField, Refusal } from "../../refusal.ts";
import { mainPart, type Relation, relationsOf, targetsOf } from "../xml/relations.ts";
import { attribute, readXml } from "../xml/xml.ts";
import { ZipParts } from "../zip.ts";
import { chartMarkdown } from "./chartMarkdown.ts";
import { type Note, type NoteKind, officeMarkdown, type PartContext, readNotes } from "./officeMarkdown.ts";
import { noStyles, readStyles } from "./officeStyles.ts";
import { plainMarkup } from "./plainMarkup.ts";
import { diagramText } from "./slides/diagramText.ts";
import { newerChartMarkdown } from "./slides/newerChart.ts";
import { PlaceholderBoxes } from "./slides/shape.ts";
import { commentAuthors, slideComments } from "./slides/slideComments.ts";

/** The text of a DOCX or PPTX file as markdown, in reading order. Throws a 400 if the file is damaged. */
export function readOffice(bytes: Uint8Array, kind: "docx" | "pptx"): string {
  try {
    const parts = new ZipParts(bytes);
    return kind === "docx" ? documentText(parts) : slidesText(parts);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw badField(["file"], `The ${kind.toUpperCase()} file is damaged`);
  }
}

/** A document can contain others. */
const maxEmbedded = 3;

/** The body, then the notes that it refers to. */
function documentText(parts: ZipParts, depth = 0): string {
  const main = mainPart(parts) ?? "word/document.xml";
  const relations = relationsOf(parts, main);
  const folder = main.slice(0, main.lastIndexOf("/") + 1);
  const part = (type: string) => parts.text(targetsOf(relations, type)[0] ?? `${folder}${type}.xml`);
  const styles = readStyles(part("styles") ?? "<none/>", part("numbering") ?? "<none/>");
  const labels = new NoteLabels();
  const context = contextOf(parts, relations, depth, (kind, id) => labels.labelOf(kind, id));
  const body = officeMarkdown(parts.text(main) ?? "<none/>", styles, false, context).trim();
  const notesOf = (kind: NoteKind) => {
    const type = `${kind}s`;
    const name = targetsOf(relations, type)[0] ?? `${folder}${type}.xml`;
    const own = contextOf(parts, relationsOf(parts, name), depth, () => "");
    return labels.notesText(kind, readNotes(parts.text(name) ?? "<none/>", styles, own));
  };
  return [body, notesOf("footnote"), notesOf("endnote"), notesOf("comment")].filter(Boolean).join("\n\n");
}

/** The notes of a document, numbered in the order in which its text refers to them. */
class NoteLabels {
  readonly #referred: Record<NoteKind, string[]> = { footnote: [], endnote: [], comment: [] };

  labelOf(kind: NoteKind, id: string): string {
    const referred = this.#referred[kind];
    if (!referred.includes(id)) referred.push(id);
    return label(kind, referred.indexOf(id));
  }

  /** Notes that nothing refers to are paragraphs; comments without a place are left out with what they were about. */
  notesText(kind: NoteKind, notes: ReadonlyMap<string, Note>): string {
    const referred = this.#referred[kind].flatMap((id, index) => {
      const note = notes.get(id);
      return note
        ? [`${label(kind, index)}: ${indented(kind === "comment" ? commentText(note) : note.text)}`]
        : [];
    });
    const others = [...notes].flatMap(([id, { text }]) =>
      kind === "comment" || this.#referred[kind].includes(id) ? [] : [text],
    );
    return [...referred, ...others].join("\n\n");
  }
}

const prefixes = { footnote: "", endnote: "e", comment: "c" } as const;

function label(kind: NoteKind, index: number): string {
  return `[^${prefixes[kind]}${index + 1}]`;
}

function commentText({ text, author }: Note): string {
  return author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`;
}

/** Lines below the first of a note belong to it if they are indented. */
function indented(text: string): string {
  return text.replace(/\n(?=[^\n])/g, "\n    ");
}

function slidesText(parts: ZipParts): string {
  const main = mainPart(parts) ?? "ppt/presentation.xml";
  const relations = relationsOf(parts, main);
  const authors = commentAuthors(parts, relations);
  return slideNames(parts, main)
    .map((name) => slideText(parts, name, authors))
    .filter(Boolean)
    .join("\n\n");
}

/** A slide with its notes and comments. Slides that are hidden in the show are marked, as they are in the editor. */
function slideText(parts: ZipParts, name: string, authors: ReadonlyMap<string, string>): string {
  const notes = targetsOf(relationsOf(parts, name), "notesSlide").flatMap((notesName) => {
    const text = partText(parts, notesName, false);
    return text === ""
      ? []
      : [/^[-#|]|^\d+[.)] /.test(text) ? `${notesLabel}\n\n${text}` : `${notesLabel} ${text}`];
  });
  const pieces = [partText(parts, name, true), ...notes, ...slideComments(parts, name, authors)].filter(
    Boolean,
  );
  if (pieces.length > 0 && isHiddenSlide(parts.text(name) ?? "<none/>")) pieces.unshift("Hidden slide:");
  return pieces.join("\n\n");
}

const notesLabel = "Speaker notes:";

function isHiddenSlide(xml: string): boolean {
  let isHidden = false;
  readXml(xml, {
    open(name, attributes) {
      if (name === "sld") isHidden = /^(?:0|false|off)$/.test(attribute(attributes, "show") ?? "");
    },
  });
  return isHidden;
}

function partText(parts: ZipParts, name: string, isSlide: boolean): string {
  const relations = relationsOf(parts, name);
  const context = contextOf(parts, relations, 0, () => "");
  const boxOf = isSlide ? placeholderBoxes(parts, relations) : context.boxOf;
  return officeMarkdown(parts.text(name) ?? "<none/>", noStyles, isSlide, { ...context, boxOf }).trim();
}

function placeholderBoxes(parts: ZipParts, slide: ReadonlyMap<string, Relation>): PartContext["boxOf"] {
  const [layout = ""] = targetsOf(slide, "slideLayout");
  if (layout === "") return () => undefined;
  const [master = ""] = targetsOf(relationsOf(parts, layout), "slideMaster");
  const boxes = new PlaceholderBoxes(parts.text(layout) ?? "<none/>", parts.text(master) ?? "<none/>");
  return (placeholder) => boxes.boxOf(placeholder);
}

/** In presentation order, which differs from the order of their names. */
function slideNames(parts: ZipParts, main: string): string[] {
  const byId = relationsOf(parts, main);
  const names: string[] = [];
  readXml(parts.text(main) ?? "<none/>", {
    open(name, attributes) {
      if (name !== "sldId") return;
      const target = byId.get(relationId(attributes))?.target;
      if (target) names.push(target);
    },
  });
  return names;
}

/** The `id` with a prefix: a slide also has one without. */
function relationId(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1] ?? "";
}

function contextOf(
  parts: ZipParts,
  relations: ReadonlyMap<string, Relation>,
  depth: number,
  noteLabel: PartContext["noteLabel"],
): PartContext {
  return {
    noteLabel,
    boxOf: () => undefined,
    linkOf(id) {
      const relation = relations.get(id);
      return relation?.isExternal ? relation.target : undefined;
    },
    embedded(id) {
      const relation = relations.get(id);
      return relation && !relation.isExternal ? embeddedText(parts, relation, depth) : undefined;
    },
  };
}

/** A chart, a diagram, or a document of another format within this one. */
function embeddedText(parts: ZipParts, { type, target }: Relation, depth: number): string | undefined {
  if (type === "chart") return chartMarkdown(parts.text(target) ?? "<none/>");
  if (type === "chartEx") return newerChartMarkdown(parts.text(target) ?? "<none/>");
  if (type === "diagramData") return diagramMarkdown(parts, target);
  if (type !== "aFChunk" || depth >= maxEmbedded) return undefined;
  const bytes = parts.bytes(target) ?? new Uint8Array();
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return documentText(new ZipParts(bytes), depth + 1);
  return plainMarkup(parts.text(target) ?? "");
}

function diagramMarkdown(parts: ZipParts, name: string): string {
  const xml = parts.text(name) ?? "<none/>";
  const points = readNotes(
    xml,
    noStyles,
    contextOf(parts, relationsOf(parts, name), 0, () => ""),
  );
  return diagramText(xml, new Map([...points].map(([id, { text }]) => [id, text])));
}

/** For workbooks, whose drawings have text boxes and charts. */
export function drawingText(parts: ZipParts, name: string): string {
  return partText(parts, name, false);
}
