import { createCode } from "./codeLeaf.ts";
import {
  type Container,
  isDecidedText,
  type Line,
  matchContainers,
  type Root,
  takeQuoteMark,
} from "./containers.ts";
import type { DrawContext } from "./drawContext.ts";
import { createHeading } from "./headingLeaf.ts";
import { createInlineText } from "./inlineText.ts";
import type { Leaf } from "./leaf.ts";
import {
  closesFence,
  dropColumns,
  type Fence,
  fenceStart,
  headingStart,
  indentOf,
  isBlank,
  isRule,
  type ListMark,
  listMark,
  tableAlignments,
  tableCells,
} from "./lineSyntax.ts";
import { createMath, type MathLeaf } from "./mathLeaf.ts";
import { mathStart } from "./mathSyntax.ts";
import { createParagraph, footnoteStart, type Paragraph } from "./paragraphLeaf.ts";
import { createTable } from "./tableLeaf.ts";

/** The one block that takes text, with what it needs to know of the next line. */
interface Open {
  readonly leaf: Leaf;
  readonly paragraph?: Paragraph;
  readonly fence?: Fence;
  readonly math?: { readonly leaf: MathLeaf; readonly closer: string };
  /** Code by indentation: empty lines at its end are none of it, so they wait. */
  readonly indented?: { readonly blanks: string[] };
}

/** Chunks out of sight need no layout, so that a long answer costs no more per line than a short one. */
const blocksPerChunk = 24;
const chunksPerSection = 8;
/** A browser looks through all items of a list when its last one grows: a long one holds them in parts. */
const itemsPerPart = 48;
/** Quotes and lists within each other, so deep, are text: browsers give up on trees that are much deeper. */
const deepest = 40;

/**
 * Reads blocks line by line, by the rules of CommonMark's appendix, straight into elements: what is closed is never
 * looked at again. Tables are GitHub's; HTML blocks are not known, their text is text.
 */
export interface Blocks {
  /** Begins a line that is complete, or of which enough is there (`isDecided`) and more follows by `append`. */
  beginLine(text: string): void;
  append(text: string): void;
  endLine(): void;
  /** Whether a line that begins like this may be begun, whatever follows. */
  isDecided(text: string): boolean;
  draw(): void;
  finish(): void;
}

