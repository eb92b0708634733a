import { hex as dingbat } from "dingbat-to-unicode";
import { type Attributes, attribute } from "../xml/xml.ts";
import { fieldText } from "./fieldText.ts";
import type { TextFormat } from "./inlineText.ts";
import { type OfficeStyles, type Position, type Toggle, type Toggles, toggleIn } from "./officeStyles.ts";

interface Field {
  /** What it shows, such as `HYPERLINK "https://example.com/"`. */
  code: string;
  /** Text before its result is part of the code. */
  isResult: boolean;
  /** The text of runs in its code. It is no code if the field never ends. */
  text: string;
}

/** Fonts whose letters are signs. */
const symbolFonts = /^(?:Symbol|Webdings|Wingdings(?: [23])?)$/i;
/** Half points by which text is raised that is more than aligned. */
const minRaise = 6;

/** A line break within a paragraph of a slide, as programs that write slides escape it. */
const verticalTabs = /\v|_x000B_/gi;

/** The properties of the run that is being read, and the fields and links around it. */
export class RunReader {
  readonly #styles: OfficeStyles;
  readonly #linkOf: (id: string) => string | undefined;
  #toggles: Toggles = {};
  #style = "";
  #font = "";
  #runLink = "";
  #position: Position | "baseline" | undefined;
  /** Of the elements around the run. */
  readonly #links: string[] = [];
  readonly #fields: Field[] = [];
  #isInCode = false;

  constructor(styles: OfficeStyles, linkOf: (id: string) => string | undefined) {
    this.#styles = styles;
    this.#linkOf = linkOf;
  }

