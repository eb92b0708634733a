import { markdownTable } from "./markdownTable.ts";
import { readXml } from "./xml.ts";

/** Formatting of a DOCX file that its paragraphs refer to. */
export interface OfficeStyles {
  /** Levels of headings, from 1, by style id. */
  readonly headings: ReadonlyMap<string, number>;
  /** Numbered lists, as `numId` and level: `3/0`. */
  readonly numbered: ReadonlySet<string>;
}

export const noStyles: OfficeStyles = { headings: new Map(), numbered: new Set() };

type Attributes = Readonly<Record<string, string>>;

/** Elements without text of their own, or with text that another element repeats. */
const skipped = new Set(["Fallback", "tabs", "instrText", "delText", "rPrChange", "pPrChange"]);

/**
 * The text of a part of a DOCX or PPTX file as markdown with headings, lists and tables. Both formats use the same
 * element names with other prefixes. `isSlide`: titles become headings, and texts of placeholders become lists.
 */
export function officeMarkdown(xml: string, styles = noStyles, isSlide = false): string {
  const writer = new OfficeWriter(styles, isSlide);
  let skippedDepth = 0;
  readXml(xml, {
    open(name, attributes) {
      if (skipped.has(name)) skippedDepth += 1;
      else if (skippedDepth === 0) writer.open(name, attributes);
    },
    close(name) {
      if (skipped.has(name)) skippedDepth -= 1;
      else if (skippedDepth === 0) writer.close(name);
    },
    text(text) {
      if (skippedDepth === 0) writer.text(text);
    },
  });
  return writer.markdown();
}

/** The document or a cell. `rows` are those of a table. */
interface Container {
  readonly blocks: { readonly text: string; readonly isItem: boolean }[];
  readonly rows: string[][];
}

class OfficeWriter {
  readonly #styles: OfficeStyles;
  readonly #isSlide: boolean;
  readonly #root: Container = { blocks: [], rows: [] };
  readonly #stack: Container[] = [this.#root];
  /** Items so far, by list and level. */
  readonly #counts = new Map<string, number>();
  #placeholder: string | undefined;
  #isInText = false;
  #text = "";
  /** 0 for text that is not a heading. */
  #heading = 0;
  /** Level of the list item, from 0. */
  #item: number | undefined;
  #list = "";

  constructor(styles: OfficeStyles, isSlide: boolean) {
    this.#styles = styles;
    this.#isSlide = isSlide;
  }

  open(name: string, attributes: Attributes): void {
    const value = attributes["w:val"];
    if (name === "sp") this.#placeholder = undefined;
    else if (name === "ph") this.#placeholder = attributes.type ?? "body";
    else if (name === "p") this.#startParagraph();
    else if (name === "pStyle") this.#heading = this.#styles.headings.get(value ?? "") ?? 0;
    else if (name === "outlineLvl" && Number(value ?? 9) < 6) this.#heading = Number(value) + 1;
    else if (name === "t") this.#isInText = true;
    else if (name === "tr") this.#top.rows.push([]);
    else if (name === "tbl" || name === "tc") this.#stack.push({ blocks: [], rows: [] });
    else if (Object.hasOwn(characters, name)) this.#text += characters[name];
    else this.#openItem(name, attributes);
  }

  close(name: string): void {
    if (name === "t") this.#isInText = false;
    else if (name === "p") this.#endParagraph();
    else if (name === "tc") this.#endCell();
    else if (name === "tbl") this.#endTable();
  }

  text(text: string): void {
    if (this.#isInText) this.#text += text;
  }

  /** A single line break separates list items, a blank line all other blocks. */
  markdown(): string {
    const { blocks } = this.#root;
    const gapBefore = (index: number) => (blocks[index]?.isItem && blocks[index - 1]?.isItem ? "\n" : "\n\n");
    return blocks.map(({ text }, index) => (index === 0 ? text : gapBefore(index) + text)).join("");
  }

  get #top(): Container {
    return this.#stack.at(-1) ?? this.#root;
  }

