import { type Delimiter, matchEmphasis } from "./emphasis.ts";
import { type InlineNode, inlineNode, removeNode, wrapBetween } from "./inlineNodes.ts";
import type { Definitions } from "./inlineState.ts";
import { parseInline } from "./parseInline.ts";

export interface OpenInline {
  readonly root: InlineNode;
  /** Nothing waits for its end: plain text that follows needs no reading. */
  readonly isClosed: boolean;
}

/**
 * Reads a paragraph that is still being written, as it will most likely end: marks that wait for their closer apply to
 * all that follows them, and a mark that has just begun is not shown yet. So bold text is bold from its first letter.
 */
export function parseOpenInline(source: string, definitions: Definitions): OpenInline {
  const shown = source.replace(/(?<!\\)[*_~`]{1,3}$/, "");
  let inline = parseInline(shown, definitions, true);
  const isClosed = shown === source && inline.openFrom === source.length && !endsInAddress(source);
  if (inline.openTicks > 0 && !shown.endsWith("`")) {
    inline = parseInline(shown + "`".repeat(inline.openTicks), definitions, true);
  }
  matchEmphasis(inline.openDelimiters, undefined, false);
  for (let run = inline.openDelimiters.last; run; run = run.previous) closeAtEnd(run, inline.root);
  return { root: inline.root, isClosed };
}

/** The last word may come to be a mail address. */
function endsInAddress(source: string): boolean {
  return source.lastIndexOf("@") > Math.max(source.lastIndexOf(" "), source.lastIndexOf("\n"));
}

function closeAtEnd({ node, mark, left, canOpen, canClose }: Delimiter, root: InlineNode): void {
  // A sign between letters or numbers, `2*3`, is more likely itself.
  if (!canOpen || canClose || node.parent !== root || !node.next || left > 3) return;
  const used = left >= 2 ? 2 : 1;
  wrapBetween(node, undefined, inlineNode(mark === "~" ? "del" : used === 2 ? "strong" : "em"));
  node.text = node.text.slice(used);
  if (node.text === "") removeNode(node);
}
