import { inTime } from "../../../platform/inTime.ts";
import type { TextBlock } from "./block.ts";
import { toMarkdownBlocks } from "./markdownText.ts";

const markdownLanguages = new Set(["markdown", "chatagent", "prompt", "mdx"]);
/** Timeout in milliseconds for parsing markup; half a million characters of normal text take a second. */
const markupTimeoutMs = 5_000;

/** The paragraphs of a text. If markup takes too long or is nested too deep, it is read as plain text. */
export function blocksOf(
  text: string,
  languageId: string,
  timeoutMs = markupTimeoutMs,
): readonly TextBlock[] {
  if (!markdownLanguages.has(languageId)) return toPlainBlocks(text);
  try {
    return inTime(timeoutMs, () => toMarkdownBlocks(text));
  } catch {
    return toPlainBlocks(text);
  }
}

/** The paragraphs of a text without markup, separated by empty lines. */
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
