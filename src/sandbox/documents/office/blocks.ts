import type { Box } from "./slides/readingOrder.ts";

/** A paragraph, a list item or a table as markdown. */
export interface Block {
  readonly text: string;
  /** Of a list item, from 0. */
  readonly level?: number | undefined;
  /** The title of a slide, which is read first. */
  readonly isTitle?: boolean;
  readonly isHeading?: boolean;
  /** Of a table in the cell of another one, which is one line: as it is outside of a cell. */
  readonly outside?: string;
  /** The shape of a slide that it is in. */
  readonly shape?: { readonly box: Box | undefined };
}

/** Items are indented by the items that they are below, whatever the number of their level. */
export function joinBlocks(blocks: readonly Block[]): string {
  const levels: number[] = [];
  const pieces = blocks.map(({ text, level }, index) => {
    const before = blocks[index - 1];
    const isNext = level !== undefined && before?.level !== undefined;
    if (!isNext) levels.length = 0;
    const gap = isNext ? "\n" : "\n\n";
    return `${before ? gap : ""}${indentOf(levels, level)}${text}`;
  });
  return pieces.join("");
}

/** `levels`: of the items that the next one can be below; those that it ends are removed. */
function indentOf(levels: number[], level: number | undefined): string {
  if (level === undefined) return "";
  while ((levels.at(-1) ?? -1) >= level) levels.pop();
  levels.push(level);
  return "    ".repeat(levels.length - 1);
}

/** Markdown numbers items with digits only, so other labels are the beginning of their text. */
export function itemText(label: string | undefined, line: string): string {
  if (label === undefined) return `- ${line}`;
  return /^\d{1,9}[.)]$/.test(label) ? `${label} ${line}` : `- ${label} ${line}`;
}

export function withLabel(label: string | undefined, line: string): string {
  return label === undefined ? line : `${label} ${line}`;
}
