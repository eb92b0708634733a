import { createDocument, type DominoElement, type DominoNode } from "@mixmark-io/domino";
import { childrenOf, classOf, elements, isElement, nameOf } from "./elements.ts";

/** A formula as TeX. */
export interface Formula {
  readonly tex: string;
  /** On lines of its own. */
  readonly isBlock: boolean;
}

/** The formula of an element: MathML, what KaTeX or MathJax made, or a picture whose description is TeX. */
export function formulaOf(element: DominoElement): Formula | undefined {
  const name = nameOf(element);
  if (name === "script") return scriptFormula(element);
  if (name === "img") return pictureFormula(element);
  const isMath = name === "math";
  const holds =
    name === "mjx-container" ||
    /(?:^|\s)(?:katex|mwe-math-element|MathJax(?:_Display|_SVG)?)(?:\s|$)/.test(classOf(element));
  if (!isMath && !holds) return undefined;
  const math = isMath ? element : (element.querySelector("math") ?? writtenMath(element));
  if (!math) return { tex: hasScript(element) ? "" : drawnText(element), isBlock: isDisplayed(element) };
  const isBlock = math.getAttribute("display") === "block" || isDisplayed(element);
  return {
    tex:
      annotation(math) ??
      toTex(math)
        .replace(/\{([^{}\s]|\\\w+)\}(?=[_^])/g, "$1")
        .trim(),
    isBlock,
  };
}

function isDisplayed(element: DominoElement): boolean {
  return element.getAttribute("display") === "true" || Boolean(element.closest(".katex-display"));
}

/** The MathML that MathJax keeps in an attribute, unless the script beside it has the formula. */
function writtenMath(element: DominoElement): DominoElement | undefined {
  const written = element.getAttribute("data-mathml") ?? "";
  return written === "" || hasScript(element)
    ? undefined
    : createDocument(written, true).querySelector("math");
}

function hasScript(element: DominoElement): boolean {
  const next = element.closest(".MathJax_Display")?.nextElementSibling ?? element.nextElementSibling;
  return next !== null && nameOf(next) === "script";
}

/** A drawing without its formula: by letters, or by classes with their code points. */
function drawnText(element: DominoElement): string {
  const drawn = elements(element.getElementsByTagName("mjx-c")).map((letter) => {
    const code = /(?:^|\s)mjx-c([\dA-F]+)(?:\s|$)/.exec(classOf(letter))?.[1];
    return code === undefined || code.length > 5
      ? ""
      : String.fromCodePoint(Number.parseInt(code, 16)).normalize("NFKC");
  });
  return drawn.join("") || element.textContent.replace(/[\s\u200b]+/g, " ").trim();
}

function scriptFormula(script: DominoElement): Formula | undefined {
  const type = script.getAttribute("type") ?? "";
  if (!/^math\/tex/i.test(type)) return undefined;
  return { tex: script.textContent.trim(), isBlock: /mode\s*=\s*display/i.test(type) };
}

function pictureFormula(image: DominoElement): Formula | undefined {
  if (!/(?:^|\s)(?:latex|tex|mwe-math-fallback-image\S*)(?:\s|$)/.test(classOf(image))) return undefined;
  const tex = cleanTex(image.getAttribute("alt") ?? "");
  return tex === "" ? undefined : { tex, isBlock: false };
}

function annotation(math: DominoElement): string | undefined {
  const found = elements(math.getElementsByTagName("annotation")).find((each) =>
    /tex/i.test(each.getAttribute("encoding") ?? ""),
  );
  const tex = found && cleanTex(found.textContent);
  return tex || undefined;
}

function cleanTex(tex: string): string {
  const text = tex.trim();
  return /^\{\\displaystyle ([\s\S]*)\}$/.exec(text)?.[1]?.trim() ?? text;
}

/** MathML as TeX. An element that is not known is its content. */
function toTex(node: DominoNode): string {
  if (!isElement(node)) return node.textContent.trim();
  const parts = () => [...childrenOf(node)].map(toTex).filter((part) => part !== "");
  const args = () => [...childrenOf(node)].filter(isElement).map((child) => toTex(child));
  const name = nameOf(node);
  const template = templates[name];
  if (template) {
    const given = args();
    return template.replace(/\d/g, (digit) => given[Number(digit)] ?? "");
  }
  if (name === "msqrt") return `\\sqrt{${parts().join(" ")}}`;
  if (name === "mfenced") return `(${args().join(node.getAttribute("separators") ?? ",")})`;
  if (name === "mtable") return `\\begin{matrix}${args().join(" \\\\ ")}\\end{matrix}`;
  if (name === "mtr" || name === "mlabeledtr") return args().join(" & ");
  if (name === "mtext") return `\\text{${node.textContent.trim()}}`;
  if (name === "annotation" || name === "annotation-xml") return "";
  return parts().join(name === "mrow" || name === "math" || name === "semantics" ? " " : "");
}

const templates: Readonly<Record<string, string>> = {
  mfrac: "\\frac{0}{1}",
  mroot: "\\sqrt[1]{0}",
  msup: "{0}^{1}",
  msub: "{0}_{1}",
  msubsup: "{0}_{1}^{2}",
  munder: "{0}_{1}",
  mover: "{0}^{1}",
  munderover: "{0}_{1}^{2}",
};
