import type { Highlighter } from "../code.ts";
import { changeNodes, type DrawBudget, longestNode } from "../drawing.ts";
import type { Typesetter } from "../engines/math.ts";
import { pictureOf, type RemoteImages } from "../pictures.ts";
import { childrenOf, type InlineNode, nodeText } from "./inlineTree.ts";
import { mailPieces, type Piece, safeHref } from "./links.ts";
import type { CitationMarks, Footnotes, References } from "./references.ts";

/** Everything that the blocks of one answer share. */
export interface DrawContext {
  readonly highlighter: Highlighter;
  readonly typesetter: Typesetter;
  readonly pictures: RemoteImages;
  readonly references: References;
  readonly citations: CitationMarks;
  readonly footnotes: Footnotes;
  readonly budget: DrawBudget;
}

/**
 * The elements of a text that grows. Its settled part is final; its tail is drawn again whenever new text may have
 * changed its meaning.
 */
export interface DrawnText {
  /** True if the tail ends in plain text at the top level. */
  readonly endsInText: boolean;
  replaceTail(root: InlineNode): void;
  /** Adds text as it is. With `isNested` it joins the innermost text at the end, in whatever mark that is. */
  addPlain(text: string, isNested: boolean): void;
  /** Makes the tail part of the settled text. */
  settleTail(): void;
  /** Makes all of the text the tail again. */
  reopen(): void;
}

export function createDrawnText(place: HTMLElement, context: DrawContext): DrawnText {
  const { budget, citations, footnotes } = context;
  const settled: ChildNode[] = [];
  let tail: ChildNode[] = [];
  let tailFormulas = 0;
  return {
    get endsInText() {
      return tail.at(-1) instanceof Text;
    },
    replaceTail(root) {
      const next = (tail.at(-1) ?? settled.at(-1))?.nextSibling ?? null;
      const former = tail;
      budget.formulas -= tailFormulas;
      changeNodes(place, former.length, () => {
        for (const node of former) node.remove();
      });
      citations.forget();
      footnotes.forget();
      const formulas = budget.formulas;
      const fragment = document.createDocumentFragment();
      drawInline(fragment, root, context);
      tailFormulas = budget.formulas - formulas;
      tail = [...fragment.childNodes];
      // Other runs may follow this one by the time it is drawn again.
      changeNodes(place, tail.length, () => place.insertBefore(fragment, next));
    },
    addPlain(text, isNested) {
      const last = isNested ? deepestText(tail.at(-1)) : tail.at(-1);
      // A browser copies a text node that grows, so a long text continues in another node.
      if (last instanceof Text && last.length < longestNode) {
        last.appendData(text);
        return;
      }
      const node = document.createTextNode(text);
      if (last && last !== tail.at(-1)) {
        last.after(node);
      } else {
        place.append(node);
        tail.push(node);
      }
    },
    settleTail() {
      settled.push(...tail.splice(0));
      tailFormulas = 0;
    },
    reopen() {
      tail.unshift(...settled.splice(0));
    },
  };
}

function deepestText(node: ChildNode | undefined): ChildNode | undefined {
  let at = node;
  while (at && !(at instanceof Text) && at.lastChild) at = at.lastChild;
  return at;
}

const tags = { em: "em", strong: "strong", del: "del" } as const;

/** Deeper marks are shown as text: browsers fail on trees that are much deeper. */
const deepest = 40;

/** Creates elements for the nodes. The set of elements is fixed, and text is never interpreted as markup. */
function drawInline(
  parent: ParentNode & Node,
  root: InlineNode,
  context: DrawContext,
  isInLink = false,
  depth = 0,
): void {
  let text = "";
  const flushText = () => {
    if (text !== "") drawText(parent, isInLink ? [{ text }] : mailPieces(text));
    text = "";
  };
  for (const node of childrenOf(root)) {
    if (node.kind === "text" || (isInLink && node.isBare)) {
      text += node.kind === "text" ? node.text : nodeText(node);
      continue;
    }
    flushText();
    parent.append(depth < deepest ? drawNode(node, context, isInLink, depth + 1) : nodeText(node));
  }
  flushText();
}

function drawNode(node: InlineNode, context: DrawContext, isInLink: boolean, depth: number): Node {
  switch (node.kind) {
    case "code":
      return element("code", node.text);
    case "break":
      return document.createElement("br");
    case "link":
    case "image":
      return drawLink(node, context, isInLink, depth);
    case "math":
      return drawMath(node, context);
    case "cite":
      return isInLink
        ? document.createTextNode(node.text)
        : context.citations.place(node.text, node.indices ?? []);
    case "footnote":
      return isInLink ? document.createTextNode(`[^${node.text}]`) : context.footnotes.reference(node.text);
    case "em":
    case "strong":
    case "del": {
      const marked = document.createElement(tags[node.kind]);
      drawInline(marked, node, context, isInLink, depth);
      return marked;
    }
    default:
      return document.createTextNode(node.text);
  }
}

/** A formula, shown as its source until it is typeset or if that fails. Copying it copies the source. */
function drawMath(
  { text, written = text, isDisplay = false }: InlineNode,
  { typesetter, budget }: DrawContext,
): HTMLElement {
  const formula = document.createElement("span");
  formula.className = isDisplay ? "math math-display" : "math";
  formula.dataset.tex = written;
  formula.append(written);
  if (budget.takeFormula(text)) typesetter.typeset(formula, text.trim(), isDisplay);
  else formula.title = "This answer has more formulas than are set.";
  return formula;
}

function drawLink(node: InlineNode, context: DrawContext, isInLink: boolean, depth: number): Node {
  const written = node.href ?? "";
  const href = isInLink ? undefined : safeHref(written);
  if (node.kind === "image") return drawImage(node, written, href, context);
  const link = href === undefined ? document.createElement("span") : linkTo(href);
  if (href === undefined && written !== "") {
    link.title = written;
    if (mayBeFile(written)) link.dataset.target = written;
  }
  drawInline(link, node, context, true, depth);
  return link;
}

/** True for what may be a path of the workspace, with a line: nothing with a scheme or a host. */
function mayBeFile(target: string): boolean {
  return /^(?![/\\])[^:\\\p{Cc}]+(?::\d+(?::\d+)?)?$/u.test(target);
}

/** A remote image waits for a click. Inside a link, where a click opens the link, it is shown as text. */
function drawImage(node: InlineNode, written: string, href: string | undefined, context: DrawContext): Node {
  const name = nodeText(node);
  if (isPicture(written)) return pictureOf(written, name);
  if (href !== undefined && /^https?:/.test(href)) return context.pictures.place(href, name);
  const text = document.createElement("span");
  text.className = "image-link";
  if (written !== "") text.title = written;
  text.append(name || "image");
  return text;
}

/** True for an image that is part of the answer. */
function isPicture(href: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+=*$/.test(href);
}

function drawText(parent: ParentNode & Node, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    const { href } = piece;
    if (href === undefined) {
      parent.append(piece.text);
    } else {
      const link = linkTo(href);
      link.append(piece.text);
      parent.append(link);
    }
  }
}

/** The title shows the real target, whatever the text claims. The page's click handler has the host open it. */
function linkTo(href: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = href;
  link.title = href;
  link.rel = "noreferrer noopener";
  return link;
}

function element(tag: "code", text: string): HTMLElement {
  const made = document.createElement(tag);
  made.append(text);
  return made;
}
