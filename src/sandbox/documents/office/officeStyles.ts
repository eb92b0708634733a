import { type Attributes, attribute, readXml } from "../xml/xml.ts";

/** A list and the level in it, from 0. */
interface ListLevel {
  /** `numId` of word/numbering.xml. */
  readonly list: string;
  readonly level: number;
}

/** Formatting of a DOCX file that its paragraphs refer to. */
export interface OfficeStyles {
  /** Levels of headings, from 1, by style id. */
  readonly headings: ReadonlyMap<string, number>;
  /** Numbered lists, as `numId` and level: `3/0`. */
  readonly numbered: ReadonlySet<string>;
  /** Styles whose paragraphs are items of a list. */
  readonly lists: ReadonlyMap<string, ListLevel>;
}

export const noStyles: OfficeStyles = { headings: new Map(), numbered: new Set(), lists: new Map() };

/** Reads word/styles.xml and word/numbering.xml. */
export function readStyles(stylesXml: string, numberingXml: string): OfficeStyles {
  const styles = stylesIn(stylesXml);
  const { numbered, levelOfStyle } = numberingIn(numberingXml);
  const headings = new Map<string, number>();
  const lists = new Map<string, ListLevel>();
  for (const id of styles.keys()) {
    const heading = inherited(styles, id, "heading") ?? 0;
    if (heading > 0) headings.set(id, heading);
    const list = inherited(styles, id, "list") ?? "0";
    const level = levelOfStyle.get(`${list}/${id}`) ?? inherited(styles, id, "level") ?? 0;
    if (list !== "0") lists.set(id, { list, level });
  }
  return { headings, numbered, lists };
}

interface Style {
  basedOn?: string;
  /** 0 is text that is not a heading. */
  heading?: number;
  list?: string;
  level?: number;
}

/** Takes a property of a style. `value` is empty if the element has none. */
type TakeProperty = (style: Style, value: string, attributes: Attributes) => void;

const properties: Readonly<Record<string, TakeProperty>> = {
  basedOn: (style, value) => {
    style.basedOn = value;
  },
  numId: (style, value) => {
    style.list = value;
  },
  ilvl: (style, _, attributes) => {
    style.level = levelOf(attributes);
  },
  outlineLvl: (style, value) => {
    style.heading = Number(value) < 6 ? Number(value) + 1 : 0;
  },
  // The name is English in every language, the id is not.
  name: (style, value) => {
    const level = /^title$/i.test(value) ? "1" : /^heading ([1-6])$/i.exec(value)?.[1];
    if (level) style.heading = Number(level);
  },
};

function stylesIn(xml: string): ReadonlyMap<string, Style> {
  const styles = new Map<string, Style>();
  let style: Style = {};
  readXml(xml, {
    open(name, attributes) {
      if (name === "style") {
        style = {};
        styles.set(attribute(attributes, "styleId") ?? "", style);
      } else if (Object.hasOwn(properties, name))
        properties[name]?.(style, attribute(attributes, "val") ?? "", attributes);
    },
  });
  return styles;
}

/** Word's own limit for styles that are based on others. */
const maxBases = 11;

function inherited<Member extends "heading" | "list" | "level">(
  styles: ReadonlyMap<string, Style>,
  id: string,
  member: Member,
): Style[Member] | undefined {
  let style = styles.get(id);
  for (let bases = 0; style && bases < maxBases; bases++) {
    if (style[member] !== undefined) return style[member];
    style = styles.get(style.basedOn ?? "");
  }
  return undefined;
}

/** The level of a list, from 0. Word has nine. */
export function levelOf(attributes: Attributes): number {
  const level = Number(attribute(attributes, "val"));
  return Number.isInteger(level) ? Math.min(8, Math.max(0, level)) : 0;
}

/** `levelOfStyle`: the level for a list and a style, as `3/Heading2`. */
function numberingIn(xml: string) {
  /** Numbered levels and the styles of levels, by the id of the abstract list. */
  const levels = new Map<string, Set<string>>();
  const styles = new Map<string, Map<string, number>>();
  const numbered = new Set<string>();
  const levelOfStyle = new Map<string, number>();
  let [abstract, level, list] = ["", "", ""];
  const takers = new Map<string, (value: string, attributes: Attributes) => void>([
    [
      "abstractNum",
      (_, attributes) => {
        abstract = attribute(attributes, "abstractNumId") ?? "";
      },
    ],
    [
      "lvl",
      (_, attributes) => {
        level = attribute(attributes, "ilvl") ?? "";
      },
    ],
    [
      "numFmt",
      (value) => {
        if (/^(bullet|none)$/.test(value)) return;
        levels.set(abstract, (levels.get(abstract) ?? new Set()).add(level));
      },
    ],
    [
      "pStyle",
      (value) => {
        styles.set(abstract, (styles.get(abstract) ?? new Map()).set(value, Number(level) || 0));
      },
    ],
    [
      "num",
      (_, attributes) => {
        list = attribute(attributes, "numId") ?? "";
        // Levels that this list overrides are not those of another one.
        abstract = "";
      },
    ],
    [
      "abstractNumId",
      (value) => {
        for (const number of levels.get(value) ?? []) numbered.add(`${list}/${number}`);
        for (const [style, number] of styles.get(value) ?? []) levelOfStyle.set(`${list}/${style}`, number);
      },
    ],
  ]);
  readXml(xml, {
    open: (name, attributes) => takers.get(name)?.(attribute(attributes, "val") ?? "", attributes),
  });
  return { numbered, levelOfStyle };
}
