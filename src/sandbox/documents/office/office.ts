import { badField, Refusal } from "../../refusal.ts";
import { mainPart, type Relation, relationsOf, targetsOf } from "../xml/relations.ts";
import { readXml } from "../xml/xml.ts";
import { ZipParts } from "../zip.ts";
import { chartMarkdown } from "./chartMarkdown.ts";
import { type Note, type NoteKind, officeMarkdown, type PartContext, readNotes } from "./officeMarkdown.ts";
import { noStyles, readStyles } from "./officeStyles.ts";
import { plainMarkup } from "./plainMarkup.ts";

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
  const slides = slideNames(parts, main).map((name) => {
    const relations = relationsOf(parts, name);
    const notes = targetsOf(relations, "notesSlide").map((notesName) => partText(parts, notesName, false));
    return [partText(parts, name, true), ...notes];
  });
  return slides
    .map((pieces) => pieces.filter(Boolean).join("\n\n"))
    .filter(Boolean)
    .join("\n\n");
}

function partText(parts: ZipParts, name: string, isSlide: boolean): string {
  const context = contextOf(parts, relationsOf(parts, name), 0, () => "");
  return officeMarkdown(parts.text(name) ?? "<none/>", noStyles, isSlide, context).trim();
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
  if (type === "diagramData") return officeMarkdown(parts.text(target) ?? "<none/>").trim();
  if (type !== "aFChunk" || depth >= maxEmbedded) return undefined;
  const bytes = parts.bytes(target) ?? new Uint8Array();
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return documentText(new ZipParts(bytes), depth + 1);
  return plainMarkup(parts.text(target) ?? "");
}

/** For workbooks, whose drawings have text boxes and charts. */
export function drawingText(parts: ZipParts, name: string): string {
  return partText(parts, name, false);
}