export function createBlocks(root: Element, context: DrawContext): Blocks {
  const containers: Container[] = [{ kind: "root", element: root, children: 0 }];
  let open: Open | undefined;
  /** What takes the rest of the line; undefined where the line has none to take. */
  let sink: Leaf | undefined;
  let wasBlank = false;
  let section = root;

  const top = () => containers[containers.length - 1] as Container;
  const closeLeaf = () => {
    open?.leaf.finish();
    open = undefined;
  };
  const closeTo = (depth: number) => {
    if (containers.length > depth) closeLeaf();
    containers.length = depth;
  };
  /** Where a new block goes. It ends the block before it, and a list that it is no item of. */
  const place = (isItem = false): Element => {
    closeLeaf();
    if (!isItem && top().kind === "list") containers.pop();
    const parent = top();
    // A gap between two items, or between two blocks of an item, makes the list a loose one.
    if (wasBlank && parent.children > 0) {
      if (parent.kind === "list") parent.element.classList.remove("tight");
      if (parent.kind === "item") parent.list.classList.remove("tight");
    }
    wasBlank = false;
    if (parent.kind === "root") openChunk(parent);
    if (parent.kind === "list" && parent.children > 0 && parent.children % itemsPerPart === 0)
      parent.part = group(parent.element, "list-part");
    parent.children += 1;
    return parent.kind === "list" ? parent.part : parent.element;
  };
  const openChunk = (parent: Root) => {
    if (parent.children % blocksPerChunk > 0) return;
    if (parent.children % (blocksPerChunk * chunksPerSection) === 0) section = group(root, "chunk");
    parent.element = group(section, "chunk");
  };
  const begin = (next: Open, text: string) => {
    open = next;
    sink = next.leaf;
    next.leaf.append(text);
  };

  /** A line of the code that is open; false where it is none, so that it is looked at like any other. */
  const goesOnInCode = ({ text, column }: Line): boolean => {
    if (open?.fence) {
      if (closesFence(text, open.fence)) closeLeaf();
      else begin(open, dropColumns(text, column, open.fence.indent));
      return true;
    }
    if (!open?.indented) return false;
    if (isBlank(text)) {
      open.indented.blanks.push(dropColumns(text, column, 4));
      wasBlank = true;
      return true;
    }
    if (indentOf(text, column).columns < 4) return false;
    for (const blank of open.indented.blanks.splice(0)) {
      open.leaf.append(blank);
      open.leaf.endLine();
    }
    wasBlank = false;
    begin(open, dropColumns(text, column, 4));
    return true;
  };

  /** Opens the blocks that begin in this line. Returns whether it is used up, and how deep it has come. */
  const startBlocks = (line: Line, matched: number): { readonly isDone: boolean; readonly depth: number } => {
    let depth = matched;
    let paragraph = matched === containers.length ? open?.paragraph : undefined;
    for (;;) {
      const { columns, rest } = indentOf(line.text, line.column);
      if (rest === "" || (columns >= 4 && open?.paragraph)) return { isDone: false, depth };
      if (columns >= 4) {
        closeTo(depth);
        const leaf = createCode(place(), "", context.highlighter);
        begin({ leaf, indented: { blanks: [] } }, dropColumns(line.text, line.column, 4));
        return { isDone: true, depth };
      }
      if (paragraph && changesParagraph(rest, paragraph)) return { isDone: true, depth };
      // Its definitions may have been all that it was.
      if (!open) paragraph = undefined;
      const mark = isRule(rest) ? undefined : listMark(rest);
      const isTooDeep = depth >= deepest;
      const interrupts = mark && (!paragraph || (!isBlank(mark.rest) && mark.start === 1));
      if (rest.startsWith(">") && !isTooDeep) {
        closeTo(depth);
        containers.push({ kind: "quote", element: made(place(), "blockquote"), children: 0 });
        takeQuoteMark(line);
      } else if (mark && interrupts && !isTooDeep) {
        closeTo(depth);
        openItem(line, mark, columns);
      } else {
        return { isDone: startLeaf(rest, columns, depth), depth };
      }
      depth = containers.length;
      paragraph = undefined;
    }
  };
  const startLeaf = (rest: string, columns: number, depth: number): boolean => {
    const heading = headingStart(rest);
    const fence = fenceStart(rest, columns);
    const math = heading || fence ? undefined : mathStart(rest);
    if (!heading && !fence && !math && !isRule(rest)) return false;
    closeTo(depth);
    const parent = place();
    if (heading) begin({ leaf: createHeading(parent, heading.level, context) }, heading.rest);
    else if (fence) open = { leaf: createCode(parent, fence.info, context.highlighter), fence };
    else if (math) openMath(parent, math);
    else made(parent, "hr");
    return true;
  };
  const openMath = (parent: Element, { closer, rest }: NonNullable<ReturnType<typeof mathStart>>) => {
    const leaf = createMath(parent, closer === "$$" ? "$$" : "\\[", context.typesetter);
    begin({ leaf, math: { leaf, closer } }, rest === "" ? "" : `${rest}`);
  };
  /** A line of the formula that is open. An empty one ends it, as in TeX: what came of it stays text. */
  const goesOnInMath = (text: string): boolean => {
    if (!open?.math || isBlank(text)) return false;
    const { leaf, closer } = open.math;
    const line = text.trimEnd();
    if (line.endsWith(closer)) {
      leaf.append(line.slice(0, -closer.length));
      leaf.close();
      closeLeaf();
    } else {
      begin(open, text);
    }
    return true;
  };
  const openItem = (line: Line, mark: ListMark, columns: number) => {
    const current = top();
    if (current.kind !== "list" || current.sign !== mark.sign) {
      const element = made(place(), mark.ordered ? "ol" : "ul");
      element.className = "tight";
      if (mark.ordered && mark.start !== 1) element.setAttribute("start", String(mark.start));
      const { sign, start } = mark;
      containers.push({ kind: "list", element, part: element, children: 0, sign, start });
    }
    const list = top().element;
    if (mark.ordered) widenFor(top());
    const column = line.column + columns + mark.width;
    const gap = indentOf(mark.rest, column);
    // Five columns and more are one column and indented code; nothing at all counts as one too.
    const width = gap.rest === "" || gap.columns > 4 ? 1 : gap.columns;
    const element = made(place(true), "li");
    containers.push({ kind: "item", element, children: 0, list, indent: columns + mark.width + width });
    line.text = dropColumns(mark.rest, column, width);
    line.column = column + width;
  };

  /** Numbers stand before the items: the longest says how much room they need. */
  const widenFor = (list: Container) => {
    const digits = list.kind === "list" ? String(list.start + list.children).length : 1;
    if (digits > 1 && list.element instanceof HTMLElement)
      list.element.style.setProperty("--digits", String(digits));
  };

  /** A line that gives the paragraph above it another meaning: a heading's underline, or a table's. */
  const changesParagraph = (rest: string, paragraph: Paragraph): boolean => {
    const underline = /^(?:(=+)|-+)[ \t]*$/.exec(rest);
    if (paragraph.isNote && (underline || footnoteStart(paragraph.lastLine))) return false;
    if (underline) return becomesHeading(paragraph, underline[1] ? "h1" : "h2");
    const alignments = tableAlignments(rest);
    const header = alignments && tableCells(paragraph.lastLine);
    if (!paragraph.lastLine.includes("|") || header?.length !== alignments?.length) return false;
    paragraph.takeLastLine();
    const parent = place();
    open = { leaf: createTable(parent, header ?? [], alignments ?? [], context) };
    return true;
  };
  const becomesHeading = (paragraph: Paragraph, tag: "h1" | "h2"): boolean => {
    const text = paragraph.takeAll();
    open = undefined;
    if (text === "") return false;
    const inline = createInlineText(made(top().element, tag), context);
    inline.append(text);
    inline.finish();
    return true;
  };
  const addText = (text: string, depth: number) => {
    // A paragraph goes on in a line that lacks its containers' marks; nothing else does.
    if (!open?.paragraph) closeTo(depth);
    if (text === "") return;
    if (open?.paragraph && footnoteStart(text)) closeLeaf();
    if (open?.paragraph || open?.leaf.kind === "table") return begin(open, text);
    const isTask = top().kind === "item" && top().children === 0;
    const paragraph = createParagraph(place(), context, isTask);
    begin({ leaf: paragraph, paragraph }, text);
  };
  const endByBlank = (depth: number) => {
    closeTo(depth);
    closeLeaf();
    // What an empty line in a quote parts, it parts inside of the quote.
    wasBlank = top().kind !== "quote";
  };
  return {
    beginLine(text) {
      sink = undefined;
      const line = { text, column: 0 };
      const matched = matchContainers(containers, line);
      if (matched === containers.length && (goesOnInCode(line) || goesOnInMath(line.text))) return;
      if (isBlank(line.text)) return endByBlank(matched);
      const { isDone, depth } = startBlocks(line, matched);
      if (!isDone) addText(line.text.trimStart(), depth);
    },
    append(text) {
      sink?.append(text);
    },
    endLine() {
      sink?.endLine();
      if (sink?.kind === "heading") closeLeaf();
      sink = undefined;
    },
    isDecided(text) {
      const line = { text, column: 0 };
      const matched = matchContainers(containers, line);
      if (isBlank(line.text)) return false;
      if (matched === containers.length && open?.fence) return !/^ {0,3}[`~]*[ \t]*$/.test(line.text);
      // Its end may close the formula.
      if (matched === containers.length && open?.math) return false;
      return isDecidedText(line.text);
    },
    draw() {
      open?.leaf.draw();
    },
    finish() {
      closeTo(1);
      closeLeaf();
    },
  };
}

function group(parent: Element, className: "chunk" | "list-part"): Element {
  const element = document.createElement("div");
  element.className = className;
  parent.append(element);
  return element;
}

function made(parent: Element, tag: "blockquote" | "hr" | "ul" | "ol" | "li" | "h1" | "h2"): HTMLElement {
  const element = document.createElement(tag);
  // Signs and bars stand on the side where the text begins.
  if (tag === "blockquote" || tag === "ul" || tag === "ol") element.dir = "auto";
  parent.append(element);
  return element;
}
