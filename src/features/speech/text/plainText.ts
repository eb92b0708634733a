import type { TextBlock } from "./block.ts";

/** The paragraphs of a text without markup: what stands between empty lines. */
export function toPlainBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let from = 0;
  const add = (to: number) => {
    if (to > from) blocks.push([{ text: text.slice(from, to), from, to }]);
  };
  for (const gap of text.matchAll(/\r?\n(?:[ \t]*\r?\n)+/g)) {
    add(gap.index);
    from = gap.index + gap[0].length;
  }
  add(text.length);
  return blocks;
}
