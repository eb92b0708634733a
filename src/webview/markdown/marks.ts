import {
  addMarked,
  addText,
  appendNode,
  type Bracket,
  type Delimiter,
  type Delimiters,
  type InlineNode,
  type InlineState,
  inlineNode,
  leaveOpen,
  removeNode,
  runLength,
  wrapBetween,
} from "./inline/inlineTree.ts";
import { longestLabel, normalLabel, readLabel, readSpacedTarget, readTarget } from "./inline/links.ts";

function pushDelimiter(stack: Delimiters, delimiter: Delimiter): void {
  delimiter.previous = stack.last;
  if (stack.last) stack.last.next = delimiter;
  stack.last = delimiter;
}

function removeDelimiter(stack: Delimiters, { previous, next }: Delimiter): void {
  if (previous) previous.next = next;
  if (next) next.previous = previous;
  else stack.last = previous;
}

const punctuation = /[\p{P}\p{S}]/u;
const space = /[\p{Zs}\t\n\f\r]/u;

/** Letters and punctuation of Chinese, Japanese and Korean, which are written without spaces between words. */
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\u30fb\u30fc\ufe30-\ufe4f\uff00-\uffef]/u;

/**
 * Whether a run between these two characters can open and can close emphasis (CommonMark 6.2, flanking). East Asian
 * writers put no spaces around marks, so their characters count as spaces where a mark is beside punctuation, and their
 * punctuation counts as letters: the rules of markdown-cjk-friendly.
 */
function flanking(mark: string, before: string, after: string): { canOpen: boolean; canClose: boolean } {
  const spaceBefore = before === "" || space.test(before);
  const spaceAfter = after === "" || space.test(after);
  const isEastBefore = eastAsian.test(before);
  const isEastAfter = eastAsian.test(after);
  const signBefore = punctuation.test(before);
  const signAfter = punctuation.test(after);
  const left = !spaceAfter && (!signAfter || isEastAfter || spaceBefore || signBefore || isEastBefore);
  const right = !spaceBefore && (!signBefore || isEastBefore || spaceAfter || signAfter || isEastAfter);
  if (mark !== "_") return { canOpen: left, canClose: right };
  // Beside a letter, `_` is part of a name.
  return {
    canOpen: left && (!right || signBefore || (isEastBefore && signAfter)),
    canClose: right && (!left || signAfter || (isEastAfter && signBefore)),
  };
}

/**
 * Pairs the runs above `bottom`, as CommonMark's appendix does. Runs that may still open stay in the stack, unless
 * `drop` is true because nothing that follows can close them.
 */
export function matchEmphasis(stack: Delimiters, bottom: Delimiter | undefined, drop: boolean): void {
  const floors = new Map<string, Delimiter | undefined>();
  let closer = firstAbove(stack, bottom);
  while (closer) {
    if (!closer.canClose) {
      closer = closer.next;
      continue;
    }
    const key = `${closer.mark}${closer.canOpen}${closer.length % 3}`;
    const floor = floors.has(key) ? floors.get(key) : bottom;
    const opener = openerFor(closer, floor, bottom);
    if (opener) {
      closer = joined(stack, opener, closer);
      continue;
    }
    floors.set(key, closer.previous);
    const { next } = closer as Delimiter;
    if (!closer.canOpen) removeDelimiter(stack, closer);
    closer = next;
  }
  if (drop) while (stack.last && stack.last !== bottom) removeDelimiter(stack, stack.last);
}

function firstAbove(stack: Delimiters, bottom: Delimiter | undefined): Delimiter | undefined {
  if (bottom) return bottom.next;
  let first = stack.last;
  while (first?.previous) first = first.previous;
  return first;
}

function openerFor(closer: Delimiter, floor: Delimiter | undefined, bottom: Delimiter | undefined) {
  for (
    let opener = closer.previous;
    opener && opener !== floor && opener !== bottom;
    opener = opener.previous
  ) {
    if (opener.mark === closer.mark && opener.canOpen && fits(opener, closer)) return opener;
  }
  return undefined;
}

/** Rules 9 and 10: runs that can both open and close pair only if their lengths do not add up to a multiple of 3. */
function fits(opener: Delimiter, closer: Delimiter): boolean {
  if (closer.mark === "~") return true;
  const both = closer.canOpen || opener.canClose;
  return !(both && closer.length % 3 !== 0 && (opener.length + closer.length) % 3 === 0);
}