  start(): void {
    [this.#toggles, this.#style, this.#font, this.#runLink] = [{}, "", "", ""];
    this.#position = undefined;
  }

  /** Where the text of the run is, by its own properties or by its style. */
  get position(): Position | undefined {
    const position = this.#position ?? this.#styles.positions.get(this.#style);
    return position === "baseline" ? undefined : position;
  }

  /** Takes an element of a run, a link or a field. False for other elements. */
  open(name: string, attributes: Attributes): boolean {
    const take = Object.hasOwn(this.#takers, name) ? this.#takers[name] : undefined;
    take?.(attributes);
    return take !== undefined;
  }

  close(name: string): void {
    if (name === "hyperlink" || name === "fldSimple") this.#links.pop();
    else if (name === "instrText") this.#isInCode = false;
  }

  /** Takes the text of a field's code. False for other text, which is in runs. */
  code(text: string, isInRun: boolean): boolean {
    const field = this.#fields.at(-1);
    if (field && !field.isResult && (this.#isInCode || isInRun)) {
      field.code += text;
      if (!this.#isInCode) field.text += text;
    }
    return this.#isInCode;
  }

  /** Takes a character that begins, divides or ends a field. Returns what a field without a result shows. */
  fieldCharacter(type: string): string {
    const field = this.#fields.at(-1);
    if (type === "begin") this.#fields.push({ code: "", isResult: false, text: "" });
    else if (type === "end") this.#fields.pop();
    else if (field) field.isResult = true;
    return type === "end" && field && !field.isResult ? fieldText(field.code) : "";
  }

  /** The text after the code of fields that a paragraph leaves open: they are broken, and all that follows is text. */
  endOpenCode(): string {
    const open = this.#fields.filter(({ isResult }) => !isResult);
    for (const field of open) field.isResult = true;
    return open.map(({ text }) => text).join("");
  }

  /** True if the text of the run is not shown: it is hidden, or the code of a field. */
  isHidden(paragraphStyle: string): boolean {
    return this.#fields.some(({ isResult }) => !isResult) || this.#isOn("hidden", paragraphStyle);
  }

  formatIn(paragraphStyle: string): TextFormat {
    return {
      bold: this.#isOn("bold", paragraphStyle),
      italic: this.#isOn("italic", paragraphStyle),
      strike: this.#isOn("strike", paragraphStyle),
      link: this.#runLink || this.#links.findLast((link) => link !== "") || this.#fieldLink(),
    };
  }

  /** Text in a font of symbols stands for other characters. Marks of possible hyphens are not seen. */
  shown(text: string): string {
    const line = text
      .replace(/\s*[\r\n]\s*/g, " ")
      .replaceAll("\u00ad", "")
      .replace(verticalTabs, "\n");
    const isSymbols = symbolFonts.test(this.#font);
    if (!isSymbols && !/[\uf020-\uf0ff]/.test(line)) return line;
    return line.replace(isSymbols ? /[!-~\u00a0-\u00ff\uf020-\uf0ff]/g : /[\uf020-\uf0ff]/g, (character) => {
      const code = (character.charCodeAt(0) & 0xff).toString(16);
      return dingbat(this.#font, code.toUpperCase())?.string ?? character;
    });
  }

  /** What is set at the run decides. Else two styles that both turn something on turn it off again (17.7.3). */
  #isOn(toggle: Toggle, paragraphStyle: string): boolean {
    const direct = this.#toggles[toggle];
    if (direct !== undefined) return direct;
    const of = (style: string) => this.#styles.toggles.get(style)?.[toggle] ?? false;
    return of(paragraphStyle) !== of(this.#style);
  }

  #fieldLink(): string {
    for (const { code } of this.#fields.toReversed()) {
      const link = linkIn(code);
      if (link !== "") return link;
    }
    return "";
  }

  readonly #takers: Readonly<Record<string, (attributes: Attributes) => unknown>> = {
    rPr: (attributes) => {
      this.#position = positionOf(attributes) ?? this.#position;
      for (const [name, value] of Object.entries(drawingToggles(attributes)))
        this.#toggles[name as Toggle] = value;
    },
    rStyle: (attributes) => {
      this.#style = attribute(attributes, "val") ?? "";
    },
    rFonts: (attributes) => {
      this.#font = attribute(attributes, "ascii") ?? attribute(attributes, "hAnsi") ?? "";
    },
    sym: (attributes) => {
      if ("typeface" in attributes) this.#font = attributes.typeface ?? "";
    },
    vertAlign: (attributes) => {
      this.#position = positionOf(attributes) ?? this.#position;
    },
    position: (attributes) => {
      const halfPoints = Number(attribute(attributes, "val"));
      if (Math.abs(halfPoints) >= minRaise) this.#position ??= halfPoints > 0 ? "superscript" : "subscript";
    },
    latin: (attributes) => {
      this.#font = attributes.typeface ?? this.#font;
    },
    hlinkClick: (attributes) => {
      this.#runLink = this.#linkOf(attribute(attributes, "id") ?? "") ?? "";
    },
    hyperlink: (attributes) => {
      const target = this.#linkOf(attribute(attributes, "id") ?? "") ?? "";
      const anchor = attribute(attributes, "anchor") ?? "";
      this.#links.push(target === "" || anchor === "" ? target : `${target}#${anchor}`);
    },
    fldSimple: (attributes) => this.#links.push(linkIn(attribute(attributes, "instr") ?? "")),
    instrText: () => {
      this.#isInCode = true;
    },
    ...Object.fromEntries(
      ["b", "i", "strike", "dstrike", "vanish"].map((name) => [
        name,
        (attributes: Attributes) => {
          const [toggle, value] = toggleIn(name, attributes) ?? [];
          if (toggle !== undefined) this.#toggles[toggle] = value ?? true;
        },
      ]),
    ),
  };
}

/** The address of a field that is a link out of the document. Empty for other fields. */
function linkIn(code: string): string {
  const [, quoted, plain] = /^\s*HYPERLINK\s+(?!\\l)(?:"([^"]*)"|(\S+))/i.exec(code) ?? [];
  return quoted ?? plain ?? "";
}

/** DrawingML has the properties of a run as attributes. */
function drawingToggles({ b, i, strike }: Attributes): Toggles {
  const isOn = (value: string) => value === "1" || value === "true";
  return {
    ...(b === undefined ? {} : { bold: isOn(b) }),
    ...(i === undefined ? {} : { italic: isOn(i) }),
    ...(strike === undefined ? {} : { strike: strike !== "noStrike" }),
  };
}

/** By Word's `vertAlign`, or DrawingML's `baseline` in percent of the size of the font. */
function positionOf(attributes: Attributes): Position | "baseline" | undefined {
  const value = attribute(attributes, "val");
  const baseline = Number.parseFloat(attributes.baseline ?? "0");
  if (baseline !== 0 && !Number.isNaN(baseline)) return baseline > 0 ? "superscript" : "subscript";
  return value === "superscript" || value === "subscript" || value === "baseline" ? value : undefined;
}

/** A character of a font of symbols, such as ✓ of Wingdings; empty if Unicode has none like it. */
export function symbolOf(attributes: Attributes): string {
  const [font = "", code = ""] = [attribute(attributes, "font"), attribute(attributes, "char")];
  // Word stores such characters in the private use area.
  const ownCode = code.replace(/^F0(?=..$)/i, "");
  const known = dingbat(font, ownCode)?.string;
  return known ?? (ownCode === code && /^[0-9a-f]{1,4}$/i.test(code) ? fromHex(code) : "");
}

function fromHex(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
