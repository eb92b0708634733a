import { createBlockTree } from "./blockTree.ts";
import { createCode } from "./codeLeaf.ts";
import { type ContainerLine, isDecidedText, matchContainers } from "./containers.ts";
import type { DrawContext } from "./drawContext.ts";
import { createHeading } from "./headingLeaf.ts";
import { createInlineText } from "./inlineText.ts";
import { createPlain, type Leaf, type PlainLeaf } from "./leaf.ts";
import {
  closesFence,
  dropColumns,
  type Fence,
  fenceStart,
  headingStart,
  isBlankText,
  isRule,
  listMark,
  measureIndent,
  tableAlignments,
} from "./lineSyntax.ts";
import { createMath, type MathLeaf } from "./mathLeaf.ts";
import { mathStart } from "./mathSyntax.ts";
import { createParagraph, footnoteStart, type Paragraph } from "./paragraphLeaf.ts";
import { tableCells } from "./tableCells.ts";
import { createTable } from "./tableLeaf.ts";

/** The one block that takes text, with what it needs to know of the next line. */
interface Open {
  readonly leaf: Leaf;
  readonly paragraph?: Paragraph;
  readonly fence?: Fence;
  readonly math?: { readonly leaf: MathLeaf; readonly closer: string };
  /** Code by indentation: empty lines at its end are none of it, so they wait. */
  readonly indented?: { readonly blanks: string[] };
  /** What is left of an answer of which too much has been drawn. */
  readonly rest?: PlainLeaf;
}