/** Wraps the nodes between the two runs. Returns the next run that may close something. */
function joined(stack: Delimiters, opener: Delimiter, closer: Delimiter): Delimiter | undefined {
  const used = opener.left >= 2 && closer.left >= 2 ? 2 : 1;
  const kind = opener.mark === "~" ? "del" : used === 2 ? "strong" : "em";
  for (const side of [opener, closer]) {
    side.left -= used;
    side.node.text = side.node.text.slice(used);
  }
  wrapBetween(opener.node, closer.node, inlineNode(kind));
  while (closer.previous && closer.previous !== opener) removeDelimiter(stack, closer.previous);
  if (opener.left === 0) {
    removeNode(opener.node);
    removeDelimiter(stack, opener);
  }
  if (closer.left > 0) return closer;
  const { next } = closer;
  removeNode(closer.node);
  removeDelimiter(stack, closer);
  return next;
}

export function readRun(state: InlineState): void {
  const { source, at } = state;
  const mark = source.charAt(at);
  const length = runLength(source, at);
  const { canOpen, canClose } = flanking(
    mark,
    characterBefore(source, at),
    String.fromCodePoint(source.codePointAt(at + length) ?? 0x20),
  );
  // A single tilde usually means "about".
  const isMark = (canOpen || canClose) && (mark !== "~" || length === 2);
  if (!isMark) {
    addText(state, mark.repeat(length), length);
    return;
  }
  const node = addMarked(state, mark.repeat(length));
  pushDelimiter(state.delimiters, { node, mark, length, left: length, canOpen, canClose });
}

