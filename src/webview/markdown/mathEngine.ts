import temml from "temml";
import type { MathEngine } from "./typesetter.ts";

/** The elements of MathML that a formula may consist of; whatever else comes out of one is left out. */
const tags = new Set(
  "math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none span".split(
    " ",
  ),
);
const attributes = new Set(
  "accent accentunder columnalign columnlines columnspacing columnspan depth display displaystyle fence form framespacing height largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines rowspacing rowspan rspace scriptlevel separator stretchy symmetric voffset width".split(
    " ",
  ),
);
/** Styles that formulas are laid out with; a value that names a resource is none. */
const styles = new Set(
  "background-color border border-bottom border-left border-right border-top color display font-family font-size font-style font-weight height letter-spacing margin margin-left margin-right math-depth math-style padding padding-bottom padding-left padding-right padding-top text-align vertical-align width".split(
    " ",
  ),
);

/** Sizes in a formula are bounded, in em and in points: it can't reach out of its place. */
const options = {
  throwOnError: true,
  trust: false,
  strict: false,
  maxExpand: 500,
  maxSize: [25, 250] as [number, number],
};

export const mathEngine: MathEngine = {
  toElement(tex, isDisplay) {
    try {
      const tree = temml.__renderToMathMLTree(tex, { ...options, displayMode: isDisplay, macros: {} });
      const clean = cleaned(tree.toNode());
      return clean instanceof Element ? clean : { problem: "This is no formula." };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  },
};

/** A copy that holds nothing but what a formula is made of. */
function cleaned(node: Node): Node | undefined {
  if (node instanceof Text) return document.createTextNode(node.data);
  if (node instanceof DocumentFragment || node instanceof HTMLAnchorElement) {
    const row = document.createElementNS("http://www.w3.org/1998/Math/MathML", "mrow");
    for (const child of node.childNodes) row.append(cleaned(child) ?? "");
    return row;
  }
  if (!(node instanceof Element) || !tags.has(node.localName)) return undefined;
  const copy = document.createElementNS(node.namespaceURI, node.localName);
  for (const { name, value } of node.attributes) if (attributes.has(name)) copy.setAttribute(name, value);
  // The classes are the library's own words for where strokes go: see math.css.
  const className = node.getAttribute("class");
  if (className) copy.setAttribute("class", className.replaceAll(/[^\w -]/g, ""));
  copyStyle(node, copy);
  for (const child of node.childNodes) copy.append(cleaned(child) ?? "");
  return copy;
}

function copyStyle(from: Element, to: Element): void {
  if (!("style" in from && "style" in to)) return;
  const source = from.style as CSSStyleDeclaration;
  for (const name of source) {
    const value = source.getPropertyValue(name);
    const isOurs = styles.has(name) || /^(?:border|padding|margin)-/.test(name);
    if (isOurs && !/url|image|var|\\/i.test(value))
      (to.style as CSSStyleDeclaration).setProperty(name, value);
  }
}
