/** A paragraph, a list item or a table as markdown. */
export interface Block {
  readonly text: string;
  /** Of a list item, from 0. */
  readonly level?: number | undefined;
  /** The title of a slide, which is read first. */
  readonly isTitle?: boolean;
}

/** Items are indented by the items that they are below, whatever the number of their level. */
export function joinBlocks(blocks: readonly Block[]): string {
  const levels: number[] = [];
  let text = "";
  for (const [index, block] of blocks.entries()) {
    const { level } = block;
    const isNext = level !== undefined && blocks[index - 1]?.level !== undefined;
    if (!isNext) levels.length = 0;
    while (level !== undefined && (levels.at(-1) ?? -1) >= level) levels.pop();
    const indent = "    ".repeat(levels.length);
    if (level !== undefined) levels.push(level);
    text += `${index === 0 ? "" : isNext ? "\n" : "\n\n"}${level === undefined ? "" : indent}${block.text}`;
  }
  return text;
}

/** Markdown numbers items with digits only, so other labels are the beginning of their text. */
export function itemText(label: string | undefined, line: string): string {
  if (label === undefined) return `- ${line}`;
  return /^\d{1,9}[.)]$/.test(label) ? `${label} ${line}` : `- ${label} ${line}`;
}

export function withLabel(label: string | undefined, line: string): string {
  return label === undefined ? line : `${label} ${line}`;
}