  #startParagraph(): void {
    this.#resetParagraph();
    if (!this.#isSlide) return;
    if (/^(title|ctrTitle)$/.test(this.#placeholder ?? "")) this.#heading = 2;
    else if (this.#placeholder === "body") this.#item = 0;
  }

  #resetParagraph(): void {
    [this.#text, this.#heading, this.#item, this.#list] = ["", 0, undefined, ""];
  }

  #openItem(name: string, attributes: Attributes): void {
    const value = attributes["w:val"] ?? "0";
    if (name === "numPr") this.#item = 0;
    else if (name === "buNone") this.#item = undefined;
    else if (name === "pPr" && this.#item !== undefined && attributes.lvl !== undefined)
      this.#item = Number(attributes.lvl) || 0;
    else if (name === "ilvl" && this.#item !== undefined) this.#item = Math.min(8, Number(value) || 0);
    else if (name === "numId") {
      this.#list = value;
      // Id 0 removes the paragraph from its list.
      if (value === "0") this.#item = undefined;
    }
  }

  #endParagraph(): void {
    const [heading, item, list] = [this.#heading, this.#item, this.#list];
    const text = this.#text.trim();
    this.#resetParagraph();
    if (text === "") return;
    const line = text.replace(/\s*\n\s*/g, " ");
    if (heading > 0) this.#addBlock(`${"#".repeat(heading)} ${line}`);
    else if (item === undefined) this.#addBlock(text);
    else this.#addBlock(`${"    ".repeat(item)}${this.#markerOf(item, list)} ${line}`, true);
  }

  #addBlock(text: string, isItem = false): void {
    this.#top.blocks.push({ text, isItem });
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
    const { blocks } = this.#stack.pop() ?? { blocks: [] };
    const text = blocks.map((block) => block.text).join(" ");
    this.#top.rows.at(-1)?.push(text.replace(/\s*\n\s*/g, " ").trim());
  }

  #endTable(): void {
    const { rows } = this.#stack.pop() ?? { rows: [] };
    // Markdown has no table within a cell, so its cells become one line.
    const isNested = this.#stack.length > 1;
    const text = isNested ? rows.flat().filter(Boolean).join(" ") : markdownTable(rows);
    if (text !== "") this.#addBlock(text);
  }
}

const characters: Readonly<Record<string, string>> = { tab: "\t", br: "\n", cr: "\n", noBreakHyphen: "-" };

/** Reads word/styles.xml and word/numbering.xml. */
export function readStyles(stylesXml: string, numberingXml: string): OfficeStyles {
  return { headings: headingsIn(stylesXml), numbered: numberedIn(numberingXml) };
}

function headingsIn(xml: string): ReadonlyMap<string, number> {
  const headings = new Map<string, number>();
  let style = "";
  readXml(xml, {
    open(name, attributes) {
      const value = attributes["w:val"] ?? "";
      if (name === "style") style = attributes["w:styleId"] ?? "";
      // The name is English in every language, the id is not.
      const level = name === "name" ? /^heading ([1-6])$/i.exec(value)?.[1] : undefined;
      if (level) headings.set(style, Number(level));
      if (name === "name" && /^title$/i.test(value)) headings.set(style, 1);
      if (name === "outlineLvl" && Number(value) < 6) headings.set(style, Number(value) + 1);
    },
  });
  return headings;
}

function numberedIn(xml: string): ReadonlySet<string> {
  const levels = new Map<string, Set<string>>();
  const numbered = new Set<string>();
  let [abstract, level, list] = ["", "", ""];
  readXml(xml, {
    open(name, attributes) {
      const value = attributes["w:val"] ?? "";
      if (name === "abstractNum") abstract = attributes["w:abstractNumId"] ?? "";
      if (name === "lvl") level = attributes["w:ilvl"] ?? "";
      if (name === "numFmt" && !/^(bullet|none)$/.test(value)) {
        levels.set(abstract, (levels.get(abstract) ?? new Set()).add(level));
      }
      if (name === "num") list = attributes["w:numId"] ?? "";
      if (name === "abstractNumId") for (const one of levels.get(value) ?? []) numbered.add(`${list}/${one}`);
    },
  });
  return numbered;
}
