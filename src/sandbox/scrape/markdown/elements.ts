import type { DominoElement, DominoNode } from "@mixmark-io/domino";

export function isElement(node: DominoNode): node is DominoElement {
  return node.nodeType === 1;
}

export function isText(node: DominoNode): boolean {
  return node.nodeType === 3 || node.nodeType === 4;
}

export function* childrenOf(node: DominoNode): Generator<DominoNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child;
}

/** All elements of a list, which may change while it is used. */
export function elements(list: ArrayLike<DominoElement>): readonly DominoElement[] {
  return Array.from(list);
}

export function nameOf(node: DominoNode): string {
  return isElement(node) ? node.localName.toLowerCase() : "";
}

export function classOf(element: DominoElement): string {
  return element.getAttribute("class") ?? "";
}

const neverShown = new Set(
  "area audio base canvas col colgroup datalist embed head iframe input link map meta meter noembed noframes noscript option optgroup param progress rp script select source style svg template textarea title track video".split(
    " ",
  ),
);
const blocks = new Set(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp".split(
    " ",
  ),
);

export type Display = "none" | "block" | "inline";

/** Text for screen readers alone, and symbols that an icon font draws. */
const unseen =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text|-only)?|a11y-hidden|u-visually-hidden|material-icons\S*|material-symbols\S*|MathJax_Preview|katex-html|mw-editsection)(?:\s|$)/i;

/** How a browser lays an element out, by its name, its attributes and its inline style. */
export function displayOf(element: DominoElement): Display {
  const name = nameOf(element);
  if (neverShown.has(name)) return "none";
  if (element.hasAttribute("hidden") || unseen.test(classOf(element))) return "none";
  if (name === "dialog" && !element.hasAttribute("open")) return "none";
  return styledDisplay(element) ?? (blocks.has(name) ? "block" : "inline");
}

function styledDisplay(element: DominoElement): Display | undefined {
  const style = element.getAttribute("style")?.toLowerCase();
  if (style === undefined) return undefined;
  if (/(?:^|[;\s])visibility\s*:\s*(?:hidden|collapse)/.test(style) || isOutOfSight(style)) return "none";
  const value = [...style.matchAll(/(?:^|[;\s])display\s*:\s*([a-z-]+)/g)].at(-1)?.[1];
  if (value === "none") return "none";
  if (value === undefined || value === "contents" || value === "initial") return undefined;
  return value.startsWith("inline") ? "inline" : "block";
}

/** Text of no size, outside of the page, or cut to nothing: it is for machines, or it is nobody's. */
function isOutOfSight(style: string): boolean {
  if (/(?:^|[;\s])font-size\s*:\s*0(?:\.0*)?(?:px|em|rem|pt|%)?\s*(?:;|!|$)/.test(style)) return true;
  if (/(?:^|[;\s])clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]|inset\(\s*(?:50|100)%)/.test(style))
    return true;
  if (/(?:^|[;\s])text-indent\s*:\s*-\d{3,}/.test(style)) return true;
  const isTaken = /(?:^|[;\s])position\s*:\s*(?:absolute|fixed)/.test(style);
  return isTaken && /(?:^|[;\s])(?:left|top|right|bottom)\s*:\s*-\d{3,}/.test(style);
}

/** The children of a flex or grid container are blocks. */
export function laysOutChildren(element: DominoElement): boolean {
  return /(?:^|[;\s])display\s*:\s*(?:inline-)?(?:flex|grid)\b/i.test(element.getAttribute("style") ?? "");
}

/** True if line ends in the text are line ends on the page; undefined if the element says nothing about it. */
export function keepsLines(element: DominoElement): boolean | undefined {
  const style = element.getAttribute("style") ?? "";
  const value = /white-space(?:-collapse)?\s*:\s*([a-z-]+)/i.exec(style)?.[1]?.toLowerCase();
  return value === undefined ? undefined : /^(?:pre|break-spaces)/.test(value);
}

/** Browsers nest not much deeper. */
const maxDepth = 400;

/** Makes what is nested deeper the text of its parent: nobody reads such a page, and libraries call themselves for it. */
export function flatten(root: DominoElement): void {
  const depths = new Map<DominoNode, number>([[root, 0]]);
  for (let node = next(root, root, true); node !== undefined; ) {
    const depth = (node.parentNode ? (depths.get(node.parentNode) ?? 0) : 0) + 1;
    if (isElement(node)) depths.set(node, depth);
    if (depth >= maxDepth && isElement(node)) replaceByText(node);
    node = next(node, root, depth < maxDepth);
  }
}

function replaceByText(root: DominoElement): void {
  const inner: DominoNode[] = [];
  for (let node = next(root, root, true); node; node = next(node, root, true)) inner.push(node);
  const text = inner.map((node) => (isText(node) ? node.textContent : "")).join("");
  // The innermost first: what is removed is taken apart by a function that calls itself.
  for (const node of inner.reverse()) node.remove();
  root.textContent = text;
}

/** The node after another in the order of the page. */
function next(node: DominoNode, root: DominoNode, enters: boolean): DominoNode | undefined {
  if (enters && node.firstChild) return node.firstChild;
  for (let each: DominoNode | null = node; each && each !== root; each = each.parentNode) {
    if (each.nextSibling) return each.nextSibling;
  }
  return undefined;
}
