import { visibleLine, visibleText } from "../../shared/text/html/visibleText.ts";
import { shortened } from "../../shared/text/shortened.ts";
import type { PendingHunk } from "../engine/hunkList.ts";

/** Text behind a line of a document that shows what an agent removed there. */
export interface RemovedText {
  readonly line: number;
  readonly text: string;
}

/** Characters of a removed line that are shown behind another one. */
const mostCharacters = 100;
const mostHoverLines = 40;
const mostHoverCharacters = 4_000;

/**
 * The removed lines of a hunk, each behind the line that replaced it. The last line also has the number of those
 * without a replacement. `lineTotal` is the number of lines in the document.
 */
export function removedTexts(hunk: PendingHunk, lineTotal: number): readonly RemovedText[] {
  const { startLine, lineCount, before } = hunk;
  if (before.length === 0) return [];
  if (lineCount === 0) {
    const isAtEnd = startLine >= lineTotal;
    const line = isAtEnd ? Math.max(0, lineTotal - 1) : startLine;
    const counted = before.length === 1 ? "1 line" : `${before.length} lines`;
    const text = `− ${counted} removed ${isAtEnd ? "below" : "above"}: ${shorten(firstText(before))}`;
    return [{ line, text }];
  }
  const paired = Math.min(lineCount, before.length);
  const rest = before.length - paired;
  return before.slice(0, paired).map((removed, index) => {
    const more = index === paired - 1 && rest > 0 ? `  (${rest} more removed)` : "";
    return { line: startLine + index, text: `− ${shorten(removed)}${more}` };
  });
}

/** The removed lines for a hover. Says how many were cut. */
export function removedForHover(before: readonly string[]): { readonly text: string; readonly cut: number } {
  const shown: string[] = [];
  let left = mostHoverCharacters;
  for (const line of before.slice(0, mostHoverLines)) {
    const text = line.slice(0, left).replace(/\r?\n?$/, "");
    left -= text.length;
    if (left <= 0) break;
    shown.push(visibleText(text));
  }
  return { text: shown.join("\n"), cut: before.length - shown.length };
}

function firstText(before: readonly string[]): string {
  return before.find((line) => line.trim() !== "") ?? "";
}

function shorten(line: string): string {
  const text = line.slice(0, 10 * mostCharacters).trim();
  return visibleLine(shortened(text, mostCharacters));
}
