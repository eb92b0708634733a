import { matchEmphasis } from "./emphasis.ts";
import { appendNode, inlineNode, removeNode } from "./inlineNodes.ts";
import { type Bracket, type InlineState, leaveOpen } from "./inlineState.ts";

const raised = /\^(\d{1,3}(?:, ?\d{1,3}){0,9})\^/y;
const tagged = /\[REF\]\s*(\d{1,3}(?:\s*,\s*\d{1,3}){0,9})\s*\[\/REF\]/y;
const footnote = /\[\^([^\]\s[]{1,40})\](?!\()/y;
/** The longest that any of them gets, about. */
const longest = 80;

/** `^1,3^`: sources, counted from 1. False where there is none. */
export function readCitation(state: InlineState): boolean {
  raised.lastIndex = state.at;
  const match = raised.exec(state.source);
  if (match) return add(state, match[0], numbers(match[1], 1));
  if (/^\^[\d, ]{0,50}$/.test(state.source.slice(state.at, state.at + longest))) leaveOpen(state, state.at);
  return false;
}

/** `[REF]0,2[/REF]`: sources, counted from 0; `[^label]`: a note. False where there is none. */
export function readReferenceMark(state: InlineState): boolean {
  const { source, at } = state;
  if (source[at + 1] === "R") {
    tagged.lastIndex = at;
    const match = tagged.exec(source);
    if (match) return add(state, match[0], numbers(match[1], 0));
    if (/^\[REF\][\d,\s]*(?:\[\/?R?E?F?)?$/.test(source.slice(at, at + longest))) leaveOpen(state, at);
  }
  if (source[at + 1] !== "^") return false;
  footnote.lastIndex = at;
  const note = footnote.exec(source);
  if (!note) return false;
  const end = at + note[0].length;
  if (end === source.length) leaveOpen(state, at);
  appendNode(state.root, inlineNode("footnote", note[1] ?? "", at, end));
  state.at = end;
  return true;
}

/** Whether `[^label]` stands at `at`. */
export function isFootnote(source: string, at: number): boolean {
  footnote.lastIndex = at;
  return footnote.test(source);
}

/** `[1]` or `[1, 2]`, which leads nowhere as a link: sources, counted from 1. */
export function citationOf({ source, at }: InlineState, opener: Bracket): readonly number[] | undefined {
  if (opener.isImage || opener.nested || at - opener.start > 20) return undefined;
  const inner = source.slice(opener.start + 1, at);
  return /^\d{1,3}(?:, ?\d{1,3})*$/.test(inner) ? numbers(inner, 1) : undefined;
}

/** Puts the mark in the place of the bracket and its text; false without one. */
export function addCitation(
  state: InlineState,
  opener: Bracket,
  indices: readonly number[] | undefined,
): boolean {
  if (!indices) return false;
  matchEmphasis(state.delimiters, opener.delimiter, true);
  for (let node = opener.node.next; node; node = opener.node.next) removeNode(node);
  removeNode(opener.node);
  const written = state.source.slice(opener.start, state.at + 1);
  state.at = opener.start;
  return add(state, written, indices);
}

function add(state: InlineState, written: string, indices: readonly number[]): boolean {
  const node = inlineNode("cite", written, state.at, state.at + written.length);
  node.indices = indices;
  appendNode(state.root, node);
  state.at += written.length;
  return true;
}

/** The numbers of a list, as places counted from 0. */
function numbers(list = "", first: 0 | 1): readonly number[] {
  return list.split(",").map((number) => Number(number) - first);
}
