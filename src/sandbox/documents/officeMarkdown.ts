import { markdownTable } from "./markdownTable.ts";
import { readXml } from "./xml.ts";

/** What a DOCX file says of its paragraphs elsewhere than in them. */
export interface OfficeStyles {
  /** Levels of headings, from 1, by the id of the style. */
  readonly headings: ReadonlyMap<string, number>;
  /** Whether the items of a list are counted, by `numId` and level: `3/0`. */
  readonly counted: ReadonlySet<string>;
}

export const noStyles: OfficeStyles = { headings: new Map(), counted: new Set() };

/** Parts of a document that say nothing, or say again what stands beside them. */
const silent = new Set(["Fallback", "tabs", "instrText", "delText", "rPrChange", "pPrChange"]);

interface Paragraph {
  text: string;
  /** 0 where it is no heading. */
  heading: number;
  /** Level of the list that it is an item of, from 0. */
  item: number | undefined;
  list: string;
}

/** A cell, or the whole: its blocks so far, and whether the last one is an item. */
interface Container {
  blocks: { text: string; isItem: boolean }[];
  rows: string[][];
}

/**
 * The text of a part of a DOCX or PPTX file as markdown: headings, lists and tables are kept. Both formats name these
 * the same, but for the prefix. `isSlide`: titles and the texts of placeholders are headings and lists.
 */
export function officeMarkdown(xml: string, styles = noStyles, isSlide = false): string {
  const stack: Container[] = [{ blocks: [], rows: [] }];
  const counts = new Map<string, number>();
  const top = () => stack.at(-1) ?? { blocks: [], rows: [] };
  let paragraph = newParagraph();
  let placeholder: string | undefined;
  let muted = 0;
  let inText = false;
  const add = (text: string) => {
    paragraph.text += text;
  };
  const numbered = (level: number, list: string) => {
    const key = `${list}/${level}`;
    if (!styles.counted.has(key)) return "-";
    // The items of a deeper level begin anew below each of this one.
    for (const other of [...counts.keys()])
      if (other.startsWith(`${list}/`) && Number(other.slice(list.length + 1)) > level) counts.delete(other);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return `${counts.get(key)}.`;
  };
  const endParagraph = () => {
    const { heading, item, list } = paragraph;
    const text = paragraph.text.trim();
    paragraph = newParagraph();
    if (text === "") return;
    const line = text.replace(/\s*\n\s*/g, " ");
    if (heading > 0) top().blocks.push({ text: `${"#".repeat(heading)} ${line}`, isItem: false });
    else if (item === undefined) top().blocks.push({ text, isItem: false });
    else top().blocks.push({ text: `${"    ".repeat(item)}${numbered(item, list)} ${line}`, isItem: true });
  };
  const opened: Readonly<Record<string, (attributes: Readonly<Record<string, string>>) => void>> = {
    sp: () => {
      placeholder = undefined;
    },
    ph: ({ type = "body" }) => {
      placeholder = type;
    },
    p: () => {
      paragraph = newParagraph();
      if (!isSlide || placeholder === undefined) return;
      if (/^(title|ctrTitle)$/.test(placeholder)) paragraph.heading = 2;
      else if (placeholder === "body") paragraph.item = 0;
    },
    pPr: ({ lvl }) => {
      if (paragraph.item !== undefined && lvl !== undefined) paragraph.item = Number(lvl) || 0;
    },
    buNone: () => {
      paragraph.item = undefined;
    },
    pStyle: ({ "w:val": style = "" }) => {
      paragraph.heading = styles.headings.get(style) ?? 0;
    },
    outlineLvl: ({ "w:val": level = "9" }) => {
      if (Number(level) < 6) paragraph.heading = Number(level) + 1;
    },
    numPr: () => {
      paragraph.item = 0;
    },
    ilvl: ({ "w:val": level = "0" }) => {
      if (paragraph.item !== undefined) paragraph.item = Math.min(8, Number(level) || 0);
    },
    numId: ({ "w:val": id = "0" }) => {
      paragraph.list = id;
      // What says that a paragraph is an item no more.
      if (id === "0") paragraph.item = undefined;
    },
    t: () => {
      inText = true;
    },
    tab: () => add("\t"),
    br: () => add("\n"),
    cr: () => add("\n"),
    noBreakHyphen: () => add("-"),
    tbl: () => stack.push({ blocks: [], rows: [] }),
    tr: () => top().rows.push([]),
    tc: () => stack.push({ blocks: [], rows: [] }),
  };
  const endCell = () => {
    const { blocks } = stack.pop() ?? { blocks: [] };
    const text = blocks.map((block) => block.text).join(" ");
    top()
      .rows.at(-1)
      ?.push(text.replace(/\s*\n\s*/g, " ").trim());
  };
  const endTable = () => {
    const { rows } = stack.pop() ?? { rows: [] };
    // In a cell there is no table: its words stand one after the other.
    const isNested = stack.length > 1;
    const text = isNested ? rows.flat().filter(Boolean).join(" ") : markdownTable(rows);
    if (text !== "") top().blocks.push({ text, isItem: false });
  };
  const closed: Readonly<Record<string, () => void>> = {
    t: () => {
      inText = false;
    },
    p: endParagraph,
    tc: endCell,
    tbl: endTable,
  };
  readXml(xml, {
    open(name, attributes) {
      if (silent.has(name)) muted += 1;
      else if (muted === 0) opened[name]?.(attributes);
    },
    close(name) {
      if (silent.has(name)) muted -= 1;
      else if (muted === 0) closed[name]?.();
    },
    text(text) {
      if (inText && muted === 0) add(text);
    },
  });
  return joined(stack[0]?.blocks ?? []);
}

/** The headings and lists that word/styles.xml and word/numbering.xml speak of. */
export function readStyles(stylesXml: string, numberingXml: string): OfficeStyles {
  return { headings: headingsIn(stylesXml), counted: countedIn(numberingXml) };
}

function headingsIn(xml: string): ReadonlyMap<string, number> {
  const headings = new Map<string, number>();
  let style = "";
  readXml(xml, {
    open(name, attributes) {
      const value = attributes["w:val"] ?? "";
      if (name === "style") style = attributes["w:styleId"] ?? "";
      // Its name is English in every language, its id is not.
      const level = name === "name" ? /^heading ([1-6])$/i.exec(value)?.[1] : undefined;
      if (level) headings.set(style, Number(level));
      if (name === "name" && /^title$/i.test(value)) headings.set(style, 1);
      if (name === "outlineLvl" && Number(value) < 6) headings.set(style, Number(value) + 1);
    },
  });
  return headings;
}

function countedIn(xml: string): ReadonlySet<string> {
  const levels = new Map<string, Set<string>>();
  const counted = new Set<string>();
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
      if (name === "abstractNumId") for (const one of levels.get(value) ?? []) counted.add(`${list}/${one}`);
    },
  });
  return counted;
}

function newParagraph(): Paragraph {
  return { text: "", heading: 0, item: undefined, list: "" };
}

/** Items stand line by line, all else with a blank line between. */
function joined(blocks: Container["blocks"]): string {
  return blocks
    .map(({ text, isItem }, index) => {
      if (index === 0) return text;
      return `${isItem && blocks[index - 1]?.isItem ? "\n" : "\n\n"}${text}`;
    })
    .join("");
}
