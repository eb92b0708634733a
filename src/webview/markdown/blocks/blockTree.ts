import { addElement, type DrawBudget, settleDirection } from "../drawing.ts";
import { trimmed, unescaped } from "../inline/links.ts";

/** Chunks out of sight are not laid out, so a line of a long answer costs no more than one of a short answer. */
const blocksPerChunk = 24;
const chunksPerSection = 8;
/** A browser visits all items of a list when the last one grows, so a long list is split into parts. */
const itemsPerPart = 48;

/** The elements of the blocks that contain blocks. The innermost one takes the next block. */
export interface BlockTree {
  /** Outermost first. */
  readonly open: readonly Container[];
  readonly top: Container;
  /** True if the last line was blank: a gap makes a list loose. */
  wasBlank: boolean;
  /** Closes the containers deeper than this, and the leaf inside them. */
  closeTo(depth: number): void;
  /** Returns the parent of a new block. Closes the leaf before it, and a list that the block is not an item of. */
  place(): Element;
  openQuote(line: ContainerLine): void;
  /** Opens the blocks of a note after its first paragraph. The line is indented, and loses its indentation. */
  openNote(line: ContainerLine): void;
  /** Removes the mark from the line. */
  openItem(line: ContainerLine, mark: ListMark, columns: number): void;
}

/** `closeLeaf` ends the leaf that takes text. */
export function createBlockTree(root: Element, budget: DrawBudget, closeLeaf: () => void): BlockTree {
  const open: Container[] = [{ kind: "root", element: root, children: 0 }];
  let section = root;
  const top = () => open[open.length - 1] as Container;
  const openChunk = (parent: Root) => {
    if (parent.children % blocksPerChunk > 0) return;
    if (parent.children % (blocksPerChunk * chunksPerSection) === 0)
      section = addElement(root, "div", "chunk");
    parent.element = addElement(section, "div", "chunk");
  };
  const place = (isItem: boolean): Element => {
    closeLeaf();
    if (!isItem && top().kind === "list") open.pop();
    const parent = top();
    if (tree.wasBlank) loosenList(parent);
    tree.wasBlank = false;
    budget.addElements(1);
    if (isEvery(blocksPerChunk, parent)) settleDirection(parent.element);
    if (parent.kind === "root") openChunk(parent);
    if (parent.kind === "list" && isEvery(itemsPerPart, parent))
      parent.part = addElement(parent.element, "div", "list-part");
    parent.children += 1;
    return parent.kind === "list" ? parent.part : parent.element;
  };
  const openList = ({ ordered, sign, start }: ListMark) => {
    const element = directed(addElement(place(false), ordered ? "ol" : "ul"));
    element.className = "tight";
    if (ordered && start !== 1) element.setAttribute("start", String(start));
    open.push({ kind: "list", element, part: element, children: 0, sign, start });
  };
  const tree: BlockTree = {
    open,
    get top() {
      return top();
    },
    wasBlank: false,
    closeTo(depth) {
      if (open.length > depth) closeLeaf();
      open.length = depth;
    },
    place: () => place(false),
    openQuote(line) {
      open.push({ kind: "quote", element: directed(addElement(place(false), "blockquote")), children: 0 });
      takeQuoteMark(line);
    },
    openNote(line) {
      const element = addElement(place(false), "div", "footnote-more");
      open.push({ kind: "note", element: directed(element), children: 0 });
      takeIndent(line, noteIndent);
    },
    openItem(line, mark, columns) {
      const current = top();
      if (current.kind !== "list" || current.sign !== mark.sign) openList(mark);
      const list = top().element;
      if (mark.ordered) widenFor(top());
      const column = line.column + columns + mark.width;
      const gap = measureIndent(mark.rest, column);
      // Five or more columns are one column and indented code. A mark without text counts as one column.
      const width = gap.rest === "" || gap.columns > 4 ? 1 : gap.columns;
      const element = addElement(place(true), "li");
      open.push({ kind: "item", element, children: 0, list, indent: columns + mark.width + width });
      line.text = dropColumns(mark.rest, column, width);
      line.column = column + width;
    },
  };
  return tree;
}

/** A gap between two items, or between two blocks of an item, makes the list loose. */
function loosenList(parent: Container): void {
  if (parent.children === 0) return;
  if (parent.kind === "list") parent.element.classList.remove("tight");
  if (parent.kind === "item") parent.list.classList.remove("tight");
}

/** True before each further `count` blocks. */
function isEvery(count: number, { children }: Container): boolean {
  return children > 0 && children % count === 0;
}

/** Lets the text decide the side of bullets and quote bars. */
function directed(element: HTMLElement): HTMLElement {
  element.dir = "auto";
  return element;
}

/** Makes room for the longest number of the list. */
function widenFor(list: Container): void {
  if (list.kind !== "list") return;
  const digits = String(list.start + list.children).length;
  const isLonger = list.children === 0 ? digits > 1 : digits > String(list.start + list.children - 1).length;
  if (isLonger && list.element instanceof HTMLElement)
    list.element.style.setProperty("--digits", String(digits));
}

interface Base {
  readonly element: Element;
  /** The number of blocks in it so far. */
  children: number;
}
type Root = { readonly kind: "root"; element: Element; children: number };
type Quote = Base & { readonly kind: "quote" };
type Note = Base & { readonly kind: "note" };
type List = Base & {
  readonly kind: "list";
  readonly sign: string;
  /** The number of its first item. */
  readonly start: number;
  /** The parent of its next item: the list itself or, in a long list, its last part. */
  part: Element;
};
type ListItem = Base & {
  readonly kind: "item";
  readonly list: Element;
  /** The columns by which the lines of the item are indented. */
  readonly indent: number;
};
/** A block that contains blocks. */
type Container = Root | Quote | Note | List | ListItem;

