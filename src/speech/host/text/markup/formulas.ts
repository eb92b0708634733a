import { type FormulaLanguage, inLanguage } from "./formulaLanguages.ts";

/** A formula in Markdown: offsets with its marks, the TeX without. */
interface Formula {
  readonly start: number;
  readonly end: number;
  readonly tex: string;
}

const first = "\ue000";
const other = "\ue001";
/** A formula in a masked text. */
export const maskedFormula = /\ue000\ue001*/g;

export interface MaskedText {
  /** As long as the source: formulas are characters that have no meaning in Markdown. */
  readonly masked: string;
  /** By their offset. */
  readonly formulas: ReadonlyMap<number, Formula>;
}

/** Hides formulas from the parser of Markdown, for which `$a_1$ and $b_1$` has emphasis. */
export function maskFormulas(source: string): MaskedText {
  const formulas = new Map<number, Formula>();
  if (source.includes(first) || source.includes(other)) return { masked: source, formulas };
  const masked = source.replace(formula, (found: string, ...rest: (string | number | undefined)[]) => {
    const [display, bracketed, inline, parenthesized, start] = rest;
    const tex = String(display ?? bracketed ?? inline ?? parenthesized ?? "");
    if (typeof start !== "number" || tex.trim() === "" || (inline !== undefined && isProse(tex)))
      return found;
    formulas.set(start, { start, end: start + found.length, tex });
    return first + other.repeat(found.length - 1);
  });
  return { masked, formulas };
}

/** No empty line and no code is in a formula, and no digit behind `$`: `$5 and $8` are prices. */
const formula =
  /(?<!\\)(?:\$\$(?!\$)((?:[^$\n`]|\n(?![ \t]*\n)|\$(?!\$)){1,4000}?)\$\$|\\\[((?:[^\n`]|\n(?![ \t]*\n)){1,4000}?)\\\]|(?<![\w$])\$(?![\s$])((?:\\[\s\S]|[^\\$\n`]){1,400}?)(?<!\s)\$(?![\w$])|(?<!\w)\\\(([^\n`]{1,400}?)\\\))/g;

/** An amount or a shell variable followed by words: `$5 for one and 10$`, `$HOME and $PATH: $`. */
function isProse(tex: string): boolean {
  return /^\d[\d.,]*\s+[A-Za-z]{2,}|^[A-Z_]{3,}(?:[;,:/]|\s+[a-z]{2,})/.test(tex);
}

const words: Readonly<Record<string, string>> = {
  times: "times",
  cdot: "times",
  div: "divided by",
  pm: "plus or minus",
  mp: "minus or plus",
  le: "is at most",
  leq: "is at most",
  ge: "is at least",
  geq: "is at least",
  ne: "is not",
  neq: "is not",
  lt: "is less than",
  gt: "is greater than",
  approx: "is about",
  sim: "is similar to",
  equiv: "is equivalent to",
  propto: "is proportional to",
  in: "in",
  notin: "not in",
  subset: "is a subset of",
  subseteq: "is a subset of",
  cup: "union",
  cap: "intersection",
  setminus: "without",
  emptyset: "the empty set",
  forall: "for all",
  exists: "there is",
  neg: "not",
  land: "and",
  wedge: "and",
  lor: "or",
  vee: "or",
  to: "to",
  rightarrow: "to",
  mapsto: "maps to",
  Rightarrow: "implies",
  implies: "implies",
  iff: "if and only if",
  Leftrightarrow: "if and only if",
  infty: "infinity",
  partial: "partial",
  nabla: "nabla",
  sum: "the sum",
  prod: "the product",
  int: "the integral",
  lim: "the limit",
  ldots: "and so on",
  dots: "and so on",
  cdots: "and so on",
  circ: "degrees",
  prime: "prime",
  ell: "l",
  hbar: "h bar",
  "%": "percent",
  quad: "",
  qquad: "",
  ",": "",
  ";": "",
  ":": "",
  "!": "",
  left: "",
  right: "",
  big: "",
  Big: "",
  displaystyle: "",
  limits: "",
  nonumber: "",
  hline: "",
  "{": "",
  "}": "",
  "|": "",
  "\\": ",",
};
const signs: Readonly<Record<string, string>> = {
  "=": "equals",
  "+": "plus",
  "-": "minus",
  "−": "minus",
  "<": "is less than",
  ">": "is greater than",
  "/": "over",
  "*": "times",
  "±": "plus or minus",
  "≤": "is at most",
  "≥": "is at least",
  "≠": "is not",
  "≈": "is about",
  "×": "times",
  "∞": "infinity",
  "'": "prime",
  "!": "factorial",
  "|": "",
  "&": "",
  "~": "",
  "(": "(",
  ")": ")",
  "[": "(",
  "]": ")",
};

