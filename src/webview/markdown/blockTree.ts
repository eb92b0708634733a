import { type Container, type ContainerLine, type Root, takeQuoteMark } from "./containers.ts";
import { settleDirection } from "./direction.ts";
import type { DrawBudget } from "./drawBudget.ts";
import { dropColumns, type ListMark, measureIndent } from "./lineSyntax.ts";

/** Chunks out of sight need no layout, so that a long answer costs no more per line than a short one. */
const blocksPerChunk = 24;
const chunksPerSection = 8;
/** A browser looks through all items of a list when its last one grows: a long one holds them in parts. */
const itemsPerPart = 48;

/** The blocks that hold blocks, of which the innermost takes the next one, as elements. */
export interface BlockTree {
  /** From the root on inwards. */
  readonly open: readonly Container[];
  readonly top: Container;
  /** Whether an empty line came last: a gap in a list makes it a loose one. */
  wasBlank: boolean;
  /** Closes what is deeper, and the block in it. */
  closeTo(depth: number): void;
  /** Where a new block goes. It ends the block before it, and a list that it is no item of. */
  place(): Element;
  openQuote(line: ContainerLine): void;
  /** The line is left with what stands behind the mark. */
  openItem(line: ContainerLine, mark: ListMark, columns: number): void;
}

/** `closeLeaf` ends the block that takes text. */
export function createBlockTree(root: Element, budget: DrawBudget, closeLeaf: () => void): BlockTree {
  const open: Container[] = [{ kind: "root", element: root, children: 0 }];
  let section = root;
  const top = () => open[open.length - 1] as Container;
  const openChunk = (parent: Root) => {
    if (parent.children % blocksPerChunk > 0) return;
    if (parent.children % (blocksPerChunk * chunksPerSection) === 0) section = group(root, "chunk");
    parent.element = group(section, "chunk");
  };
  const place = (isItem: boolean): Element => {
    closeLeaf();
    if (!isItem && top().kind === "list") open.pop();
    const parent = top();
    // A gap between two items, or between two blocks of an item, makes the list a loose one.
    if (tree.wasBlank && parent.children > 0) {
      if (parent.kind === "list") parent.element.classList.remove("tight");
      if (parent.kind === "item") parent.list.classList.remove("tight");
    }
    tree.wasBlank = false;
    budget.addElements(1);
    if (parent.children > 0 && parent.children % blocksPerChunk === 0) settleDirection(parent.element);
    if (parent.kind === "root") openChunk(parent);
    if (parent.kind === "list" && parent.children > 0 && parent.children % itemsPerPart === 0)
      parent.part = group(parent.element, "list-part");
    parent.children += 1;
    return parent.kind === "list" ? parent.part : parent.element;
  };
  const openList = ({ ordered, sign, start }: ListMark) => {
    const element = made(place(false), ordered ? "ol" : "ul");
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
      open.push({ kind: "quote", element: made(place(false), "blockquote"), children: 0 });
      takeQuoteMark(line);
    },
    openItem(line, mark, columns) {
      const current = top();
      if (current.kind !== "list" || current.sign !== mark.sign) openList(mark);
      const list = top().element;
      if (mark.ordered) widenFor(top());
      const column = line.column + columns + mark.width;
      const gap = measureIndent(mark.rest, column);
      // Five columns and more are one column and indented code; nothing at all counts as one too.
      const width = gap.rest === "" || gap.columns > 4 ? 1 : gap.columns;
      const element = made(place(true), "li");
      open.push({ kind: "item", element, children: 0, list, indent: columns + mark.width + width });
      line.text = dropColumns(mark.rest, column, width);
      line.column = column + width;
    },
  };
  return tree;
}

/** Numbers stand before the items: the longest says how much room they need. */
function widenFor(list: Container): void {
  if (list.kind !== "list") return;
  const digits = String(list.start + list.children).length;
  const isLonger = list.children === 0 ? digits > 1 : digits > String(list.start + list.children - 1).length;
  if (isLonger && list.element instanceof HTMLElement)
    list.element.style.setProperty("--digits", String(digits));
}

function group(parent: Element, className: "chunk" | "list-part"): Element {
  const element = document.createElement("div");
  element.className = className;
  parent.append(element);
  return element;
}

function made(parent: Element, tag: "blockquote" | "ul" | "ol" | "li"): HTMLElement {
  const element = document.createElement(tag);
  // Signs and bars stand on the side where the text begins.
  if (tag !== "li") element.dir = "auto";
  parent.append(element);
  return element;
}
