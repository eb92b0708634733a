import { attribute, readXml } from "../../xml/xml.ts";
import { numberInFormat } from "./numberFormats.ts";

/** A level of a list. */
interface Level {
  format: string;
  /** `%1.%2`: the numbers of levels, from 1. */
  text: string;
  start: number;
  /** Numbers of outer levels are shown in digits. */
  isLegal: boolean;
  /** It begins again below items of the levels before this one, from 1. 0 is never, undefined all outer levels. */
  restart: number | undefined;
}

interface AbstractList {
  readonly levels: Map<number, Level>;
  /** The style whose list this one is, or which this is the list of. */
  numStyleLink: string;
  styleLink: string;
  /** The levels of paragraph styles, by style id. */
  readonly levelOfStyle: Map<string, number>;
}

interface List {
  abstract: string;
  readonly starts: Map<number, number>;
  readonly levels: Map<number, Level>;
}

/** Word has nine. */
export const maxLevel = 8;

/** The lists of a DOCX file: word/numbering.xml. */
export class Numbering {
  readonly #abstracts = new Map<string, AbstractList>();
  readonly #lists = new Map<string, List>();

  /** Throws if the XML is invalid. */
  constructor(xml: string) {
    let abstract: AbstractList | undefined;
    let list: List | undefined;
    let level: Level | undefined;
    let override = 0;
    const number = (value: string) => Math.min(maxLevel, Math.max(0, Number(value) || 0));
    const takers: Readonly<Record<string, (value: string, own: (name: string) => string) => void>> = {
      abstractNum: (_, own) => {
        abstract = { levels: new Map(), numStyleLink: "", styleLink: "", levelOfStyle: new Map() };
        list = undefined;
        this.#abstracts.set(own("abstractNumId"), abstract);
      },
      num: (_, own) => {
        list = { abstract: "", starts: new Map(), levels: new Map() };
        abstract = undefined;
        this.#lists.set(own("numId"), list);
      },
      abstractNumId: (value) => {
        if (list) list.abstract = value;
      },
      lvlOverride: (_, own) => {
        override = number(own("ilvl"));
      },
      startOverride: (value) => list?.starts.set(override, Number(value) || 0),
      lvl: (_, own) => {
        level = {
          format: "decimal",
          text: `%${number(own("ilvl")) + 1}.`,
          start: 1,
          isLegal: false,
          restart: undefined,
        };
        (list ?? abstract)?.levels.set(number(own("ilvl")), level);
        override = number(own("ilvl"));
      },
      // The form for older programs follows a format of the user's own, such as 001.
      numFmt: (value, own) => {
        const custom = value === "custom" ? /^0*1(?=,|$)/.exec(own("format"))?.[0] : undefined;
        if (level && !level.format.startsWith("custom:"))
          level.format = custom === undefined ? value : `custom:${custom}`;
      },
      lvlText: (value) => level && Object.assign(level, { text: value }),
      start: (value) => level && Object.assign(level, { start: Number(value) || 0 }),
      lvlRestart: (value) => level && Object.assign(level, { restart: Number(value) || 0 }),
      isLgl: (value) => level && Object.assign(level, { isLegal: !/^(?:0|false|off)$/.test(value) }),
      pStyle: (value) => abstract?.levelOfStyle.set(value, override),
      numStyleLink: (value) => abstract && Object.assign(abstract, { numStyleLink: value }),
      styleLink: (value) => abstract && Object.assign(abstract, { styleLink: value }),
    };
    readXml(xml, {
      open(name, attributes) {
        if (!Object.hasOwn(takers, name)) return;
        takers[name]?.(attribute(attributes, "val") ?? "", (own) => attribute(attributes, own) ?? "");
      },
    });
  }

  /** The level that a list has for a paragraph style. */
  levelOfStyle(list: string, style: string): number | undefined {
    return this.#abstractOf(list)?.levelOfStyle.get(style);
  }

  /** Lists that share what they count. Empty for an unknown list. */
  countsOf(list: string): string {
    return this.#lists.get(list)?.abstract ?? "";
  }

  levelOf(list: string, level: number): Level | undefined {
    return this.#lists.get(list)?.levels.get(level) ?? this.#abstractOf(list)?.levels.get(level);
  }

