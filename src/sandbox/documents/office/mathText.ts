import { type Attributes, attribute } from "../xml/xml.ts";

interface MathNode {
  readonly name: string;
  readonly value: string;
  readonly children: MathNode[];
  text: string;
}

/** Deeper formulas are errors of the file. */
const maxDepth = 200;

/** Reads a formula of Office (OMML) from the events of its XML, and writes it as LaTeX. */
export class MathReader {
  readonly #root: MathNode = nodeOf("oMath", "");
  readonly #stack: MathNode[] = [this.#root];

  open(name: string, attributes: Attributes): void {
    if (this.#stack.length > maxDepth) throw new Error("a formula is nested too deeply");
    const node = nodeOf(name, attribute(attributes, "val") ?? "");
    this.#stack.at(-1)?.children.push(node);
    this.#stack.push(node);
  }

  close(): void {
    this.#stack.pop();
  }

  text(text: string): void {
    const node = this.#stack.at(-1);
    if (node?.name === "t") node.text += text;
  }

  latex(): string {
    return inside(this.#root).trim();
  }
}

function nodeOf(name: string, value: string): MathNode {
  return { name, value, children: [], text: "" };
}

/** The formula of the parts of an element with this name, in braces if LaTeX needs them. */
function part(node: MathNode, name: string): string {
  return node.children
    .filter((child) => child.name === name)
    .map(inside)
    .join("");
}

function group(node: MathNode, name: string): string {
  return `{${part(node, name).trim()}}`;
}

/** A setting of the properties of an element, such as `fPr`. Undefined if it is not set. */
function setting(node: MathNode, name: string): string | undefined {
  const properties = node.children.find((child) => child.name === `${node.name}Pr`);
  return properties?.children.find((child) => child.name === name)?.value;
}

const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|off|false)$/.test(value);

const writers: Readonly<Record<string, (node: MathNode) => string>> = {
  r: (node) => runText(node),
  f: (node) => {
    const type = setting(node, "type");
    if (type === "lin") return `${part(node, "num")}/${part(node, "den")}`;
    return `${type === "noBar" ? "\\binom" : "\\frac"}${group(node, "num")}${group(node, "den")}`;
  },
  sSup: (node) => `${base(node)}^${group(node, "sup")}`,
  sSub: (node) => `${base(node)}_${group(node, "sub")}`,
  sSubSup: (node) => `${base(node)}_${group(node, "sub")}^${group(node, "sup")}`,
  sPre: (node) => `{}_${group(node, "sub")}^${group(node, "sup")}${group(node, "e")}`,
  rad: (node) => {
    const degree = isOn(setting(node, "degHide")) ? "" : part(node, "deg").trim();
    return `\\sqrt${degree === "" ? "" : `[${degree}]`}${group(node, "e")}`;
  },
  nary: (node) => {
    const sign = setting(node, "chr") ?? "∫";
    const below = part(node, "sub").trim();
    const above = part(node, "sup").trim();
    const bounds = `${below === "" ? "" : `_{${below}}`}${above === "" ? "" : `^{${above}}`}`;
    return `${operators[sign] ?? sign}${bounds} ${part(node, "e")}`;
  },
  d: (node) => {
    const content = node.children.filter(({ name }) => name === "e").map(inside);
    const [open, close] = [setting(node, "begChr") ?? "(", setting(node, "endChr") ?? ")"];
    return `\\left${fence(open)}${content.join(` ${setting(node, "sepChr") ?? "|"} `)}\\right${fence(close)}`;
  },
  func: (node) => {
    const name = part(node, "fName").trim();
    return `${/^[a-z]+$/i.test(name) ? functionName(name) : name}${group(node, "e")}`;
  },
  acc: (node) => `${accents[setting(node, "chr") ?? "\u0302"] ?? "\\hat"}${group(node, "e")}`,
  bar: (node) => `${setting(node, "pos") === "top" ? "\\overline" : "\\underline"}${group(node, "e")}`,
  limLow: (node) => `${base(node)}_${group(node, "lim")}`,
  limUpp: (node) => `${base(node)}^${group(node, "lim")}`,
  groupChr: (node) => `${setting(node, "pos") === "top" ? "\\overbrace" : "\\underbrace"}${group(node, "e")}`,
  borderBox: (node) => `\\boxed${group(node, "e")}`,
  m: (node) => {
    const rows = node.children.filter(({ name }) => name === "mr");
    return environment(
      "matrix",
      rows.map((row) => cells(row).join(" & ")),
    );
  },
  eqArr: (node) => environment("aligned", cells(node)),
};

function inside(node: MathNode): string {
  return node.children.map((child) => writeNode(child)).join("");
}

function writeNode(node: MathNode): string {
  // Properties have no text.
  if (node.name.endsWith("Pr")) return "";
  return Object.hasOwn(writers, node.name) ? (writers[node.name]?.(node) ?? "") : inside(node);
}

function cells(node: MathNode): string[] {
  return node.children.filter(({ name }) => name === "e").map((cell) => inside(cell).trim());
}

function environment(name: string, rows: readonly string[]): string {
  return `\\begin{${name}}${rows.join(" \\\\ ")}\\end{${name}}`;
}

/** A base of one character needs no braces. */
function base(node: MathNode): string {
  const text = part(node, "e").trim();
  return /^(?:.|\\[a-z]+)$/iu.test(text) ? text : `{${text}}`;
}

function runText(node: MathNode): string {
  const text = node.children.map((child) => (child.name === "t" ? child.text : "")).join("");
  const properties = node.children.filter(({ name }) => name === "rPr").flatMap(({ children }) => children);
  if (properties.some(({ name, value }) => name === "nor" && value !== "0"))
    return `\\text{${text.replace(/[{}\\$%#&_]/g, "\\$&")}}`;
  return text.replace(/[{}%#$]/g, "\\$&");
}

const operators: Readonly<Record<string, string>> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∐": "\\coprod",
  "∫": "\\int",
  "∬": "\\iint",
  "∭": "\\iiint",
  "∮": "\\oint",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
  "⋁": "\\bigvee",
  "⋀": "\\bigwedge",
};
const accents: Readonly<Record<string, string>> = {
  "\u0302": "\\hat",
  "\u0303": "\\tilde",
  "\u0304": "\\bar",
  "\u0305": "\\overline",
  "\u0307": "\\dot",
  "\u0308": "\\ddot",
  "\u030c": "\\check",
  "\u20d7": "\\vec",
};
const known = new Set(
  "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp log ln lim max min det gcd".split(" "),
);

function functionName(name: string): string {
  return known.has(name) ? `\\${name}` : `\\operatorname{${name}}`;
}

function fence(sign: string): string {
  if (sign === "") return ".";
  return /[{}]/.test(sign) ? `\\${sign}` : sign;
}
