import { readVisible } from "../xml/visibleXml.ts";
import { type Attributes, attribute } from "../xml/xml.ts";
import { type Block, itemText, joinBlocks, withLabel } from "./blocks.ts";
import {
  addAll,
  addCell,
  type Container,
  type ContainerKind,
  columnsOf,
  flush,
  gap,
  mergeDown,
  newContainer,
  newRow,
  tableBlocks,
} from "./container.ts";
import { ListCounter } from "./lists/numbering.ts";
import { MathReader } from "./mathText.ts";
import { headingOf, noStyles, type OfficeStyles } from "./officeStyles.ts";
import { newParagraph, type Paragraph, properties } from "./paragraph.ts";
import { raisedText } from "./raisedText.ts";
import { RunReader, symbolOf } from "./runReader.ts";
import type { Box } from "./slides/readingOrder.ts";
import { boxAround, orderedBlocks, type Placeholder, Shape, shapeElements } from "./slides/shape.ts";

export type NoteKind = "footnote" | "endnote" | "comment";

/** What a part refers to in other parts. */
export interface PartContext {
  /** The address outside of the file that a relation leads to. */
  linkOf(relation: string): string | undefined;
  /** The markdown of another part: a diagram, a chart, a document. */
  embedded(relation: string): string | undefined;
  /** The label of a note, at the place that refers to it. */
  noteLabel(kind: NoteKind, id: string): string;
  /** Where the layout of a slide has a placeholder. */
  boxOf(placeholder: Placeholder): Box | undefined;
}

const alone: PartContext = {
  linkOf: () => undefined,
  embedded: () => undefined,
  noteLabel: () => "",
  boxOf: () => undefined,
};

/**
 * The text of a part of a DOCX or PPTX file as markdown with headings, lists and tables. Both formats use the same
 * element names with other prefixes. `isSlide`: titles become headings, and texts of placeholders become lists. Text
 * boxes follow the paragraph that they are anchored in.
 */
export function officeMarkdown(xml: string, styles = noStyles, isSlide = false, context = alone): string {
  return read(xml, styles, isSlide, context).markdown();
}

export interface Note {
  readonly text: string;
  readonly author: string;
}

/** The notes or comments of a part, or the points of a diagram, by id. */
export function readNotes(
  xml: string,
  styles: OfficeStyles,
  context: PartContext,
): ReadonlyMap<string, Note> {
  return read(xml, styles, false, context).notes;
}

function read(xml: string, styles: OfficeStyles, isSlide: boolean, context: PartContext): OfficeWriter {
  const writer = new OfficeWriter(styles, isSlide, context);
  readVisible(xml, {
    open: (name, attributes) => writer.open(name, attributes),
    close: (name) => writer.close(name),
    text: (text) => writer.text(text),
  });
  return writer;
}

/** Placeholders of slides for what is no content. */
const furniture = new Set(["sldNum", "dt", "ftr", "hdr"]);

class OfficeWriter {
  readonly notes = new Map<string, Note>();
  readonly #isSlide: boolean;
  readonly #styles: OfficeStyles;
  readonly #context: PartContext;
  readonly #run: RunReader;
  readonly #counter: ListCounter;
  readonly #root = newContainer("document");
  readonly #stack: Container[] = [this.#root];
  #note = { id: "", author: "" };
  #placeholder: string | undefined;
  #isInText = false;
  /** Open elements of paragraph properties. */
  #propertiesDepth = 0;
  #rowPropertiesDepth = 0;
  #math: MathReader | undefined;
  #mathDepth = 0;
  #isMathBlock = false;
  /** The text above the one that is read next. */
  #ruby: string | undefined;
  #isInRubyText = false;
  /** Of the field of a form. */
  #isTicked = false;
  #choice = 0;
  #choices: string[] = [];

  constructor(styles: OfficeStyles, isSlide: boolean, context: PartContext) {
    this.#styles = styles;
    this.#isSlide = isSlide;
    this.#context = context;
    this.#run = new RunReader(styles, context.linkOf);
    this.#counter = new ListCounter(styles.numbering);
  }

