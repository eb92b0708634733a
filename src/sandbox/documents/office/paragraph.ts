import { type Attributes, attribute } from "../xml/xml.ts";
import type { Block } from "./blocks.ts";
import { InlineText } from "./inlineText.ts";
import type { AutoNumber } from "./lists/numbering.ts";
import { levelOf } from "./officeStyles.ts";

/** A paragraph that is being read. */
export interface Paragraph {
  text: InlineText;
  style: string;
  /** 0 for text that is not a heading. */
  heading: number;
  /** Level of the list item, from 0. */
  item: number | undefined;
  list: string;
  /** The level of a slide's paragraph. */
  level: number;
  /** The numbers of a slide's list. */
  auto: AutoNumber | undefined;
  isEndRemoved: boolean;
  /** Text boxes. */
  readonly after: Block[];
}

export function newParagraph(): Paragraph {
  return {
    text: new InlineText(),
    style: "",
    heading: 0,
    item: undefined,
    list: "",
    level: 0,
    auto: undefined,
    isEndRemoved: false,
    after: [],
  };
}

/** Takes a property of a paragraph. `value` is "0" if the element has none. */
type TakeProperty = (paragraph: Paragraph, value: string, attributes: Attributes) => void;

export const properties: Readonly<Record<string, TakeProperty>> = {
  outlineLvl: (paragraph, value) => {
    if (Number(value) < 6) paragraph.heading = Number(value) + 1;
  },
  // The first letter of a text that is as high as several lines is in a paragraph of its own.
  framePr: (paragraph, _, attributes) => {
    if (/^(?:drop|margin)$/.test(attribute(attributes, "dropCap") ?? "")) paragraph.isEndRemoved = true;
  },
  numPr: (paragraph) => {
    paragraph.item ??= 0;
  },
  buNone: (paragraph) => {
    paragraph.item = undefined;
  },
  buChar: (paragraph) => {
    paragraph.item ??= paragraph.level;
  },
  buBlip: (paragraph) => {
    paragraph.item ??= paragraph.level;
  },
  buAutoNum: (paragraph, _, { type = "arabicPeriod", startAt = "1" }) => {
    paragraph.item ??= paragraph.level;
    paragraph.auto = { type, start: Number(startAt) || 1 };
  },
  pPr: (paragraph, _, { lvl }) => {
    paragraph.level = Math.min(8, Math.max(0, Number(lvl) || 0));
    if (paragraph.item !== undefined && lvl !== undefined) paragraph.item = paragraph.level;
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
