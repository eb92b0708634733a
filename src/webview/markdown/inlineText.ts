import type { DrawContext } from "./drawContext.ts";
import { drawInline } from "./drawInline.ts";
import { childrenOf, type InlineNode } from "./inlineNodes.ts";
import { parseOpenInline } from "./openInline.ts";
import { type Inline, parseInline } from "./parseInline.ts";
import { createRunCutter } from "./textRuns.ts";

/** The text of a paragraph, heading or cell, drawn into its element while it is written. */
export interface InlineText {
  append(text: string): void;
  /** Draws what is new; cheap when it is plain text, and never more than a few hundred characters otherwise. */
  draw(): void;
  /** Draws it as it is meant; nothing more is appended. */
  finish(): void;
}

/** Characters that can't change the meaning of what stands before them. */
const inert = /^[^\n\\`*_~[\]!<&/@$^]*$/;
/** A tail this long is looked through for a part that stands for good, and again after so many characters more. */
const settleAt = 256;
const settleEvery = 128;
/** From here on an undecided tail is drawn anew only when it has grown by a twentieth. */
const longTail = 2048;

export function createInlineText(element: HTMLElement, context: DrawContext): InlineText {
  const { references } = context;
  const before = element.childNodes.length;
  /** A very long text goes on in places of its own: the last of them, what it shows, and what stands before it. */
  let place = element;
  let source = "";
  let earlier = "";
  let cutter = createRunCutter();
  /** Up to here it is drawn for good. */
  let settled = 0;
  let drawn = 0;
  let nextSettle = settleAt;
  let parsedLength = 0;
  let isClosed = true;
  let tail: ChildNode[] = [];
  const labels = new Set<string>();

  const begin = () => {
    tail = [];
    settled = 0;
    drawn = 0;
    nextSettle = settleAt;
  };
  const replaceTail = (root: InlineNode) => {
    for (const node of tail) node.remove();
    const fragment = document.createDocumentFragment();
    drawInline(fragment, root, context);
    tail = [...fragment.childNodes];
    place.append(fragment);
    drawn = source.length;
    parsedLength = source.length - settled;
  };
  const read = (text: string): Inline => {
    const inline = parseInline(text, references.definitions);
    for (const label of inline.labels) labels.add(label);
    return inline;
  };
  /** Draws for good what later text cannot change any more. */
  const settle = () => {
    const end = settledEnd(parseInline(source.slice(settled), references.definitions), source, settled);
    nextSettle = source.length - settled + settleEvery;
    if (end <= settled) return;
    replaceTail(read(source.slice(settled, end)).root);
    tail = [];
    settled = end;
    nextSettle = settleAt;
    drawn = end;
  };
  /** Ends the places that are full. */
  const cutRuns = () => {
    for (let end = cutter.cut(source); end; end = cutter.cut(source)) {
      const kept = place === element ? before : 0;
      while (place.childNodes.length > kept) place.lastChild?.remove();
      drawInline(place, read(source.slice(0, end)).root, context);
      place = document.createElement("span");
      place.className = "text-run";
      element.append(place);
      earlier += source.slice(0, end);
      source = source.slice(end);
      begin();
    }
  };
  const drawAll = () => {
    cutRuns();
    replaceTail(read(source.slice(settled)).root);
  };
  return {
    append(text) {
      source += text;
    },
    draw() {
      if (drawn === source.length) return;
      cutRuns();
      if (source.length - settled >= nextSettle) settle();
      const fresh = source.slice(drawn);
      const length = source.length - settled;
      const isLong = length > longTail && length < parsedLength * 1.05;
      const last = isLong ? deepestText(tail.at(-1)) : tail.at(-1);
      if (last instanceof Text && (isLong || (isClosed && inert.test(fresh)))) {
        last.appendData(fresh);
        drawn = source.length;
        return;
      }
      const open = parseOpenInline(source.slice(settled), references.definitions);
      isClosed = open.isClosed;
      replaceTail(open.root);
    },
    finish() {
      drawAll();
      if (labels.size === 0) return;
      references.watch(labels, () => {
        while (element.childNodes.length > before) element.lastChild?.remove();
        place = element;
        source = earlier + source;
        earlier = "";
        begin();
        cutter = createRunCutter();
        drawAll();
      });
    },
  };
}

/** The last place up to which nothing is open: the end of a word at the top level that is followed by another. */
function settledEnd({ root, openFrom }: Inline, source: string, from: number): number {
  for (const node of childrenOf(root).reverse()) {
    if (node.kind !== "text") continue;
    const end = from + Math.min(node.end, openFrom);
    for (let at = end - 2; at > from + node.start; at--) {
      if (source[at] === " " && isInWord(source.charAt(at - 1)) && isInWord(source.charAt(at + 1))) return at;
    }
  }
  return from;
}

function isInWord(char: string): boolean {
  return char !== "" && char !== " " && char !== "\n" && char !== "\\";
}

function deepestText(node: ChildNode | undefined): ChildNode | undefined {
  let at = node;
  while (at && !(at instanceof Text) && at.lastChild) at = at.lastChild;
  return at;
}