  open(name: string, attributes: Attributes): void {
    if (this.#math) {
      this.#mathDepth += 1;
      this.#math.open(name, attributes);
      return;
    }
    this.#openShape(name, attributes);
    const opener = Object.hasOwn(this.#openers, name) ? this.#openers[name] : undefined;
    if (opener) opener(attributes);
    else if (Object.hasOwn(characters, name)) this.#write(characters[name] ?? "");
    else if (boxes.has(name)) this.#stack.push(newContainer("box"));
    else if (this.#propertiesDepth > 0 || !this.#run.open(name, attributes))
      this.#openProperty(name, attributes);
  }

  close(name: string): void {
    if (this.#math) {
      this.#closeMath();
      return;
    }
    this.#run.close(name);
    const closer = Object.hasOwn(this.#closers, name) ? this.#closers[name] : undefined;
    if (closer) closer();
    else if (boxes.has(name)) this.#endBox("box");
    if (shapeElements.has(name)) this.#endShape();
  }

  text(text: string): void {
    if (this.#math) {
      this.#math.text(text);
      return;
    }
    if (this.#run.code(text, this.#isInText) || !this.#isInText) return;
    const { position } = this.#run;
    const shown = this.#run.shown(text);
    this.#write(position ? raisedText(shown, position) : shown);
  }

  /** A single line break separates list items, a blank line all other blocks. */
  markdown(): string {
    flush(this.#root);
    const { blocks } = this.#root;
    return joinBlocks(this.#isSlide ? orderedBlocks(blocks) : blocks);
  }

  get #top(): Container {
    return this.#stack.at(-1) ?? this.#root;
  }

  #write(text: string): void {
    const { paragraph } = this.#top;
    if (!paragraph || this.#isUnseen(paragraph)) return;
    if (this.#ruby !== undefined && this.#isInRubyText) this.#ruby += text;
    else {
      const format = this.#run.formatIn(paragraph.style);
      paragraph.text.add(text, { ...format, link: format.link || this.#shapeLink() });
    }
  }

  #shapeLink(): string {
    const link = this.#stack.findLast(({ shape }) => shape)?.shape?.link ?? "";
    return link === "" ? "" : (this.#context.linkOf(link) ?? "");
  }

  #isUnseen(paragraph: Paragraph): boolean {
    if (furniture.has(this.#placeholder ?? "")) return true;
    return this.#stack.some(({ isCovered }) => isCovered) || this.#run.isHidden(paragraph.style);
  }

  readonly #openers: Readonly<Record<string, (attributes: Attributes) => void>> = {
    sp: () => {
      this.#placeholder = undefined;
    },
    ph: (attributes) => {
      this.#placeholder = attributes.type ?? "body";
    },
    p: () => this.#startParagraph(),
    r: () => this.#run.start(),
    t: () => {
      this.#isInText = true;
    },
    sym: (attributes) => {
      if (attribute(attributes, "char") === undefined) this.#run.open("sym", attributes);
      else this.#write(symbolOf(attributes));
    },
    oMathPara: () => {
      this.#isMathBlock = true;
    },
    oMath: () => {
      [this.#math, this.#mathDepth] = [new MathReader(), 1];
    },
    ruby: () => {
      this.#ruby = "";
    },
    rt: () => {
      this.#isInRubyText = true;
    },
    footnoteReference: (attributes) => this.#refer("footnote", attributes),
    endnoteReference: (attributes) => this.#refer("endnote", attributes),
    commentReference: (attributes) => this.#refer("comment", attributes),
    footnote: (attributes) => this.#startNote(attributes),
    endnote: (attributes) => this.#startNote(attributes),
    comment: (attributes) => this.#startNote(attributes),
    pt: ({ modelId = `point ${this.notes.size}` }) => this.#startNote({ id: modelId }),
    altChunk: (attributes) => this.#embed(attribute(attributes, "id")),
    chart: (attributes) => this.#embed(attribute(attributes, "id")),
    relIds: (attributes) => this.#embed(attribute(attributes, "dm")),
    textpath: (attributes) => {
      const text = attribute(attributes, "string")?.trim() ?? "";
      if (text !== "") this.#addBeside([{ text }]);
    },
    checked: (attributes) => this.#tick(attributes),
    default: (attributes) => this.#tick(attributes),
    checkBox: () => {
      this.#isTicked = false;
    },
    result: (attributes) => {
      this.#choice = Number(attribute(attributes, "val")) || 0;
    },
    ddList: () => {
      [this.#choice, this.#choices] = [0, []];
    },
    listEntry: (attributes) => void this.#choices.push(attribute(attributes, "val") ?? ""),
    tbl: () => {
      flush(this.#top);
      this.#stack.push(newContainer("table"));
    },
    tr: () => void this.#top.rows.push(newRow()),
    trPr: () => {
      this.#rowPropertiesDepth += 1;
    },
    tc: (attributes) => {
      const isCovered = ["hMerge", "vMerge"].some((name) => /^(?:1|true)$/.test(attributes[name] ?? ""));
      this.#stack.push({ ...newContainer("cell"), isCovered });
    },
    vMerge: (attributes) => {
      const table = this.#stack.at(-2);
      if (this.#top.kind === "cell" && table)
        mergeDown(table, this.#top, attribute(attributes, "val") === "restart");
    },
    hMerge: (attributes) => {
      this.#top.isCovered ||= attribute(attributes, "val") !== "restart";
    },
    fldChar: (attributes) => {
      const shown = this.#run.fieldCharacter(attribute(attributes, "fldCharType") ?? "");
      if (shown !== "") this.#write(shown);
    },
    gridSpan: (attributes) => {
      this.#top.span = columnsOf(attributes);
    },
    gridBefore: (attributes) => void this.#top.rows.at(-1)?.cells.push(...gap(attributes)),
    gridAfter: (attributes) => void this.#top.rows.at(-1)?.cells.push(...gap(attributes)),
  };

  readonly #closers: Readonly<Record<string, () => void>> = {
    t: () => {
      this.#isInText = false;
    },
    sp: () => {
      this.#placeholder = undefined;
    },
    pPr: () => {
      this.#propertiesDepth -= 1;
    },
    trPr: () => {
      this.#rowPropertiesDepth -= 1;
    },
    p: () => this.#endParagraph(),
    tc: () => this.#endCell(),
    tbl: () => this.#endTable(),
    rt: () => {
      this.#isInRubyText = false;
    },
    ruby: () => {
      const above = this.#ruby ?? "";
      this.#ruby = undefined;
      if (above !== "") this.#write(`(${above})`);
    },
    oMathPara: () => {
      this.#isMathBlock = false;
    },
    checkBox: () => this.#addForm(this.#isTicked ? "☒" : "☐"),
    ddList: () => this.#addForm(this.#choices[this.#choice] ?? ""),
    footnote: () => this.#endNote(),
    endnote: () => this.#endNote(),
    comment: () => this.#endNote(),
    pt: () => this.#endNote(),
  };

  #tick(attributes: Attributes): void {
    this.#isTicked = !/^(?:0|false|off)$/.test(attribute(attributes, "val") ?? "1");
  }

  /** What a field of a form shows. It is within the code of the field, which is not shown. */
  #addForm(text: string): void {
    this.#top.paragraph?.text.add(text);
  }

  #closeMath(): void {
    this.#mathDepth -= 1;
    if (this.#mathDepth > 0) {
      this.#math?.close();
      return;
    }
    const latex = this.#math?.latex() ?? "";
    this.#math = undefined;
    if (latex === "") return;
    const mark = this.#isMathBlock ? "$$" : "$";
    this.#run.start();
    this.#write(`${mark}${latex}${mark}`);
  }

  #refer(kind: NoteKind, attributes: Attributes): void {
    const label = this.#context.noteLabel(kind, attribute(attributes, "id") ?? "");
    this.#write(label);
  }

  #startNote(attributes: Attributes): void {
    this.#note = { id: attribute(attributes, "id") ?? "", author: attribute(attributes, "author") ?? "" };
    this.#stack.push(newContainer("note"));
  }

  #endNote(): void {
    const { blocks } = this.#pop("note");
    const { id, author } = this.#note;
    if (blocks.length > 0) this.notes.set(id, { text: joinBlocks(blocks), author });
  }

  #embed(relation: string | undefined): void {
    const text = this.#context.embedded(relation ?? "") ?? "";
    if (text !== "") this.#addBeside([{ text }]);
  }

  /** After the paragraph that is being read, else here. */
  #addBeside(blocks: readonly Block[]): void {
    const { paragraph } = this.#top;
    addAll(paragraph ? paragraph.after : this.#top.blocks, blocks);
  }

  #startParagraph(): void {
    if (this.#top.paragraph) this.#stack.push(newContainer("nested"));
    const container = this.#top;
    container.paragraph = { ...newParagraph(), ...container.carried };
    container.carried = undefined;
    this.#run.start();
    if (!this.#isSlide) return;
    if (/^(title|ctrTitle)$/.test(this.#placeholder ?? "")) container.paragraph.heading = 2;
    else if (/^(?:body|obj)$/.test(this.#placeholder ?? "")) container.paragraph.item = 0;
  }

  #openProperty(name: string, attributes: Attributes): void {
    const { paragraph } = this.#top;
    if (name === "pPr") this.#propertiesDepth += 1;
    const row = this.#top.rows.at(-1);
    if (removals.has(name) && this.#rowPropertiesDepth > 0 && row) row.isDeleted = true;
    if (!paragraph) return;
    const value = attribute(attributes, "val") ?? "0";
    if (name === "pStyle") this.#applyStyle(paragraph, value);
    else if (Object.hasOwn(properties, name)) properties[name]?.(paragraph, value, attributes);
    if (removals.has(name) && this.#propertiesDepth > 0) paragraph.isEndRemoved = true;
  }

  #applyStyle(paragraph: Paragraph, style: string): void {
    paragraph.style = style;
    paragraph.heading = headingOf(this.#styles, style);
    const list = this.#styles.lists.get(style);
    if (list) [paragraph.item, paragraph.list] = [list.level, list.list];
  }

  #endParagraph(): void {
    const container = this.#top;
    const { paragraph } = container;
    if (!paragraph) return;
    this.#write(this.#run.endOpenCode());
    container.paragraph = undefined;
    if (paragraph.isEndRemoved) container.carried = { text: paragraph.text, after: paragraph.after };
    else this.#addParagraph(container, paragraph);
    if (container.kind === "nested") this.#endBox("nested");
  }

  #addParagraph(container: Container, paragraph: Paragraph): void {
    const { heading, item, after } = paragraph;
    const isHeader = container.kind === "cell" && this.#stack.at(-2)?.rows.length === 1;
    const text = paragraph.text.markdown(heading > 0 || isHeader);
    const line = text.replace(/\s*\n\s*/g, " ");
    // Word also counts items without text.
    const label = item === undefined ? undefined : this.#labelOf(container, paragraph, item);
    if (text !== "") {
      const isTitle = this.#isSlide && heading > 0;
      if (heading > 0)
        container.blocks.push({
          text: `${"#".repeat(heading)} ${withLabel(label, line)}`,
          isTitle,
          isHeading: true,
        });
      else if (item === undefined) container.blocks.push({ text });
      else container.blocks.push({ text: itemText(label, line), level: item });
    }
    addAll(container.blocks, after);
  }

  /** The number of a list item as the document shows it. Undefined for a bullet. */
  #labelOf(container: Container, { list, auto, text }: Paragraph, level: number): string | undefined {
    if (list !== "") return this.#counter.next(list, level);
    return text.markdown() === "" ? undefined : container.counts.next(auto, level);
  }

  #endCell(): void {
    const cell = this.#pop("cell");
    addCell(this.#top, cell);
  }

  #endTable(): void {
    const table = this.#pop("table");
    const isNested = this.#stack.some(({ kind }) => kind === "cell");
    addAll(this.#top.blocks, tableBlocks(table, isNested));
  }

  #openShape(name: string, attributes: Attributes): void {
    if (shapeElements.has(name)) this.#stack.push(newContainer("shape", new Shape(name)));
    else this.#top.shape?.open(name, attributes);
  }

  #endShape(): void {
    const { blocks, shape } = this.#pop("shape");
    if (shape?.isHidden) return;
    if (!this.#isSlide || !shape) {
      this.#addBeside(blocks);
      return;
    }
    shape.box ??= shape.placeholder ? this.#context.boxOf(shape.placeholder) : boxAround(blocks);
    this.#addBeside(orderedBlocks(blocks).map((block) => ({ ...block, shape })));
  }

  #endBox(kind: ContainerKind): void {
    this.#addBeside(this.#pop(kind).blocks);
  }

  #pop(kind: ContainerKind): Container {
    const container = this.#top.kind === kind ? this.#stack.pop() : undefined;
    if (!container) throw new Error(`a ${kind} ends outside of one`);
    flush(container);
    return container;
  }
}

const removals = new Set(["del", "moveFrom"]);

/** Word's and DrawingML's elements for the text of a shape. */
const boxes = new Set(["txbxContent", "txBody"]);
const characters: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "-",
};
