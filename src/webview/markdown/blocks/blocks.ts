import { createCode } from "../code.ts";
import { addElement, createPlain, type Leaf, type PlainLeaf } from "../drawing.ts";
import { createMath, type MathLeaf, mathStart } from "../engines/math.ts";
import type { DrawContext } from "../inline/drawInline.ts";
import { createInlineText } from "../inline/inlineText.ts";
import {
  type BlockTree,
  type ContainerLine,
  closesFence,
  createBlockTree,
  dropColumns,
  type Fence,
  fenceStart,
  headingStart,
  isBlankText,
  isDecidedText,
  isRule,
  listMark,
  matchContainers,
  measureIndent,
  noteIndent,
} from "./blockTree.ts";
import { createHeading, createParagraph, footnoteStart, type Paragraph } from "./leaves.ts";
import { createTable, tableAlignments, tableCells } from "./table.ts";

/**
 * Reads blocks line by line into elements, by the rules of CommonMark's appendix. A closed block is never looked at
 * again. Tables follow GitHub's dialect. HTML blocks are not supported: their text is shown as text.
 */
export interface Blocks {
  /** Begins a line that is complete, or whose start is decided (`isDecided`) and that grows by `append`. */
  beginLine(text: string): void;
  append(text: string): void;
  endLine(): void;
  /** True if the meaning of a line that begins like this no longer depends on the rest of it. */
  isDecided(text: string): boolean;
  draw(): void;
  finish(): void;
}

/** The leaf that takes text, and the facts that decide whether the next line continues it. */
interface OpenLeaf {
  readonly leaf: Leaf;
  readonly paragraph?: Paragraph;
  readonly fence?: Fence;
  readonly math?: { readonly leaf: MathLeaf; readonly closer: string };
  /** Indented code. Blank lines at its end do not belong to it, so they are held back. */
  readonly indented?: { readonly blanks: string[] };
  /** The plain text after the drawing budget was spent. */
  readonly rest?: PlainLeaf;
}

interface BlockState {
  readonly context: DrawContext;
  readonly tree: BlockTree;
  open: OpenLeaf | undefined;
  /** Takes the rest of the current line; undefined if the line has no text of its own. */
  sink: Leaf | undefined;
}

const restNote = "The rest of this answer is shown as it was written: it has too many parts to be drawn.";
const restPartLength = 4096;

/** Deeper quotes and lists are shown as text: browsers fail on trees that are much deeper. */
const deepest = 40;

export function createBlocks(root: Element, context: DrawContext): Blocks {
  const tree = createBlockTree(root, context.budget, () => closeLeaf(state));
  const state: BlockState = { context, tree, open: undefined, sink: undefined };
  return {
    beginLine: (text) => beginLine(state, text),
    append(text) {
      if (state.sink) appendTo(state, state.sink, text);
    },
    endLine() {
      const { sink } = state;
      sink?.endLine();
      if (sink?.kind === "paragraph") context.budget.addText("\n");
      if (sink?.kind === "heading") closeLeaf(state);
      state.sink = undefined;
    },
    isDecided: (text) => isDecided(state, text),
    draw() {
      state.open?.leaf.draw();
    },
    finish() {
      tree.closeTo(1);
      closeLeaf(state);
    },
  };
}

function beginLine(state: BlockState, text: string): void {
  const { tree } = state;
  state.sink = undefined;
  if (state.open?.rest) {
    continueRest(state, state.open.rest, text);
    return;
  }
  const line = { text, column: 0 };
  const matched = matchContainers(tree.open, line);
  if (matched === tree.open.length && (continueCode(state, line) || continueMath(state, line.text))) return;
  if (isBlankText(line.text)) {
    endByBlank(state, matched);
  } else if (state.context.budget.isSpent) {
    startRest(state, text);
  } else {
    const { isDone, depth } = startBlocks(state, line, matched);
    if (!isDone) addText(state, measureIndent(line.text, 0).rest, depth, depth > matched);
  }
}

