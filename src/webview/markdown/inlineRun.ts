import type { DrawContext } from "./drawContext.ts";
import { drawInline } from "./drawInline.ts";
import { longestNode } from "./growText.ts";
import { childrenOf, type InlineNode } from "./inlineNodes.ts";
import { parseOpenInline } from "./openInline.ts";
import { type Inline, parseInline } from "./parseInline.ts";

/** A part of an inline text whose marks are read by themselves: all of it, unless it is very long. */
export interface InlineRun {
  readonly source: string;
  append(text: string): void;
  /** Draws what is new. */
  draw(): void;
  /** Draws it up to here as it is meant; it is drawn again only when a label in it gets its definition. */
  end(length?: number): void;
}

/** Characters that can't change the meaning of what stands before them. */
export const inert = /^[^\n\\`*_~[\]!<&/@$^]*$/;
/** A tail this long is looked through for a part that stands for good, and again when it has grown by so much more. */
const settleAt = 256;
const settleEvery = 128;
/** From here on an undecided tail is drawn anew only when it has grown by a twentieth, or a very long one by a quarter. */
const longTail = 2048;
const veryLongTail = 8192;

export function createInlineRun(place: HTMLElement, context: DrawContext): InlineRun {
  const { references, budget, citations, footnotes } = context;
  let source = "";
  /** The end of it that is not drawn yet: to look at the whole costs more the longer it is. */
  let fresh = "";
  /** Up to here it is drawn for good. */
  let settled = 0;
  let nextSettle = settleAt;
  let parsedLength = 0;
  let isClosed = true;
  /** What is drawn for good, and after it what may be drawn anew. */
  const stored: ChildNode[] = [];
  let tail: ChildNode[] = [];
  let tailFormulas = 0;
  const labels = new Set<string>();

  const replaceTail = (root: InlineNode) => {
    const next = (tail.at(-1) ?? stored.at(-1))?.nextSibling ?? null;
    for (const node of tail) node.remove();
    budget.formulas -= tailFormulas;
    citations.forget();
    footnotes.forget();
    const formulas = budget.formulas;
    const fragment = document.createDocumentFragment();
    drawInline(fragment, root, context);
    tailFormulas = budget.formulas - formulas;
    tail = [...fragment.childNodes];
    // When it is drawn again later, other runs follow it.
    place.insertBefore(fragment, next);
    fresh = "";
    parsedLength = source.length - settled;
  };
  /** Adds what is new as it is. A long text goes on in another node: a browser copies all of one that grows. */
  const addPlain = (last: ChildNode | undefined) => {
    if (last instanceof Text && last.length < longestNode) {
      last.appendData(fresh);
    } else {
      const text = document.createTextNode(fresh);
      if (last && last !== tail.at(-1)) last.after(text);
      else {
        place.append(text);
        tail.push(text);
      }
    }
    fresh = "";
  };
  const read = (text: string): Inline => {
    const inline = parseInline(text, references.definitions);
    for (const label of inline.labels) labels.add(label);
    return inline;
  };
  /** Draws for good what later text cannot change any more. */
  const settle = () => {
    const length = source.length - settled;
    const end = settledEnd(parseInline(source.slice(settled), references.definitions), source, settled);
    nextSettle = length + Math.max(settleEvery, length / 4);
    if (end <= settled) return;
    replaceTail(read(source.slice(settled, end)).root);
    stored.push(...tail.splice(0));
    tailFormulas = 0;
    settled = end;
    nextSettle = settleAt;
    fresh = source.slice(end);
  };
  const drawAll = () => {
    tail.unshift(...stored.splice(0));
    settled = 0;
    replaceTail(read(source).root);
  };
  return {
    get source() {
      return source;
    },
    append(text) {
      source += text;
      fresh += text;
    },
    draw() {
      if (fresh === "") return;
      if (source.length - settled >= nextSettle) settle();
      const length = source.length - settled;
      const growth = length > veryLongTail ? 1.25 : 1.05;
      const isLong = length > longTail && length < parsedLength * growth;
      const last = isLong ? deepestText(tail.at(-1)) : tail.at(-1);
      if (isLong || (isClosed && last instanceof Text && inert.test(fresh))) {
        addPlain(last);
        return;
      }
      const open = parseOpenInline(source.slice(settled), references.definitions);
      isClosed = open.isClosed;
      replaceTail(open.root);
    },
    end(length = source.length) {
      // What is cut off here was drawn as if all of it went together.
      if (length < source.length) {
        source = source.slice(0, length);
        drawAll();
      } else {
        replaceTail(read(source.slice(settled)).root);
      }
      if (labels.size > 0) references.watch(labels, source.length, drawAll);
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