  /** The number with which this list begins again, although it shares its counts with others. */
  restartOf(list: string, level: number): number | undefined {
    return this.#lists.get(list)?.starts.get(level);
  }

  #abstractOf(list: string): AbstractList | undefined {
    const found = this.#abstracts.get(this.#lists.get(list)?.abstract ?? "");
    if (!found || found.numStyleLink === "") return found;
    return [...this.#abstracts.values()].find(({ styleLink }) => styleLink === found.numStyleLink) ?? found;
  }
}

/** Counts the items of the lists of a document. */
export class ListCounter {
  readonly #numbering: Numbering;
  /** Numbers so far by level, of the lists that share them. */
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #restarted = new Set<string>();

  constructor(numbering: Numbering) {
    this.#numbering = numbering;
  }

  /** Counts the next item. Its label as the document shows it: `1.`, `b)`, `2.1`. Undefined for a bullet. */
  next(list: string, level: number): string | undefined {
    const shown = this.#numbering.levelOf(list, level);
    const counts = this.#count(list, level);
    // A bullet is a sign, but some lists have a word in its place.
    if (!shown || (shown.format === "bullet" && !/\p{L}{2}/u.test(shown.text))) return undefined;
    const label = shown.text.replace(/%([1-9])/g, (_, digit: string) => {
      const other = Number(digit) - 1;
      const { format = "decimal", start = 1 } = this.#numbering.levelOf(list, other) ?? {};
      return numberInFormat(counts.get(other) ?? start, shown.isLegal ? "decimal" : format);
    });
    const isWord = shown.format !== "none" || /\p{L}/u.test(label);
    return isWord && label.trim() !== "" ? label.trim() : undefined;
  }

  #count(list: string, level: number): ReadonlyMap<number, number> {
    const key = this.#numbering.countsOf(list) || `list ${list}`;
    const counts = this.#counts.get(key) ?? new Map<number, number>();
    this.#counts.set(key, counts);
    const restart = this.#restart(list, level);
    const start = this.#numbering.levelOf(list, level)?.start ?? 1;
    counts.set(level, restart ?? (counts.get(level) ?? start - 1) + 1);
    // Deeper levels start again below each item of this one.
    for (const other of [...counts.keys()]) {
      const restart = this.#numbering.levelOf(list, other)?.restart;
      if (other > level && (restart === undefined || level < restart)) counts.delete(other);
    }
    return counts;
  }

  #restart(list: string, level: number): number | undefined {
    const key = `${list}/${level}`;
    if (this.#restarted.has(key)) return undefined;
    this.#restarted.add(key);
    return this.#numbering.restartOf(list, level);
  }
}

/** The numbers of a list of a slide, by DrawingML's name of their kind: `alphaLcParenBoth` is (a). */
export interface AutoNumber {
  readonly type: string;
  readonly start: number;
}

/** Counts the numbered items of the text of a shape. */
export class AutoNumbers {
  /** Numbers so far by level. */
  readonly #counts = new Map<number, number>();

  /** The label of the next paragraph with text. Undefined without a number, which ends the lists of its level and below. */
  next(auto: AutoNumber | undefined, level: number): string | undefined {
    const last = this.#counts.get(level);
    for (const other of [...this.#counts.keys()]) if (other >= level) this.#counts.delete(other);
    if (!auto) return undefined;
    const count = (last ?? auto.start - 1) + 1;
    this.#counts.set(level, count);
    return autoLabel(auto.type, count);
  }
}

const autoFormats: readonly (readonly [start: string, format: string])[] = [
  ["alphaUc", "upperLetter"],
  ["alphaLc", "lowerLetter"],
  ["romanUc", "upperRoman"],
  ["romanLc", "lowerRoman"],
  ["circleNum", "decimalEnclosedCircle"],
];

function autoLabel(type: string, count: number): string {
  const format = autoFormats.find(([start]) => type.startsWith(start))?.[1] ?? "decimal";
  const number = numberInFormat(count, format);
  if (type.endsWith("ParenBoth")) return `(${number})`;
  if (type.endsWith("ParenR")) return `${number})`;
  return format === "decimalEnclosedCircle" ? number : `${number}.`;
}
