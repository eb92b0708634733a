/** A block that takes text while it is written: a paragraph, a heading, code, a table. It draws itself. */
export interface Leaf {
  readonly kind: "paragraph" | "heading" | "code" | "table" | "math" | "plain";
  /** Adds text to the current line. */
  append(text: string): void;
  /** Ends the current line. */
  endLine(): void;
  /** Draws the text that is new. */
  draw(): void;
  /** Draws the rest; no more text follows. */
  finish(): void;
}

/** Text that is shown as it was written, without marks. */
export interface PlainLeaf extends Leaf {
  readonly kind: "plain";
  readonly length: number;
}

export function createPlain(parent: Element): PlainLeaf {
  const element = document.createElement("div");
  element.className = "as-written";
  element.dir = "auto";
  parent.append(element);
  let fresh = "";
  let length = 0;
  const add = (text: string) => {
    fresh += text;
    length += text.length;
  };
  const draw = () => {
    if (fresh !== "") growText(element, fresh);
    fresh = "";
  };
  return {
    kind: "plain",
    get length() {
      return length;
    },
    append: add,
    endLine: () => add("\n"),
    draw,
    finish: draw,
  };
}

type BlockTag = "blockquote" | "ul" | "ol" | "li" | "hr" | "h1" | "h2" | "p" | "div" | "span";

export function addElement(parent: Element, tag: BlockTag, className = ""): HTMLElement {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  parent.append(element);
  return element;
}

/** A browser copies a text node that grows, so a long text is split into nodes of this length. */
export const longestNode = 4096;

/** Appends text to an element. The cost depends on the length of the new text only. */
export function growText(element: Element, text: string): void {
  const { lastChild } = element;
  let at = 0;
  if (lastChild instanceof Text && lastChild.length <= longestNode) {
    at = wholeTo(text, longestNode - lastChild.length);
    lastChild.appendData(text.slice(0, at));
  }
  while (at < text.length) {
    const end = wholeTo(text, at + longestNode);
    element.append(text.slice(at, end));
    at = end;
  }
}

/** Returns `at`, or the offset after it if `at` would split a surrogate pair; at most the length of the text. */
export function wholeTo(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return Math.min(text.length, unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at);
}

/**
 * Fixes the text direction found so far. With `dir="auto"`, a browser searches for the first letter with a direction
 * whenever something is added, through all numbers, punctuation and empty elements, which is slow in long blocks.
 */
export function settleDirection(element: Element): void {
  const next = (from: Element | null | undefined) => from?.closest<HTMLElement>('[dir="auto"]');
  for (let at = next(element); at; at = next(at.parentElement)) {
    at.dir = at.matches(":dir(rtl)") ? "rtl" : "ltr";
  }
}

/** Fewer nodes are put in or taken out as they are. */
const manyNodes = 64;

/**
 * Changes that many child nodes with a fixed direction: with `dir="auto"`, a browser searches all of the text for a letter
 * with a direction at each of them. The direction is found again afterwards, once.
 */
export function changeNodes(place: Element, count: number, change: () => void): void {
  const autos: HTMLElement[] = [];
  const first = count < manyNodes ? null : place.closest<HTMLElement>('[dir="auto"]');
  for (let at = first; at; at = at.parentElement?.closest<HTMLElement>('[dir="auto"]') ?? null)
    autos.push(at);
  for (const element of autos) element.dir = "ltr";
  change();
  for (const element of autos) element.dir = "auto";
}

/** The limit of mark characters, two of which usually make an element. A dense answer of 300 KB uses half of it. */
const mostParts = 100_000;
const partsPerElement = 2;
const mostCells = 10_000;
const mostColoured = 150_000;
/** The limit of characters in formulas. Each formula costs some characters on top. */
const mostTex = 60_000;
const texPerFormula = 30;

/**
 * Limits how much of one answer is drawn. The rest of a hostile or extremely long answer is shown as it was written.
 * The budget depends on the text only, not on the pieces in which it arrives.
 */
export class DrawBudget {
  #parts = 0;
  #cells = 0;
  #coloured = 0;
  /** The budget used by formulas. Text that is drawn again gives back the share of its formulas. */
  formulas = 0;

  /** Counts elements against the budget. */
  addElements(count: number): void {
    this.#parts += count * partsPerElement;
  }

  /** Counts the characters of a text that may become marks. */
  addText(text: string): void {
    this.#parts += countSigns(text);
  }

  /** True if no more blocks may be drawn. */
  get isSpent(): boolean {
    return this.#parts >= mostParts;
  }

  /** Returns whether this many empty cells may be added to an incomplete row. */
  takeCells(count: number): boolean {
    this.#cells += count;
    return this.#cells <= mostCells;
  }

  /** Returns whether code of this length may be highlighted. */
  takeColour(length: number): boolean {
    this.#coloured += length;
    return this.#coloured <= mostColoured;
  }

  /** Returns whether this formula may be typeset. */
  takeFormula(tex: string): boolean {
    this.formulas += tex.length + texPerFormula;
    return this.formulas <= mostTex;
  }
}

const isSign = new Uint8Array(128);
for (const sign of "\n\\`*_~[]!<&$^:@") isSign[sign.charCodeAt(0)] = 1;

function countSigns(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) count += isSign[text.charCodeAt(at)] ?? 0;
  return count;
}

/** The share of a frame that queued work may use. */
const sliceMs = 8;

/** Work that can wait. It is done at once while the frame has time left, otherwise in slices over the next frames. */
export class WorkQueue {
  #waiting: (() => void)[] = [];
  #next = 0;
  #spentMs = 0;
  #frame: Promise<void> | undefined;

  add(work: () => void): void {
    if (this.#waiting.length === 0 && this.#spentMs < sliceMs) this.#perform(work);
    else this.#waiting.push(work);
    this.#frame ??= this.#afterFrame();
  }

  /** Resolves when the queue is empty. */
  async settled(): Promise<void> {
    while (this.#frame) await this.#frame;
  }

  #perform(work: () => void): void {
    const startMs = performance.now();
    work();
    this.#spentMs += performance.now() - startMs;
  }

  /** Continues with the queue in the next task. */
  async #afterFrame(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#spentMs = 0;
    for (; this.#next < this.#waiting.length && this.#spentMs < sliceMs; this.#next++)
      this.#perform(this.#waiting[this.#next] ?? (() => {}));
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
    }
    this.#frame = this.#waiting.length > 0 ? this.#afterFrame() : undefined;
  }
}