/** A formula in words: `x^2 \le \frac{a}{b}` is *x squared is at most a over b*. */
export function formulaWords(tex: string, language: FormulaLanguage = "en"): string {
  const tokens = tex.match(/\\[a-zA-Z]+\*?|\\[\s\S]|\d+(?:[.,]\d+)*|[a-zA-Z]+|\s+|[\s\S]/gu) ?? [];
  return new FormulaReader(
    tokens.filter((each) => each.trim() !== ""),
    language,
  )
    .words()
    .replace(/\( /g, "(")
    .replace(/ ([),.;])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/** The word of a name, which may be that of a member of all objects: `\\constructor`. */
function ownWord(list: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(list, name) ? list[name] : undefined) ?? name;
}

const deepest = 40;

class FormulaReader {
  readonly #tokens: readonly string[];
  readonly #language: FormulaLanguage;
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly string[], language: FormulaLanguage) {
    this.#tokens = tokens;
    this.#language = language;
  }

  /** English words in the language, about `a` and `b`. */
  #words(english: string, a = "", b = ""): string {
    return inLanguage(english, this.#language)
      .replace("{a}", () => a)
      .replace("{b}", () => b);
  }

  words(end?: string): string {
    const parts: string[] = [];
    while (this.#index < this.#tokens.length) {
      const token = this.#next();
      if (token === end) break;
      parts.push(this.#say(token));
    }
    return parts.join(" ");
  }

  #next(): string {
    return this.#tokens[this.#index++] ?? "";
  }

  /** A group in braces, or a single token. */
  #argument(): string {
    const token = this.#next();
    return token === "{" ? this.#group() : this.#say(/^[a-zA-Z]{2,}$/.test(token) ? token : token);
  }

  #group(): string {
    this.#depth += 1;
    // Braces that are nested deeper are only left out.
    const said = this.#depth > deepest ? "" : this.words("}");
    this.#depth -= 1;
    return said;
  }

  #say(token: string): string {
    if (token === "{") return this.#group();
    if (token === "}") return "";
    if (token === "^") return this.#power(this.#argument());
    if (token === "_") return this.#lowered();
    if (token.startsWith("\\")) return this.#command(token.slice(1));
    return this.#words(ownWord(signs, token));
  }

  #lowered(): string {
    const said = this.#argument();
    return this.#words("sub {a}", said);
  }

  #command(name: string): string {
    switch (name) {
      case "frac":
      case "dfrac":
      case "tfrac":
        return this.#words("{a} over {b}", this.#argument(), this.#argument());
      case "sqrt":
        return this.#words("the square root of {a}", this.#argument());
      case "begin":
      case "end":
        this.#argument();
        return "";
      case "bar":
      case "hat":
      case "vec":
      case "tilde":
      case "dot":
        return `${this.#argument()} ${name}`;
      case "text":
      case "mathrm":
      case "mathbf":
      case "mathit":
      case "mathbb":
      case "mathcal":
      case "operatorname":
      case "textbf":
        return this.#argument();
      default:
        // Greek letters and functions are called as they are written.
        return this.#words(ownWord(words, name));
    }
  }

  #power(exponent: string): string {
    if (exponent === "2") return this.#words("squared");
    if (exponent === "3") return this.#words("cubed");
    if ([this.#words("degrees"), this.#words("prime")].includes(exponent)) return exponent;
    return exponent === "T" ? this.#words("transposed") : this.#words("to the power of {a}", exponent);
  }
}
