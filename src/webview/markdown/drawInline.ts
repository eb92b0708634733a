import type { DrawContext } from "./drawContext.ts";
import { childrenOf, type InlineNode, nodeText } from "./inlineNodes.ts";
import { mailPieces, type Piece, safeHref } from "./links.ts";
import { pictureOf } from "./remoteImages.ts";

const tags = { em: "em", strong: "strong", del: "del" } as const;

/** Marks within marks, so deep, are text: browsers give up on trees that are much deeper. */
const deepest = 40;

/** Makes elements of what was read. Only these elements can come out, and nothing of the text is ever read as markup. */
export function drawInline(
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

/** A formula; it is the text that it was written as until it is set, and where it can't be. What is copied is that text. */
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
  if (href === undefined && written !== "") link.title = written;
  drawInline(link, node, context, true, depth);
  return link;
}

/** One that is somewhere else waits for a click; within a link, which leads elsewhere, it stays the text that it has. */
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

/** A picture that came with the answer. */
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

/** Says where it leads, whatever its text claims. The host opens it: see the click handler of the view. */
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