function characterBefore(source: string, at: number): string {
  const unit = source.charCodeAt(at - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  return at === 0 ? "" : source.slice(isLowSurrogate ? at - 2 : at - 1, at);
}

/** The length limit of text between brackets that may become a reference: it bounds the time of a hostile text. */
const longestReference = 4096;

/** Records `[` or `![`, which may begin a link. */
export function openBracket(state: InlineState, length: 1 | 2): void {
  const start = state.at;
  const below = state.brackets;
  if (below) below.nested = true;
  const node = addMarked(state, state.source.slice(start, start + length));
  const delimiter = state.delimiters.last;
  state.brackets = { node, start, isImage: length === 2, below, delimiter, nested: false };
}

/** Turns the text since the last open bracket into a link if it has a target (CommonMark 6.3). */
export function closeBracket(state: InlineState): void {
  const opener = state.brackets;
  state.brackets = opener?.below;
  // A link can't contain a link: brackets around one are text.
  const isActive = opener !== undefined && (opener.isImage || opener.start >= state.linkedBefore);
  const target = isActive ? targetOf(state, opener) : undefined;
  // A destination or a label may still follow.
  if (isActive && state.at + 1 === state.source.length) leaveOpen(state, opener.start);
  if (opener && target === undefined && addCitation(state, opener, citationOf(state, opener))) return;
  if (opener && target === "incomplete") leaveOpen(state, opener.start);
  if (!opener || target === undefined) {
    addText(state, "]", 1);
    if (isActive) keepWhole(state, opener);
    return;
  }
  makeLink(state, opener, target === "incomplete" ? { href: "", end: state.source.length } : target);
}

function makeLink(state: InlineState, opener: Bracket, { href, end }: LinkTarget): void {
  matchEmphasis(state.delimiters, opener.delimiter, true);
  const link = inlineNode(opener.isImage ? "image" : "link", "", opener.start, end);
  link.href = href;
  wrapBetween(opener.node, undefined, link);
  removeNode(opener.node);
  if (!opener.isImage) state.linkedBefore = opener.start;
  state.at = end;
}

/** Keeps the text of brackets in one piece, because a later definition may turn them into a link. */
function keepWhole({ source, at }: InlineState, { node, nested, start }: Bracket): void {
  if (at - start > longestReference || (nested && source[at] !== "[")) return;
  for (let inner: InlineNode | undefined = node; inner; inner = inner.next) inner.end = inner.start;
}

interface LinkTarget {
  readonly href: string;
  /** The index after the target. */
  readonly end: number;
}

/** The target of the bracket closed at `state.at`: `(destination)`, `[label]`, `[]`, or its own text as the label. */
function targetOf(state: InlineState, opener: Bracket): LinkTarget | "incomplete" | undefined {
  const { source, at } = state;
  const after = at + 1;
  const target = source[after] === "(" ? readTarget(source, after) : undefined;
  if (typeof target === "object") return { href: target.value.href, end: target.end };
  const label = source[after] === "[" ? readLabel(source, after) : undefined;
  if (target === "incomplete" || label === "incomplete") {
    // While streaming it is shown as a link; at the end of the text it is as if it had not begun.
    if (state.isStreaming) return "incomplete";
    leaveOpen(state, opener.start);
  }
  const spaced = target === undefined && source[after] === "(" ? readSpacedTarget(source, after) : undefined;
  if (typeof spaced === "object") return { href: spaced.value.href, end: spaced.end };
  if (spaced === "incomplete") leaveOpen(state, opener.start);
  return referenceOf(state, opener, typeof label === "object" ? label : undefined);
}

/** The target that a definition gives a label, or the text of the brackets itself. */
function referenceOf(
  state: InlineState,
  opener: Bracket,
  written: { readonly value: string; readonly end: number } | undefined,
): LinkTarget | undefined {
  const { source, at } = state;
  const own = source.slice(opener.start + opener.node.text.length, at);
  const isFull = written !== undefined && written.value !== "";
  if (!isFull && (opener.nested || own.length > longestLabel)) return undefined;
  const key = normalLabel(isFull ? written.value : own);
  state.labels.add(key);
  const href = state.definitions.get(key);
  return href === undefined ? undefined : { href, end: written ? written.end : at + 1 };
}

const raised = /\^(\d{1,3}(?:, ?\d{1,3}){0,9})\^/y;
const tagged = /\[REF\]\s*(\d{1,3}(?:\s*,\s*\d{1,3}){0,9})\s*\[\/REF\]/y;
const footnote = /\[\^([^\]\s[]{1,40})\](?!\()/y;
/** The approximate length limit of these marks. */
const longestCitation = 80;

/** Reads `^1,3^`: sources, counted from 1. Returns false if the text has no such mark. */
export function readCitation(state: InlineState): boolean {
  raised.lastIndex = state.at;
  const match = raised.exec(state.source);
  if (match) return placeCitation(state, match[0], numbers(match[1], 1));
  if (/^\^[\d, ]{0,50}$/.test(state.source.slice(state.at, state.at + longestCitation)))
    leaveOpen(state, state.at);
  return false;
}

/** Reads `[REF]0,2[/REF]` (sources, counted from 0) or `[^label]` (a footnote). Returns false if the text has no such mark. */
export function readReferenceMark(state: InlineState): boolean {
  const { source, at } = state;
  if (source[at + 1] === "R") {
    tagged.lastIndex = at;
    const match = tagged.exec(source);
    if (match) return placeCitation(state, match[0], numbers(match[1], 0));
    if (/^\[REF\][\d,\s]*(?:\[\/?R?E?F?)?$/.test(source.slice(at, at + longestCitation)))
      leaveOpen(state, at);
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

/** True if `[^label]` begins at `at`. */
export function isFootnote(source: string, at: number): boolean {
  footnote.lastIndex = at;
  return footnote.test(source);
}

/** Reads `[1]` or `[1, 2]` that is not a link: sources, counted from 1. */
function citationOf({ source, at }: InlineState, opener: Bracket): readonly number[] | undefined {
  if (opener.isImage || opener.nested || at - opener.start > 20) return undefined;
  const inner = source.slice(opener.start + 1, at);
  return /^\d{1,3}(?:, ?\d{1,3})*$/.test(inner) ? numbers(inner, 1) : undefined;
}

/** Replaces the bracket and its text by a citation. Returns false if there are no indices. */
function addCitation(state: InlineState, opener: Bracket, indices: readonly number[] | undefined): boolean {
  if (!indices) return false;
  matchEmphasis(state.delimiters, opener.delimiter, true);
  for (let node = opener.node.next; node; node = opener.node.next) removeNode(node);
  removeNode(opener.node);
  const written = state.source.slice(opener.start, state.at + 1);
  state.at = opener.start;
  return placeCitation(state, written, indices);
}

function placeCitation(state: InlineState, written: string, indices: readonly number[]): boolean {
  const node = inlineNode("cite", written, state.at, state.at + written.length);
  node.indices = indices;
  appendNode(state.root, node);
  state.at += written.length;
  return true;
}

/** The numbers of a list as indices from 0. */
function numbers(list = "", first: 0 | 1): readonly number[] {
  return list.split(",").map((number) => Number(number) - first);
}