function isDecided({ open, tree }: BlockState, text: string): boolean {
  if (open?.rest) return true;
  const line = { text, column: 0 };
  const matched = matchContainers(tree.open, line);
  if (isBlankText(line.text)) return false;
  if (matched === tree.open.length && open?.fence) return !/^ {0,3}[`~]*[ \t]*$/.test(line.text);
  // The end of the line may close the formula.
  if (matched === tree.open.length && open?.math) return false;
  return isDecidedText(line.text);
}

function closeLeaf(state: BlockState): void {
  state.open?.leaf.finish();
  state.open = undefined;
}

/** Opens a leaf, or continues the open one, with the text of the current line. */
function giveLine(state: BlockState, open: OpenLeaf, text: string): void {
  state.open = open;
  state.sink = open.leaf;
  appendTo(state, open.leaf, text);
}

function appendTo({ context }: BlockState, leaf: Leaf, text: string): void {
  leaf.append(text);
  if (leaf.kind === "paragraph" || leaf.kind === "heading" || leaf.kind === "table")
    context.budget.addText(text);
}

/** Shows this line and all that follow as plain text because the drawing budget is spent. */
function startRest(state: BlockState, text: string): void {
  state.tree.closeTo(1);
  addElement(state.tree.place(), "p", "cut-note").append(restNote);
  continueRest(state, createPlain(state.tree.place()), text);
}

function continueRest(state: BlockState, rest: PlainLeaf, text: string): void {
  const leaf = rest.length < restPartLength ? rest : createPlain(state.tree.place());
  giveLine(state, { leaf, rest: leaf }, text);
}

/** Adds the line to the open code. Returns false if it does not belong to it and needs to be read as a block. */
function continueCode(state: BlockState, { text, column }: ContainerLine): boolean {
  const { open, tree } = state;
  if (open?.fence) {
    if (closesFence(text, open.fence)) closeLeaf(state);
    else giveLine(state, open, dropColumns(text, column, open.fence.indent));
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
  giveLine(state, open, dropColumns(text, column, 4));
  return true;
}

/** Adds the line to the open formula. A blank line ends it, as in TeX, and the formula stays text. */
function continueMath(state: BlockState, text: string): boolean {
  const { open } = state;
  if (!open?.math || isBlankText(text)) return false;
  const { leaf, closer } = open.math;
  const { tex, mark = "", rest = "" } = endOfMath(text.trimEnd(), closer) ?? {};
  if (tex !== undefined) {
    // Punctuation behind a formula is set with it.
    leaf.append(tex + mark);
    leaf.close();
    closeLeaf(state);
    if (rest !== "") addText(state, rest, state.tree.open.length, false);
  } else {
    giveLine(state, open, text);
  }
  return true;
}

/** The last part of a formula, and what a writer put behind its end: `$$, where x is one`. */
function endOfMath(line: string, closer: string) {
  const at = line.lastIndexOf(closer);
  if (at < 0) return undefined;
  const [behind, mark, , rest] = /^([.,;:!?]?)(\s+|$)(.*)$/.exec(line.slice(at + closer.length)) ?? [];
  return behind === undefined ? undefined : { tex: line.slice(0, at), mark, rest };
}

function endByBlank(state: BlockState, depth: number): void {
  state.tree.closeTo(depth);
  closeLeaf(state);
  // A blank line inside a quote does not make the list around the quote loose.
  state.tree.wasBlank = state.tree.top.kind !== "quote";
}

/** Opens the blocks that begin in this line. Returns whether the line is used up, and how many containers it is in. */
function startBlocks(
  state: BlockState,
  line: ContainerLine,
  matched: number,
): { readonly isDone: boolean; readonly depth: number } {
  const { tree } = state;
  let depth = matched;
  let paragraph = matched === tree.open.length ? state.open?.paragraph : undefined;
  for (;;) {
    const { columns, rest } = measureIndent(line.text, line.column);
    if (rest === "") return { isDone: false, depth };
    if (openNote(state, line, depth)) {
      depth = tree.open.length;
      paragraph = undefined;
      continue;
    }
    if (columns >= 4) return { isDone: startIndentedCode(state, line, depth), depth };
    if (paragraph && changesParagraph(state, rest, paragraph)) return { isDone: true, depth };
    // The paragraph may have held nothing but definitions.
    const isInParagraph = paragraph !== undefined && state.open !== undefined;
    if (depth >= deepest || !openContainer(tree, line, depth, isInParagraph))
      return { isDone: startLeaf(state, rest, columns, depth), depth };
    depth = tree.open.length;
    paragraph = undefined;
  }
}

/** Opens the note above for an indented line that begins another block of it. */
function openNote(state: BlockState, line: ContainerLine, depth: number): boolean {
  const isIndented = measureIndent(line.text, line.column).columns >= noteIndent;
  if (!isIndented || !continuesNote(state, line, depth)) return false;
  state.tree.openNote(line);
  return true;
}

function continuesNote({ open, tree }: BlockState, line: ContainerLine, depth: number): boolean {
  if (depth !== tree.open.length || depth >= deepest) return false;
  if (!open) return tree.top.kind !== "list" && tree.top.element.lastElementChild?.className === "footnote";
  if (!open.paragraph?.isNote) return false;
  const { columns, rest } = measureIndent(
    dropColumns(line.text, line.column, noteIndent),
    line.column + noteIndent,
  );
  if (columns >= 4) return false;
  const mark = isRule(rest) ? undefined : listMark(rest);
  const isItem = mark !== undefined && !isBlankText(mark.rest) && mark.start === 1;
  return (
    isItem ||
    rest.startsWith(">") ||
    fenceStart(rest, columns) !== undefined ||
    headingStart(rest) !== undefined
  );
}

/** False if the line continues a paragraph. */
function startIndentedCode(state: BlockState, line: ContainerLine, depth: number): boolean {
  const { context, tree } = state;
  if (state.open?.paragraph) return false;
  tree.closeTo(depth);
  const leaf = createCode(tree.place(), "", context);
  giveLine(state, { leaf, indented: { blanks: [] } }, dropColumns(line.text, line.column, 4));
  return true;
}

/** Opens the quote or the list item that begins in this line. False if it begins with neither. */
function openContainer(tree: BlockTree, line: ContainerLine, depth: number, isInParagraph: boolean): boolean {
  const { columns, rest } = measureIndent(line.text, line.column);
  if (rest.startsWith(">")) {
    tree.closeTo(depth);
    tree.openQuote(line);
    return true;
  }
  const mark = isRule(rest) ? undefined : listMark(rest);
  if (!mark) return false;
  const interrupts = !isBlankText(mark.rest) && mark.start === 1;
  if (isInParagraph && !interrupts) return false;
  tree.closeTo(depth);
  tree.openItem(line, mark, columns);
  return true;
}

function startLeaf(state: BlockState, rest: string, columns: number, depth: number): boolean {
  const { context, tree } = state;
  const heading = headingStart(rest);
  const fence = fenceStart(rest, columns);
  const math = heading || fence ? undefined : mathStart(rest);
  if (!heading && !fence && !math && !isRule(rest)) return false;
  tree.closeTo(depth);
  const parent = tree.place();
  if (heading) {
    giveLine(state, { leaf: createHeading(parent, heading.level, context) }, heading.rest);
  } else if (fence) {
    state.open = { leaf: createCode(parent, fence.info, context), fence };
  } else if (math) {
    const leaf = createMath(parent, math.closer === "$$" ? "$$" : "\\[", context);
    giveLine(state, { leaf, math: { leaf, closer: math.closer } }, math.rest);
  } else {
    addElement(parent, "hr");
  }
  return true;
}

/** Applies a line that turns the paragraph above it into a heading or a table. */
function changesParagraph(state: BlockState, rest: string, paragraph: Paragraph): boolean {
  const underline = /^(?:(=+)|-+)[ \t]*$/.exec(rest);
  if (paragraph.isNote && (underline || footnoteStart(paragraph.lastLine))) return false;
  if (underline) return becomesHeading(state, paragraph, underline[1] ? "h1" : "h2");
  const alignments = tableAlignments(rest);
  if (!alignments || !paragraph.lastLine.includes("|")) return false;
  const header = tableCells(paragraph.lastLine);
  if (header.length !== alignments.length) return false;
  paragraph.takeLastLine();
  state.open = { leaf: createTable(state.tree.place(), header, alignments, state.context) };
  return true;
}

function becomesHeading(state: BlockState, paragraph: Paragraph, tag: "h1" | "h2"): boolean {
  const text = paragraph.takeAll();
  state.open = undefined;
  if (text === "") return false;
  const inline = createInlineText(addElement(state.tree.top.element, tag), state.context);
  inline.append(text);
  inline.finish();
  return true;
}

/** Adds text to the open paragraph or table, or opens a paragraph. */
function addText(state: BlockState, text: string, depth: number, isAfterMark: boolean): void {
  const { tree } = state;
  // Only a paragraph continues in a line that lacks the marks of its containers.
  const isNote = footnoteStart(text) !== undefined;
  if (!state.open?.paragraph || isNote) tree.closeTo(depth);
  if (text === "") return;
  if (state.open?.paragraph && isNote) closeLeaf(state);
  if (state.open?.paragraph || state.open?.leaf.kind === "table") {
    giveLine(state, state.open, text);
    return;
  }
  const isTask = isAfterMark && tree.top.kind === "item" && tree.top.children === 0;
  const paragraph = createParagraph(tree.place(), state.context, isTask);
  giveLine(state, { leaf: paragraph, paragraph }, text);
}