const restNote = "The rest of this answer is shown as it was written: it has too many parts to be drawn.";
const restPartLength = 4096;

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
  const { budget } = context;
  let open: Open | undefined;
  /** What takes the rest of the line; undefined where the line has none to take. */
  let sink: Leaf | undefined;

  const closeLeaf = () => {
    open?.leaf.finish();
    open = undefined;
  };
  const tree = createBlockTree(root, budget, closeLeaf);
  const begin = (next: Open, text: string) => {
    open = next;
    sink = next.leaf;
    appendTo(next.leaf, text);
  };
  const appendTo = (leaf: Leaf, text: string) => {
    leaf.append(text);
    if (leaf.kind === "paragraph" || leaf.kind === "heading" || leaf.kind === "table") budget.addText(text);
  };
  /** A line of what is left once too much has been drawn. */
  const goOnInRest = (text: string) => {
    if (!open?.rest) {
      tree.closeTo(1);
      made(tree.place(), "p", "cut-note").append(restNote);
    }
    if (open?.rest && open.rest.length < restPartLength) return begin(open, text);
    const leaf = createPlain(tree.place());
    begin({ leaf, rest: leaf }, text);
  };

  /** A line of the code that is open; false where it is none, so that it is looked at like any other. */
  const goesOnInCode = ({ text, column }: ContainerLine): boolean => {
    if (open?.fence) {
      if (closesFence(text, open.fence)) closeLeaf();
      else begin(open, dropColumns(text, column, open.fence.indent));
      return true;
    }
    if (!open?.indented) return false;
    if (isBlankText(text)) {
      open.indented.blanks.push(dropColumns(text, column, 4));
      tree.wasBlank = true;
      return true;
    }
    if (measureIndent(text, column).columns < 4) return false;
    for (const blank of open.indented.blanks.splice(0)) {
      open.leaf.append(blank);
      open.leaf.endLine();
    }
    tree.wasBlank = false;
    begin(open, dropColumns(text, column, 4));
    return true;
  };

  /** Opens the blocks that begin in this line. Returns whether it is used up, and how deep it has come. */
  const startBlocks = (
    line: ContainerLine,
    matched: number,
  ): { readonly isDone: boolean; readonly depth: number } => {
    let depth = matched;
    let paragraph = matched === tree.open.length ? open?.paragraph : undefined;
    for (;;) {
      const { columns, rest } = measureIndent(line.text, line.column);
      if (rest === "" || (columns >= 4 && open?.paragraph)) return { isDone: false, depth };
      if (columns >= 4) {
        tree.closeTo(depth);
        const leaf = createCode(tree.place(), "", context);
        begin({ leaf, indented: { blanks: [] } }, dropColumns(line.text, line.column, 4));
        return { isDone: true, depth };
      }
      if (paragraph && changesParagraph(rest, paragraph)) return { isDone: true, depth };
      // Its definitions may have been all that it was.
      if (!open) paragraph = undefined;
      const mark = isRule(rest) ? undefined : listMark(rest);
      const isTooDeep = depth >= deepest;
      const interrupts = mark && (!paragraph || (!isBlankText(mark.rest) && mark.start === 1));
      if (rest.startsWith(">") && !isTooDeep) {
        tree.closeTo(depth);
        tree.openQuote(line);
      } else if (mark && interrupts && !isTooDeep) {
        tree.closeTo(depth);
        tree.openItem(line, mark, columns);
      } else {
        return { isDone: startLeaf(rest, columns, depth), depth };
      }
      depth = tree.open.length;
      paragraph = undefined;
    }
  };
  const startLeaf = (rest: string, columns: number, depth: number): boolean => {
    const heading = headingStart(rest);
    const fence = fenceStart(rest, columns);
    const math = heading || fence ? undefined : mathStart(rest);
    if (!heading && !fence && !math && !isRule(rest)) return false;
    tree.closeTo(depth);
    const parent = tree.place();
    if (heading) begin({ leaf: createHeading(parent, heading.level, context) }, heading.rest);
    else if (fence) open = { leaf: createCode(parent, fence.info, context), fence };
    else if (math) openMath(parent, math);
    else made(parent, "hr");
    return true;
  };
  const openMath = (parent: Element, { closer, rest }: NonNullable<ReturnType<typeof mathStart>>) => {
    const leaf = createMath(parent, closer === "$$" ? "$$" : "\\[", context);
    begin({ leaf, math: { leaf, closer } }, rest === "" ? "" : `${rest}`);
  };
  /** A line of the formula that is open. An empty one ends it, as in TeX: what came of it stays text. */
  const goesOnInMath = (text: string): boolean => {
    if (!open?.math || isBlankText(text)) return false;
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
  /** A line that gives the paragraph above it another meaning: a heading's underline, or a table's. */
  const changesParagraph = (rest: string, paragraph: Paragraph): boolean => {
    const underline = /^(?:(=+)|-+)[ \t]*$/.exec(rest);
    if (paragraph.isNote && (underline || footnoteStart(paragraph.lastLine))) return false;
    if (underline) return becomesHeading(paragraph, underline[1] ? "h1" : "h2");
    const alignments = tableAlignments(rest);
    if (!alignments || !paragraph.lastLine.includes("|")) return false;
    const header = tableCells(paragraph.lastLine);
    if (header.length !== alignments.length) return false;
    paragraph.takeLastLine();
    open = { leaf: createTable(tree.place(), header, alignments, context) };
    return true;
  };
  const becomesHeading = (paragraph: Paragraph, tag: "h1" | "h2"): boolean => {
    const text = paragraph.takeAll();
    open = undefined;
    if (text === "") return false;
    const inline = createInlineText(made(tree.top.element, tag), context);
    inline.append(text);
    inline.finish();
    return true;
  };
  const addText = (text: string, depth: number, isAfterMark: boolean) => {
    // A paragraph goes on in a line that lacks its containers' marks; nothing else does.
    if (!open?.paragraph) tree.closeTo(depth);
    if (text === "") return;
    if (open?.paragraph && footnoteStart(text)) closeLeaf();
    if (open?.paragraph || open?.leaf.kind === "table") return begin(open, text);
    const isTask = isAfterMark && tree.top.kind === "item" && tree.top.children === 0;
    const paragraph = createParagraph(tree.place(), context, isTask);
    begin({ leaf: paragraph, paragraph }, text);
  };
  const endByBlank = (depth: number) => {
    tree.closeTo(depth);
    closeLeaf();
    // What an empty line in a quote parts, it parts inside of the quote.
    tree.wasBlank = tree.top.kind !== "quote";
  };
  return {
    beginLine(text) {
      sink = undefined;
      if (open?.rest) return goOnInRest(text);
      const line = { text, column: 0 };
      const matched = matchContainers(tree.open, line);
      if (matched === tree.open.length && (goesOnInCode(line) || goesOnInMath(line.text))) return;
      if (isBlankText(line.text)) return endByBlank(matched);
      if (budget.isSpent) return goOnInRest(text);
      const { isDone, depth } = startBlocks(line, matched);
      if (!isDone) addText(measureIndent(line.text, 0).rest, depth, depth > matched);
    },
    append(text) {
      if (sink) appendTo(sink, text);
    },
    endLine() {
      sink?.endLine();
      if (sink?.kind === "paragraph") budget.addText("\n");
      if (sink?.kind === "heading") closeLeaf();
      sink = undefined;
    },
    isDecided(text) {
      if (open?.rest) return true;
      const line = { text, column: 0 };
      const matched = matchContainers(tree.open, line);
      if (isBlankText(line.text)) return false;
      if (matched === tree.open.length && open?.fence) return !/^ {0,3}[`~]*[ \t]*$/.test(line.text);
      // Its end may close the formula.
      if (matched === tree.open.length && open?.math) return false;
      return isDecidedText(line.text);
    },
    draw() {
      open?.leaf.draw();
    },
    finish() {
      tree.closeTo(1);
      closeLeaf();
    },
  };
}

function made(parent: Element, tag: "hr" | "h1" | "h2" | "p", className = ""): HTMLElement {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  parent.append(element);
  return element;
}
