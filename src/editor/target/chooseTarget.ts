import type { LineSpan } from "../../shared/lineSpan.ts";
import { blockAround, type Lines } from "../edit/text/blockAround.ts";
import { contains, isEmpty, union } from "../edit/text/span.ts";
import { paragraphAround } from "./prose.ts";

/** A symbol of the language server: a function, a class, a constant. */
export interface SymbolSpan {
  readonly span: LineSpan;
  /** True for functions, classes and similar; other symbols are used only if they span several lines. */
  readonly isBlock: boolean;
}

export interface TargetSource extends Lines {
  /** The main selection first. */
  readonly selections: readonly LineSpan[];
  /** At all levels, in any order. */
  readonly symbols: readonly SymbolSpan[];
  /** True in prose, whose blocks are paragraphs. */
  readonly isProse?: boolean;
}

/**
 * The target of an action: the selection, rounded to whole lines if it spans several. For empty or several selections,
 * the smallest symbol that contains them all, with the comment above it. Without symbols, the block around them by
 * indentation, else their lines. In prose, the paragraphs of the selections.
 */
export function chooseTarget({ selections, symbols, line, lineCount, isProse }: TargetSource): LineSpan {
  const [first, ...others] = selections;
  if (!first) throw new Error("an editor has at least one selection");
  if (others.length === 0 && !isEmpty(first)) return wholeLines(first, line);
  const all = others.reduce(union, first);
  if (isProse) return paragraphs(all, { line, lineCount });
  const around = symbols
    .filter(({ span, isBlock }) => contains(span, all) && (isBlock || span.endLine > span.startLine))
    .sort((a, b) => lines(a.span) - lines(b.span) || (contains(a.span, b.span) ? 1 : -1))[0];
  if (around) return withComment(fullLines(around.span, line), line);
  const rows = fullLines(all, line);
  const block = blockAround(rows.startLine, { line, lineCount });
  if (!block || block.endLine < rows.endLine) return rows;
  return withComment(fullLines({ ...block, startCharacter: 0, endCharacter: 1 }, line), line);
}

function paragraphs(all: LineSpan, lines: Lines): LineSpan {
  const rows = fullLines(all, lines.line);
  const first = paragraphAround(rows.startLine, lines);
  const last = paragraphAround(rows.endLine, lines);
  const startLine = first?.startLine ?? rows.startLine;
  const endLine = Math.max(last?.endLine ?? rows.endLine, startLine);
  return fullLines({ startLine, startCharacter: 0, endLine, endCharacter: 1 }, lines.line);
}

/** Part of a line is unchanged; a selection of its whole text is rounded to whole lines to preserve indentation. */
function wholeLines(span: LineSpan, line: TargetSource["line"]): LineSpan {
  const { startLine, startCharacter, endLine, endCharacter } = span;
  if (startLine !== endLine) return fullLines(span, line);
  const text = line(startLine);
  const isWhole = (text.slice(0, startCharacter) + text.slice(endCharacter)).trim() === "";
  return isWhole ? fullLines(span, line) : span;
}

function fullLines({ startLine, endLine, endCharacter }: LineSpan, line: TargetSource["line"]): LineSpan {
  // A selection that ends at column 0 does not include that line.
  const last = endCharacter === 0 && endLine > startLine ? endLine - 1 : endLine;
  return { startLine, startCharacter: 0, endLine: last, endCharacter: line(last).length };
}

const commentOrDecorator = /^\s*(\/\/|\/\*|\*|#|@|--|;;|""")/;

function withComment(span: LineSpan, line: TargetSource["line"]): LineSpan {
  let { startLine } = span;
  while (startLine > 0 && commentOrDecorator.test(line(startLine - 1))) startLine -= 1;
  return { ...span, startLine };
}

function lines({ startLine, endLine }: LineSpan): number {
  return endLine - startLine;
}
