import { hex as dingbat } from "dingbat-to-unicode";
import { readVisible } from "../xml/visibleXml.ts";
import { type Attributes, attribute } from "../xml/xml.ts";
import { markdownTable } from "./markdownTable.ts";
import { levelOf, noStyles, type OfficeStyles } from "./officeStyles.ts";
import { raisedText } from "./raisedText.ts";

/**
 * The text of a part of a DOCX or PPTX file as markdown with headings, lists and tables. Both formats use the same
 * element names with other prefixes. `isSlide`: titles become headings, and texts of placeholders become lists. Text
 * boxes follow the paragraph that they are anchored in.
 */
export function officeMarkdown(xml: string, styles = noStyles, isSlide = false): string {
  const writer = new OfficeWriter(styles, isSlide);
  readVisible(xml, {
    open: (name, attributes) => writer.open(name, attributes),
    close: (name) => writer.close(name),
    text: (text) => writer.text(text),
  });
  return writer.markdown();
}

interface Block {
  readonly text: string;
  readonly isItem: boolean;
}

/** `nested`: a paragraph within another one, which is a text box of a kind that is not known here. */
type ContainerKind = "document" | "table" | "cell" | "box" | "nested";

interface Container {
  readonly kind: ContainerKind;
  readonly blocks: Block[];
  /** Of a table. */
  readonly rows: string[][];
  /** Columns of a cell. */
  span: number;
  /** The paragraph that is being read. */
  paragraph: Paragraph | undefined;
  /** A paragraph whose end was deleted: it goes on in the next one. */
  carried: Pick<Paragraph, "text" | "after"> | undefined;
}

interface Paragraph {
  text: string;
  /** 0 for text that is not a heading. */
  heading: number;
  /** Level of the list item, from 0. */
  item: number | undefined;
  list: string;
  isEndRemoved: boolean;
  /** Text boxes. */
  readonly after: Block[];
}

/** Word's limit; a larger number is an error of the file. */
const maxColumns = 63;

class OfficeWriter {
  readonly #styles: OfficeStyles;
  readonly #isSlide: boolean;
  readonly #root = newContainer("document");
  readonly #stack: Container[] = [this.#root];
  /** Items so far, by list and level. */
  readonly #counts = new Map<string, number>();
  #placeholder: string | undefined;
  #isInText = false;
  /** Open elements of paragraph properties. */
  #propertiesDepth = 0;
  #position: "superscript" | "subscript" | undefined;

  constructor(styles: OfficeStyles, isSlide: boolean) {
    this.#styles = styles;
    this.#isSlide = isSlide;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case "sp":
        this.#placeholder = undefined;
        break;
      case "ph":
        this.#placeholder = attributes.type ?? "body";
        break;
      case "p":
        this.#startParagraph();
        break;
      case "r":
        this.#position = undefined;
        break;
      case "vertAlign":
      case "rPr":
        this.#position = positionOf(attributes) ?? this.#position;
        break;
      case "t":
        this.#isInText = true;
        break;
      case "sym":
        this.#write(symbolOf(attributes));
        break;
      default:
        if (Object.hasOwn(characters, name)) this.#write(characters[name] ?? "");
        else if (!this.#openTable(name, attributes)) this.#openProperty(name, attributes);
    }
  }

  close(name: string): void {
    if (name === "t") this.#isInText = false;
    else if (name === "sp") this.#placeholder = undefined;
    else if (name === "pPr") this.#propertiesDepth -= 1;
    else if (name === "p") this.#endParagraph();
    else if (name === "tc") this.#endCell();
    else if (name === "tbl") this.#endTable();
    else if (boxes.has(name)) this.#endBox("box");
  }

