import type { DominoElement, DominoNode } from "@mixmark-io/domino";
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
  const math = isMath ? element : element.querySelector("math");
  // The script beside it has the formula.
  if (!math) return holds ? { tex: "", isBlock: false } : undefined;
  const isBlock =
    math.getAttribute("display") === "block" ||
    element.getAttribute("display") === "true" ||
    Boolean(element.closest(".katex-display"));
  return {
    tex:
      annotation(math) ??
      toTex(math)
        .replace(/\{([^{}\s]|\\\w+)\}(?=[_^])/g, "$1")
        .trim(),
    isBlock,
  };
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
