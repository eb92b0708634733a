import { type Attributes, attribute, readXml } from "../xml/xml.ts";
import { maxLevel, Numbering } from "./lists/numbering.ts";

/** A list and the level in it, from 0. */
interface ListLevel {
  /** `numId` of word/numbering.xml. */
  readonly list: string;
  readonly level: number;
}

/** Properties that a style or a run can turn on or off. */
const toggles = ["bold", "italic", "strike", "hidden"] as const;
export type Toggle = (typeof toggles)[number];
export type Toggles = Partial<Record<Toggle, boolean>>;

/** Formatting of a DOCX file that its paragraphs refer to. */
export interface OfficeStyles {
  /** Levels of headings, from 1, by style id. */
  readonly headings: ReadonlyMap<string, number>;
  readonly numbering: Numbering;
  /** Styles whose paragraphs are items of a list. */
  readonly lists: ReadonlyMap<string, ListLevel>;
  /** By style id, with those of the styles that it is based on. */
  readonly toggles: ReadonlyMap<string, Toggles>;
  /** Styles whose text is above or below its line. */
  readonly positions: ReadonlyMap<string, Position>;
}

export type Position = "superscript" | "subscript";

export const noStyles: OfficeStyles = {
  headings: new Map(),
  numbering: new Numbering("<none/>"),
  lists: new Map(),
  toggles: new Map(),
  positions: new Map(),
};

/** Reads word/styles.xml and word/numbering.xml. */
export function readStyles(stylesXml: string, numberingXml: string): OfficeStyles {
  const styles = stylesIn(stylesXml);
  const numbering = new Numbering(numberingXml);
  const headings = new Map<string, number>();
  const lists = new Map<string, ListLevel>();
  const togglesOf = new Map<string, Toggles>();
  const positions = new Map<string, Position>();
  for (const id of styles.keys()) {
    const heading = inherited(styles, id, "heading") ?? 0;
    if (heading > 0) headings.set(id, heading);
    const list = inherited(styles, id, "list") ?? "0";
    const level = numbering.levelOfStyle(list, id) ?? inherited(styles, id, "level") ?? 0;
    if (list !== "0") lists.set(id, { list, level });
    const position = inherited(styles, id, "position") ?? "baseline";
    if (position !== "baseline") positions.set(id, position);
    togglesOf.set(
      id,
      Object.fromEntries(toggles.map((toggle) => [toggle, inherited(styles, id, toggle) ?? false])),
    );
  }
  return { headings, numbering, lists, toggles: togglesOf, positions };
}

interface Style extends Toggles {
  basedOn?: string;
  /** 0 is text that is not a heading. */
  heading?: number;
  list?: string;
  level?: number;
  position?: Position | "baseline";
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
  vertAlign: (style, value) => {
    if (/^(?:superscript|subscript|baseline)$/.test(value)) style.position = value as Position | "baseline";
  },
  // The name is English in every language, the id is not.
  name: (style, value) => {
    const level = /^title$/i.test(value) ? "1" : /^heading ([1-6])$/i.exec(value)?.[1];
    if (level) style.heading = Number(level);
  },
};

/** The toggle of an element of run properties. */
const toggleElements: Readonly<Record<string, Toggle>> = {
  b: "bold",
  i: "italic",
  strike: "strike",
  dstrike: "strike",
  vanish: "hidden",
};

/** The toggle that an element turns on or off. Undefined for other elements. */
export function toggleIn(name: string, attributes: Attributes): readonly [Toggle, boolean] | undefined {
  const toggle = Object.hasOwn(toggleElements, name) ? toggleElements[name] : undefined;
  return toggle && [toggle, !/^(?:0|false|off|none)$/.test(attribute(attributes, "val") ?? "")];
}

function stylesIn(xml: string): ReadonlyMap<string, Style> {
  const styles = new Map<string, Style>();
  let style: Style = {};
  /** Open formats of parts of tables, which are not those of the style itself. */
  let partsDepth = 0;
  readXml(xml, {
    open(name, attributes) {
      if (name === "tblStylePr") partsDepth += 1;
      if (partsDepth > 0) return;
      if (name === "style") {
        style = {};
        styles.set(attribute(attributes, "styleId") ?? "", style);
        return;
      }
      const toggle = toggleIn(name, attributes);
      if (toggle) style[toggle[0]] = toggle[1];
      else if (Object.hasOwn(properties, name))
        properties[name]?.(style, attribute(attributes, "val") ?? "", attributes);
    },
    close(name) {
      if (name === "tblStylePr") partsDepth -= 1;
    },
  });
  return styles;
}

/** Word's own limit for styles that are based on others. */
const maxBases = 11;

function inherited<Member extends "heading" | "list" | "level" | "position" | Toggle>(
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

/** The level of a heading by its style: by Word's own ids where the file does not describe the style. */
export function headingOf({ headings, toggles: described }: OfficeStyles, style: string): number {
  if (described.has(style)) return headings.get(style) ?? 0;
  return /^title$/i.test(style) ? 1 : Number(/^heading ?([1-6])$/i.exec(style)?.[1] ?? 0);
}

/** The level of a list, from 0. */
export function levelOf(attributes: Attributes): number {
  const level = Number(attribute(attributes, "val"));
  return Number.isInteger(level) ? Math.min(maxLevel, Math.max(0, level)) : 0;
}