  text(text: string): void {
    if (!this.#isInText) return;
    this.#write(this.#position ? raisedText(text, this.#position) : text);
  }

  /** A single line break separates list items, a blank line all other blocks. */
  markdown(): string {
    flush(this.#root);
    const { blocks } = this.#root;
    const gapBefore = (index: number) => (blocks[index]?.isItem && blocks[index - 1]?.isItem ? "\n" : "\n\n");
    return blocks.map(({ text }, index) => (index === 0 ? text : gapBefore(index) + text)).join("");
  }

  get #top(): Container {
    return this.#stack.at(-1) ?? this.#root;
  }

  #write(text: string): void {
    const { paragraph } = this.#top;
    if (paragraph) paragraph.text += text;
  }

  /** False if it is no element of tables and text boxes. */
  #openTable(name: string, attributes: Attributes): boolean {
    const top = this.#top;
    if (name === "tbl") {
      flush(top);
      this.#stack.push(newContainer("table"));
    } else if (name === "tr") top.rows.push([]);
    else if (name === "tc") this.#stack.push(newContainer("cell"));
    else if (boxes.has(name)) this.#stack.push(newContainer("box"));
    else if (name === "gridSpan") top.span = columnsOf(attributes);
    else if (name === "gridBefore" || name === "gridAfter") top.rows.at(-1)?.push(...gap(attributes));
    else return false;
    return true;
  }

  #startParagraph(): void {
    if (this.#top.paragraph) this.#stack.push(newContainer("nested"));
    const container = this.#top;
    const paragraph: Paragraph = {
      text: "",
      heading: 0,
      item: undefined,
      list: "",
      isEndRemoved: false,
      after: [],
      ...container.carried,
    };
    container.paragraph = paragraph;
    container.carried = undefined;
    if (!this.#isSlide) return;
    if (/^(title|ctrTitle)$/.test(this.#placeholder ?? "")) paragraph.heading = 2;
    else if (this.#placeholder === "body") paragraph.item = 0;
  }

  #openProperty(name: string, attributes: Attributes): void {
    const { paragraph } = this.#top;
    if (name === "pPr") this.#propertiesDepth += 1;
    if (!paragraph) return;
    const value = attribute(attributes, "val") ?? "0";
    if (name === "pStyle") this.#applyStyle(paragraph, value);
    else if (Object.hasOwn(properties, name)) properties[name]?.(paragraph, value, attributes);
    if (removals.has(name) && this.#propertiesDepth > 0) paragraph.isEndRemoved = true;
  }

  #applyStyle(paragraph: Paragraph, style: string): void {
    paragraph.heading = this.#styles.headings.get(style) ?? 0;
    const list = this.#styles.lists.get(style);
    if (list) [paragraph.item, paragraph.list] = [list.level, list.list];
  }

  #endParagraph(): void {
    const container = this.#top;
    const { paragraph } = container;
    if (!paragraph) return;
    container.paragraph = undefined;
    if (paragraph.isEndRemoved) container.carried = { text: paragraph.text, after: paragraph.after };
    else this.#addParagraph(container, paragraph);
    if (container.kind === "nested") this.#endBox("nested");
  }

  #addParagraph(container: Container, { text, heading, item, list, after }: Paragraph): void {
    const trimmed = text.trim();
    const line = trimmed.replace(/\s*\n\s*/g, " ");
    if (trimmed !== "") {
      if (heading > 0) addBlock(container, `${"#".repeat(heading)} ${line}`);
      else if (item === undefined) addBlock(container, trimmed);
      else addBlock(container, `${"    ".repeat(item)}${this.#markerOf(item, list)} ${line}`, true);
    }
    addAll(container.blocks, after);
  }

  #markerOf(level: number, list: string): string {
    const key = `${list}/${level}`;
    if (!this.#styles.numbered.has(key)) return "-";
    // Deeper levels start at 1 below each item of this one.
    for (const other of [...this.#counts.keys()])
      if (other.startsWith(`${list}/`) && Number(other.slice(list.length + 1)) > level)
        this.#counts.delete(other);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return `${count}.`;
  }

  #endCell(): void {
    const cell = this.#pop("cell");
    const text = cell.blocks.map((block) => block.text).join(" ");
    const row = this.#top.rows.at(-1);
    row?.push(text.replace(/\s*\n\s*/g, " ").trim(), ...Array.from({ length: cell.span - 1 }, () => ""));
  }

  #endTable(): void {
    const { rows } = this.#pop("table");
    // Markdown has no table within a cell, so its cells become one line.
    const isNested = this.#stack.some(({ kind }) => kind === "cell");
    const text = isNested ? rows.flat().filter(Boolean).join(" ") : markdownTable(rows);
    if (text !== "") addBlock(this.#top, text);
  }

  #endBox(kind: ContainerKind): void {
    const { blocks } = this.#pop(kind);
    const { paragraph } = this.#top;
    addAll(paragraph ? paragraph.after : this.#top.blocks, blocks);
  }

  #pop(kind: ContainerKind): Container {
    const container = this.#top.kind === kind ? this.#stack.pop() : undefined;
    if (!container) throw new Error(`a ${kind} ends outside of one`);
    flush(container);
    return container;
  }
}

