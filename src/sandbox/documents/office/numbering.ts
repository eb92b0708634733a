import { romanNumeral } from "../../romanNumeral.ts";
import { attribute, readXml } from "../xml/xml.ts";

/** A level of a list. */
interface Level {
  format: string;
  /** `%1.%2`: the numbers of levels, from 1. */
  text: string;
  start: number;
  /** Numbers of outer levels are shown in digits. */
  isLegal: boolean;
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
        level = { format: "decimal", text: `%${number(own("ilvl")) + 1}.`, start: 1, isLegal: false };
        (list ?? abstract)?.levels.set(number(own("ilvl")), level);
        override = number(own("ilvl"));
      },
      numFmt: (value) => level && Object.assign(level, { format: value }),
      lvlText: (value) => level && Object.assign(level, { text: value }),
      start: (value) => level && Object.assign(level, { start: Number(value) || 0 }),
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
    if (!shown || /^(?:bullet|none)$/.test(shown.format)) {
      this.#count(list, level);
      return undefined;
    }
    const counts = this.#count(list, level);
    const label = shown.text.replace(/%([1-9])/g, (_, digit: string) => {
      const other = Number(digit) - 1;
      const { format = "decimal", start = 1 } = this.#numbering.levelOf(list, other) ?? {};
      return numberText(counts.get(other) ?? start, shown.isLegal ? "decimal" : format);
    });
    return label.trim() === "" ? undefined : label.trim();
  }

  #count(list: string, level: number): ReadonlyMap<number, number> {
    const key = this.#numbering.countsOf(list) || `list ${list}`;
    const counts = this.#counts.get(key) ?? new Map<number, number>();
    this.#counts.set(key, counts);
    const restart = this.#restart(list, level);
    const start = this.#numbering.levelOf(list, level)?.start ?? 1;
    counts.set(level, restart ?? (counts.get(level) ?? start - 1) + 1);
    // Deeper levels start again below each item of this one.
    for (const other of [...counts.keys()]) if (other > level) counts.delete(other);
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
  const number = numberText(count, format);
  if (type.endsWith("ParenBoth")) return `(${number})`;
  if (type.endsWith("ParenR")) return `${number})`;
  return format === "decimalEnclosedCircle" ? number : `${number}.`;
}

/** A number as Word and PowerPoint write it in a list. Formats that are not known here are digits. */
function numberText(count: number, format: string): string {
  const known = /^(upper|lower)(Roman|Letter)$/.exec(format);
  if (known) {
    const text = known[2] === "Roman" ? roman(count) : letters(count);
    return known[1] === "upper" ? text.toUpperCase() : text;
  }
  if (format === "decimalZero") return String(count).padStart(2, "0");
  if (format === "ordinal") return ordinal(count);
  if (/^decimalEnclosedCircle/.test(format) && count > 0 && count <= 20)
    return String.fromCodePoint(0x245f + count);
  if (/^(?:chineseCounting|ideographDigital|japaneseCounting|taiwaneseCounting)/.test(format))
    return chinese(count);
  return String(count);
}

function roman(count: number): string {
  return count <= 0 || count > 20_000 ? String(count) : romanNumeral(count);
}

/** a to z, then aa to zz, as Word counts. */
function letters(count: number): string {
  if (count <= 0 || count > 780) return String(count);
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}

function ordinal(count: number): string {
  const isTeen = Math.floor(count / 10) % 10 === 1;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${ending}`;
}

function chinese(count: number): string {
  const digits = [..."〇一二三四五六七八九"];
  if (count < 0 || count > 99) return String(count);
  const [tens, ones] = [Math.floor(count / 10), count % 10];
  if (tens === 0) return digits[ones] ?? "";
  return `${tens === 1 ? "" : digits[tens]}十${ones === 0 ? "" : digits[ones]}`;
}
