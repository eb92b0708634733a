import { matchEmphasis } from "./emphasis.ts";
import { type InlineNode, inlineNode, removeNode, wrapBetween } from "./inlineNodes.ts";
import { addMarked, addText, type Bracket, type InlineState, leaveOpen } from "./inlineState.ts";
import { longestLabel, normalLabel, readLabel, readTarget } from "./linkSyntax.ts";
import { addCitation, citationOf } from "./marks.ts";

/** Longer text between brackets is no reference in practice; the bound keeps a text made to be slow from being so. */
const longestStored = 4096;

/** Notes `[`, or `![`, which may begin a link. */
export function openBracket(state: InlineState, length: 1 | 2): void {
  const start = state.at;
  const below = state.brackets;
  if (below) below.nested = true;
  const node = addMarked(state, state.source.slice(start, start + length));
  const delimiter = state.delimiters.last;
  state.brackets = { node, start, isImage: length === 2, below, delimiter, nested: false };
}

/** Makes a link of what stands since the last open bracket, if it leads somewhere (CommonMark 6.3). */
export function closeBracket(state: InlineState): void {
  const opener = state.brackets;
  state.brackets = opener?.below;
  // A link holds no link: brackets around one are only brackets.
  const isActive = opener !== undefined && (opener.isImage || opener.start >= state.linkedBefore);
  const target = isActive ? targetOf(state, opener) : undefined;
  // What follows may still be its destination or its label.
  if (isActive && state.at + 1 === state.source.length) leaveOpen(state, opener.start);
  if (opener && target === undefined && addCitation(state, opener, citationOf(state, opener))) return;
  if (opener && target === "incomplete") leaveOpen(state, opener.start);
  if (!opener || target === undefined) {
    addText(state, "]", 1);
    if (isActive) keepWhole(state, opener);
    return;
  }
  const { href, end } = target === "incomplete" ? { href: "", end: state.source.length } : target;
  matchEmphasis(state.delimiters, opener.delimiter, true);
  const link = inlineNode(opener.isImage ? "image" : "link", "", opener.start, end);
  link.href = href;
  wrapBetween(opener.node, undefined, link);
  removeNode(opener.node);
  if (!opener.isImage) state.linkedBefore = opener.start;
  state.at = end;
}

/** Brackets that a later definition may make a link are not drawn for good in parts: their text can't be cut. */
function keepWhole({ source, at }: InlineState, { node, nested, start }: Bracket): void {
  if (at - start > longestStored || (nested && source[at] !== "[")) return;
  for (let inner: InlineNode | undefined = node; inner; inner = inner.next) inner.end = inner.start;
}

/** Where the bracket that closes at `state.at` leads: `(destination)`, `[label]`, `[]`, or its own text as the label. */
function targetOf(
  state: InlineState,
  opener: Bracket,
): { href: string; end: number } | "incomplete" | undefined {
  const { source, at } = state;
  const after = at + 1;
  const target = source[after] === "(" ? readTarget(source, after) : undefined;
  if (typeof target === "object") return { href: target.value.href, end: target.end };
  const label = source[after] === "[" ? readLabel(source, after) : undefined;
  if (target === "incomplete" || label === "incomplete") {
    // It is what it will most likely be, or, if nothing more comes, as if it had not begun.
    if (state.isStreaming) return "incomplete";
    leaveOpen(state, opener.start);
  }
  const written = typeof label === "object" ? label : undefined;
  const own = source.slice(opener.start + opener.node.text.length, at);
  const isFull = written !== undefined && written.value !== "";
  if (!isFull && (opener.nested || own.length > longestLabel)) return undefined;
  const key = normalLabel(isFull ? written.value : own);
  state.labels.add(key);
  const href = state.definitions.get(key);
  return href === undefined ? undefined : { href, end: written ? written.end : after };
}