/** Takes a property of a paragraph. `value` is "0" if the element has none. */
type TakeProperty = (paragraph: Paragraph, value: string, attributes: Attributes) => void;

const properties: Readonly<Record<string, TakeProperty>> = {
  outlineLvl: (paragraph, value) => {
    if (Number(value) < 6) paragraph.heading = Number(value) + 1;
  },
  numPr: (paragraph) => {
    paragraph.item ??= 0;
  },
  buNone: (paragraph) => {
    paragraph.item = undefined;
  },
  pPr: (paragraph, _, { lvl }) => {
    if (paragraph.item !== undefined && lvl !== undefined) paragraph.item = Number(lvl) || 0;
  },
  ilvl: (paragraph, _, attributes) => {
    if (paragraph.item !== undefined) paragraph.item = levelOf(attributes);
  },
  numId: (paragraph, value) => {
    paragraph.list = value;
    // Id 0 removes the paragraph from its list.
    if (value === "0") paragraph.item = undefined;
  },
};
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

function newContainer(kind: ContainerKind): Container {
  return { kind, blocks: [], rows: [], span: 1, paragraph: undefined, carried: undefined };
}

function addBlock(container: Container, text: string, isItem = false): void {
  container.blocks.push({ text, isItem });
}

/** Text that was to go on in another paragraph is one of its own if there is none. */
function flush(container: Container): void {
  const { text = "", after = [] } = container.carried ?? {};
  container.carried = undefined;
  if (text.trim() !== "") addBlock(container, text.trim());
  addAll(container.blocks, after);
}

/** A document can have more blocks than a call can have arguments. */
function addAll(blocks: Block[], added: readonly Block[]): void {
  for (const block of added) blocks.push(block);
}

function columnsOf(attributes: Attributes): number {
  const columns = Number(attribute(attributes, "val"));
  return Number.isInteger(columns) ? Math.min(maxColumns, Math.max(1, columns)) : 1;
}

/** Columns that a row leaves out at its start or end. */
function gap(attributes: Attributes): string[] {
  return Array.from({ length: columnsOf(attributes) }, () => "");
}

/** By Word's `vertAlign`, or DrawingML's `baseline` in percent of the size of the font. */
function positionOf(attributes: Attributes): "superscript" | "subscript" | undefined {
  const value = attribute(attributes, "val");
  const baseline = Number(attributes.baseline ?? 0);
  if (baseline !== 0) return baseline > 0 ? "superscript" : "subscript";
  return value === "superscript" || value === "subscript" ? value : undefined;
}

/** A character of a font of symbols, such as ✓ of Wingdings; empty if Unicode has none like it. */
function symbolOf(attributes: Attributes): string {
  const [font = "", code = ""] = [attribute(attributes, "font"), attribute(attributes, "char")];
  // Word stores such characters in the private use area.
  const ownCode = code.replace(/^F0(?=..$)/i, "");
  const known = dingbat(font, ownCode)?.string;
  return known ?? (ownCode === code && /^[0-9a-f]{1,4}$/i.test(code) ? fromHex(code) : "");
}

function fromHex(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
