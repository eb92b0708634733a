import type { DominoDocument, DominoNode } from "@mixmark-io/domino";
import { childrenOf, elements, isElement, isText, nameOf } from "./markdown/elements.ts";

/** Environments that are formulas on lines of their own. */
const environments = "(?:equation|align|gather|multline|eqnarray|alignat|displaymath|math)\\*?";
const always =
  String.raw`\\\((?<inline>.{1,4000}?)\\\)|\\\[(?<block>.{1,4000}?)\\\]|\$\$(?<dollars>.{1,4000}?)\$\$|(?<own>\\begin\{(?<name>` +
  environments +
  String.raw`)\}.{1,4000}?\\end\{\k<name>\})`;
const withDollars = new RegExp(
  String.raw`${always}|(?<![\\$])\$(?<dollar>[^$\s](?:[^$]{0,400}[^$\s])?)\$(?!\d)`,
  "gs",
);
const withoutDollars = new RegExp(always, "gs");
/** Text that these scripts leave alone. */
const verbatim = new Set("script style pre code textarea xmp template title".split(" "));

/**
 * Makes formulas of the TeX in the text of a page whose scripts would (MathJax, and the auto-render extension of KaTeX):
 * a reader sees formulas.
 */
export function markTex(page: DominoDocument): void {
  const { body } = page;
  const scripts = elements(page.querySelectorAll("script"));
  const named = scripts
    .map((script) => `${script.getAttribute("src") ?? ""} ${script.textContent}`)
    .join("\n");
  if (!body || !/mathjax|renderMathInElement|katex[\w./@-]*auto-render|auto-render/i.test(named)) return;
  const form = takesDollars(named) ? withDollars : withoutDollars;
  for (const text of textsIn(body)) split(page, text, form);
}

/** A single dollar sign is money unless the page says otherwise. */
function takesDollars(scripts: string): boolean {
  return /inlineMath\s*:?\s*=?\s*\{?[^\n]*\[\s*["']\$["']|left\s*:\s*["']\$["']|config=[\w,-]*TeX-\w+-tex2jax-dollar/.test(
    scripts,
  );
}

function textsIn(root: DominoNode): DominoNode[] {
  return [...childrenOf(root)].flatMap((child) => {
    if (isText(child)) return /[\\$]/.test(child.textContent) ? [child] : [];
    return isElement(child) && !verbatim.has(nameOf(child)) ? textsIn(child) : [];
  });
}

function split(page: DominoDocument, text: DominoNode, form: RegExp): void {
  const parent = text.parentNode;
  const value = text.textContent;
  const found = [...value.matchAll(form)];
  if (!parent || found.length === 0) return;
  let end = 0;
  for (const match of found) {
    const { inline, block, dollars, own, dollar } = match.groups ?? {};
    const script = page.createElement("script");
    const isBlock = (block ?? dollars ?? own) !== undefined;
    script.setAttribute("type", isBlock ? "math/tex; mode=display" : "math/tex");
    script.textContent = inline ?? block ?? dollars ?? own ?? dollar ?? "";
    parent.insertBefore(page.createTextNode(value.slice(end, match.index)), text);
    parent.insertBefore(script, text);
    end = match.index + match[0].length;
  }
  text.textContent = value.slice(end);
}
