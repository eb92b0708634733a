import { inTime } from "../../../platform/inTime.ts";
import type { TextBlock } from "./block.ts";
import { toMarkdownBlocks } from "./markdownText.ts";
import { toPlainBlocks } from "./plainText.ts";

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
