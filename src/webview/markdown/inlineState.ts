import type { Delimiter, Delimiters } from "./emphasis.ts";
import { appendNode, type InlineNode, inlineNode } from "./inlineNodes.ts";

/** Destinations by normalised label. */
export type Definitions = ReadonlyMap<string, string>;

/** A `[` or `![` that may begin a link. */
export interface Bracket {
  readonly node: InlineNode;
  readonly start: number;
  readonly isImage: boolean;
  readonly below: Bracket | undefined;
  readonly delimiter: Delimiter | undefined;
  active: boolean;
  /** Another bracket follows inside: then it is no label. */
  nested: boolean;
}

/** How far the reading of a paragraph has come. */
export interface InlineState {
  readonly source: string;
  readonly definitions: Definitions;
  /** More text is to come: a link that is half there is shown as its text. */
  readonly isStreaming: boolean;
  readonly root: InlineNode;
  readonly delimiters: Delimiters;
  readonly labels: Set<string>;
  brackets: Bracket | undefined;
  at: number;
  openFrom: number;
  /** Lengths of backtick runs that are known to have no partner ahead. */
  readonly lonelyTicks: Set<number>;
}

/** Adds text that stands for `length` characters of the source, and moves past them. */
export function addText(state: InlineState, text: string, length: number): void {
  const end = state.at + length;
  const { last } = state.root;
  const isBracketed = state.brackets !== undefined;
  const goesOn =
    last?.kind === "text" && last.end === state.at && (last.isBracketed ?? false) === isBracketed;
  // Pieces that mean nothing but themselves join: web addresses are looked for in what they make together.
  if (goesOn && last !== lastMarked(state)) {
    last.text += text;
    last.end = end;
  } else {
    const node = inlineNode("text", text, state.at, end);
    node.isBracketed = isBracketed;
    appendNode(state.root, node);
  }
  state.at = end;
}

/** Adds a mark, as text of its own: what it means is known later. */
export function addMarked(state: InlineState, text: string): InlineNode {
  const node = inlineNode("text", text, state.at, state.at + text.length);
  appendNode(state.root, node);
  state.at += text.length;
  return node;
}

/** Notes that what stands from `at` on may still change its meaning. */
export function leaveOpen(state: InlineState, at: number): void {
  state.openFrom = Math.min(state.openFrom, at);
}

/** The text node that a bracket or a run of delimiters still stands for. */
function lastMarked({ brackets, delimiters }: InlineState): InlineNode | undefined {
  const bracket = brackets?.node;
  const run = delimiters.last?.node;
  if (!bracket || !run) return bracket ?? run;
  return bracket.start > run.start ? bracket : run;
}
