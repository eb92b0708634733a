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
  /** Where the last run of backticks of each length begins; undefined before the first was looked for. */
  lastTicks: ReadonlyMap<number, number> | undefined;
  /** Where the text without marks ends that was read last. */
  plainEnd: number;
  /** Brackets that were opened before this offset hold a link already. */
  linkedBefore: number;
  /** The next place of this text, for one offset after the other. */
  readonly find: (text: string, from: number) => number;
}

/** `indexOf` that remembers: asked for ever later places, it looks at each character once. */
export function createFinder(source: string): InlineState["find"] {
  const found = new Map<string, number>();
  return (text, from) => {
    const known = found.get(text);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const at = source.indexOf(text, from);
    found.set(text, at);
    return at;
  };
}

/** Adds text that stands for `length` characters of the source, and moves past them. */
export function addText(state: InlineState, text: string, length: number): void {
  const end = state.at + length;
  const { last } = state.root;
  // Pieces that mean nothing but themselves join: web addresses are looked for in what they make together.
  if (last?.kind === "text" && last.end === state.at && last !== lastMarked(state)) {
    last.text += text;
    last.end = end;
  } else {
    appendNode(state.root, inlineNode("text", text, state.at, end));
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
