import { dropColumns, isBlankText, measureIndent } from "./lineSyntax.ts";

interface Base {
  readonly element: Element;
  /** Blocks in it so far. */
  children: number;
}
export type Root = { readonly kind: "root"; element: Element; children: number };
type Quote = Base & { readonly kind: "quote" };
type List = Base & {
  readonly kind: "list";
  readonly sign: string;
  /** The number of its first item. */
  readonly start: number;
  /** What its next item goes into: itself, or in a long list a part of it. */
  part: Element;
};
type ListItem = Base & {
  readonly kind: "item";
  readonly list: Element;
  /** Columns by which what belongs to the item is indented, from where its own line began. */
  readonly indent: number;
};
/** A block that holds blocks. */
export type Container = Root | Quote | List | ListItem;

/** A line on its way through the containers: what is left of it, and the column where that begins. */
export interface ContainerLine {
  text: string;
  column: number;
}

/** How many of the containers go on in this line; their marks are taken off it. */
export function matchContainers(containers: readonly Container[], line: ContainerLine): number {
  for (const [depth, container] of containers.entries()) {
    if (container.kind === "quote" && !takeQuoteMark(line)) return depth;
    if (container.kind === "item" && !takeItemIndent(line, container)) return depth;
  }
  return containers.length;
}

/** Takes `>` and a space after it off the line. */
export function takeQuoteMark(line: ContainerLine): boolean {
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
  // An item may begin with one empty line, not with two.
  const isInside = isBlankText(line.text)
    ? children > 0
    : measureIndent(line.text, line.column).columns >= indent;
  if (!isInside) return false;
  line.text = dropColumns(line.text, line.column, indent);
  line.column += indent;
  return true;
}

const containerMarks = /^(?:(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*)+/;
/** Signs that a line of marks alone may consist of. */
const onlyMarks = /^[-+*_=#`~>|:.)\d\s]*$/;

/**
 * Whether a line outside of code that begins like this is what it seems, whatever follows: a heading, an item, text.
 * Rules, underlines, fences and formulas are known only when the line is complete.
 */
export function isDecidedText(text: string): boolean {
  const content = text.trimStart().replace(containerMarks, "");
  return !/^(?:`{3}|~{3}|\$\$?|\\\[?|\[\^?[^\]\s]{0,40}\]?$)/.test(content) && !onlyMarks.test(content);
}