/** The columns by which the blocks of a note are indented, as in GitHub's dialect. */
export const noteIndent = 4;

/** A line whose container marks are being removed: the rest of it, and the column where the rest begins. */
export interface ContainerLine {
  text: string;
  column: number;
}

/** Returns how many of the containers this line continues, and removes their marks from it. */
export function matchContainers(containers: readonly Container[], line: ContainerLine): number {
  for (const [depth, container] of containers.entries()) {
    if (container.kind === "quote" && !takeQuoteMark(line)) return depth;
    if (container.kind === "note" && !takeNoteIndent(line)) return depth;
    if (container.kind === "item" && !takeItemIndent(line, container)) return depth;
  }
  return containers.length;
}

/** Removes `>` and a space after it from the line. */
function takeQuoteMark(line: ContainerLine): boolean {
  const { columns, rest } = measureIndent(line.text, line.column);
  if (columns > 3 || !rest.startsWith(">")) return false;
  line.column += columns + 1;
  line.text = rest.slice(1);
  if (/^[ \t]/.test(line.text)) {
    line.text = dropColumns(line.text, line.column, 1);
    line.column += 1;
  }
  return true;
}

function takeItemIndent(line: ContainerLine, { indent, children }: ListItem): boolean {
  // An item may begin with one blank line but not with two.
  const isInside = isBlankText(line.text)
    ? children > 0
    : measureIndent(line.text, line.column).columns >= indent;
  if (!isInside) return false;
  takeIndent(line, indent);
  return true;
}

function takeNoteIndent(line: ContainerLine): boolean {
  const isInside = isBlankText(line.text) || measureIndent(line.text, line.column).columns >= noteIndent;
  if (isInside) takeIndent(line, noteIndent);
  return isInside;
}

function takeIndent(line: ContainerLine, columns: number): void {
  line.text = dropColumns(line.text, line.column, columns);
  line.column += columns;
}

/** The indentation of a line in columns, and the rest of it. A tab extends to the next multiple of four. */
interface Indented {
  readonly columns: number;
  readonly rest: string;
}

/** Measures the white space at the start of `text`, which begins in column `column`. */
export function measureIndent(text: string, column: number): Indented {
  let columns = 0;
  let at = 0;
  for (; at < text.length; at++) {
    if (text[at] === " ") columns += 1;
    else if (text[at] === "\t") columns += 4 - ((column + columns) % 4);
    else break;
  }
  return { columns, rest: text.slice(at) };
}

/** Removes `count` columns of white space; the rest of a tab becomes spaces. */
export function dropColumns(text: string, column: number, count: number): string {
  let columns = 0;
  let at = 0;
  while (columns < count && (text[at] === " " || text[at] === "\t")) {
    columns += text[at] === " " ? 1 : 4 - ((column + columns) % 4);
    at++;
  }
  return " ".repeat(Math.max(0, columns - count)) + text.slice(at);
}

export function isBlankText(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

export function isRule(text: string): boolean {
  return /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(text);
}

/** `#` to `######`, followed by white space. */
export function headingStart(text: string): { readonly level: number; readonly rest: string } | undefined {
  const marks = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0];
  return marks ? { level: marks.length, rest: text.slice(marks.length).replace(/^[ \t]+/, "") } : undefined;
}

export interface Fence {
  readonly mark: string;
  readonly length: number;
  /** Columns of indentation that are removed from its lines. */
  readonly indent: number;
  readonly info: string;
}

export function fenceStart(text: string, indent: number): Fence | undefined {
  const match = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(text);
  if (!match) return undefined;
  const run = match[1] ?? match[3] ?? "";
  return {
    mark: run.charAt(0),
    length: run.length,
    indent,
    info: unescaped(trimmed(match[2] ?? match[4] ?? "")),
  };
}

export function closesFence(text: string, { mark, length }: Fence): boolean {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(text)?.[1];
  return run?.startsWith(mark) === true && run.length >= length;
}

export interface ListMark {
  /** Shared by all items of a list: the bullet, or the character after the number. */
  readonly sign: string;
  readonly ordered: boolean;
  readonly start: number;
  readonly width: number;
  readonly rest: string;
}

export function listMark(text: string): ListMark | undefined {
  const match = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(text);
  if (!match) return undefined;
  const [whole, bullet, number, sign] = match;
  return {
    sign: bullet ?? sign ?? "",
    ordered: bullet === undefined,
    start: Number(number ?? 1),
    width: whole.length,
    rest: text.slice(whole.length),
  };
}

const containerMarks = /^(?:(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)+/;
/** A line that so far consists of possible marks only. */
const onlyMarks = /^[-+*_=#`~>|:.)\d\s]*$/;

/**
 * True if the start of a line outside of code already decides its kind: a heading, an item, text. Rules, underlines,
 * fences and formulas are decided only when the line is complete.
 */
export function isDecidedText(text: string): boolean {
  const content = text.trimStart().replace(containerMarks, "");
  return !/^(?:`{3}|~{3}|\$\$?|\\\[?|\[\^?[^\]\s]{0,40}\]?$)/.test(content) && !onlyMarks.test(content);
}
