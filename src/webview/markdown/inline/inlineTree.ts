/** A node of inline text. Siblings form a linked list, because nodes are wrapped and unwrapped while text is read. */
export interface InlineNode {
  kind:
    | "root"
    | "text"
    | "code"
    | "break"
    | "em"
    | "strong"
    | "del"
    | "link"
    | "image"
    | "math"
    | "cite"
    | "footnote";
  /** The content of text, code and formulas, the source of citations, the label of footnotes. */
  text: string;
  /** The target of links and images, without escapes. */
  href?: string;
  /** Of links: an address without brackets, which is shown as text inside another link. */
  isBare?: boolean;
  /** Of formulas: the source with its delimiters. */
  written?: string;
  /** Of formulas: true for display style. */
  isDisplay?: boolean;
  /** Of citations: the indices of the sources, from 0. */
  indices?: readonly number[];
  /** The offsets of text nodes in the source; `end` equals `start` if the text must not be split. */
  start: number;
  end: number;
  previous?: InlineNode | undefined;
  next?: InlineNode | undefined;
  first?: InlineNode | undefined;
  last?: InlineNode | undefined;
  parent?: InlineNode | undefined;
}

export function inlineNode(kind: InlineNode["kind"], text = "", start = 0, end = 0): InlineNode {
  return { kind, text, start, end };
}

export function appendNode(parent: InlineNode, node: InlineNode): void {
  node.parent = parent;
  node.previous = parent.last;
  node.next = undefined;
  if (parent.last) parent.last.next = node;
  else parent.first = node;
  parent.last = node;
}

export function removeNode(node: InlineNode): void {
  const { parent, previous, next } = node;
  if (previous) previous.next = next;
  else if (parent) parent.first = next;
  if (next) next.previous = previous;
  else if (parent) parent.last = previous;
  node.parent = node.previous = node.next = undefined;
}

/** Moves the nodes between `from` and `to` (or the end) into `wrapper`, and puts `wrapper` after `from`. */
export function wrapBetween(from: InlineNode, to: InlineNode | undefined, wrapper: InlineNode): void {
  const { parent } = from;
  for (let node = from.next; node && node !== to; ) {
    const { next } = node;
    removeNode(node);
    appendNode(wrapper, node);
    node = next;
  }
  wrapper.parent = parent;
  wrapper.previous = from;
  wrapper.next = from.next;
  if (from.next) from.next.previous = wrapper;
  else if (parent) parent.last = wrapper;
  from.next = wrapper;
}

export function childrenOf(node: InlineNode): InlineNode[] {
  const children: InlineNode[] = [];
  for (let child = node.first; child; child = child.next) children.push(child);
  return children;
}

/** The text of a node without marks. Not recursive, because nodes may be nested to any depth. */
export function nodeText(node: InlineNode): string {
  const waiting = [node];
  let text = "";
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind !== "break" && !next.first) text += next.text;
    else if (next.kind === "break") text += " ";
    else waiting.push(...childrenOf(next).reverse());
  }
  return text;
}

/** Link destinations by normalised label. */
export type Definitions = ReadonlyMap<string, string>;

/** A `[` or `![` that may begin a link. */
export interface Bracket {
  readonly node: InlineNode;
  readonly start: number;
  readonly isImage: boolean;
  readonly below: Bracket | undefined;
  readonly delimiter: Delimiter | undefined;
  /** True if it contains another bracket: then it is not a label. */
  nested: boolean;
}

/** The state of reading a paragraph. */
export interface InlineState {
  readonly source: string;
  readonly definitions: Definitions;
  /** True if more text follows: an incomplete link is shown as its text. */
  readonly isStreaming: boolean;
  readonly root: InlineNode;
  readonly delimiters: Delimiters;
  readonly labels: Set<string>;
  brackets: Bracket | undefined;
  at: number;
  openFrom: number;
  /** Lengths of backtick runs that have no partner ahead. */
  readonly lonelyTicks: Set<number>;
  /** The start of the last backtick run of each length; undefined until first needed. */
  lastTicks: ReadonlyMap<number, number> | undefined;
  /** The end of the plain text that was matched last. */
  plainEnd: number;
  /** Brackets opened before this offset already contain a link. */
  linkedBefore: number;
  /** `indexOf` for increasing offsets. */
  readonly find: (text: string, from: number) => number;
}

/** An `indexOf` that caches its results: with increasing offsets it reads each character once. */
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

/** Adds text for the next `length` characters of the source and moves past them. */
export function addText(state: InlineState, text: string, length: number): void {
  const end = state.at + length;
  const { last } = state.root;
  // Adjacent plain text is joined, because addresses are searched for in the joined text.
  if (last?.kind === "text" && last.end === state.at && last !== lastMarked(state)) {
    last.text += text;
    last.end = end;
  } else {
    appendNode(state.root, inlineNode("text", text, state.at, end));
  }
  state.at = end;
}

/** Adds a mark as a text node of its own; its meaning is decided later. */
export function addMarked(state: InlineState, text: string): InlineNode {
  const node = inlineNode("text", text, state.at, state.at + text.length);
  appendNode(state.root, node);
  state.at += text.length;
  return node;
}

/** Records that the meaning of the text from `at` on may still change. */
export function leaveOpen(state: InlineState, at: number): void {
  state.openFrom = Math.min(state.openFrom, at);
}

/** The text node of the last open bracket or delimiter run. */
function lastMarked({ brackets, delimiters }: InlineState): InlineNode | undefined {
  const bracket = brackets?.node;
  const run = delimiters.last?.node;
  if (!bracket || !run) return bracket ?? run;
  return bracket.start > run.start ? bracket : run;
}

/** A run of `*`, `_` or `~~` that may begin or end emphasis (CommonMark 6.2). */
export interface Delimiter {
  readonly node: InlineNode;
  readonly mark: string;
  /** The length as written; `left` is the part that is not matched yet. */
  readonly length: number;
  left: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  previous?: Delimiter | undefined;
  next?: Delimiter | undefined;
}

/** The stack of runs that are not matched yet. */
export interface Delimiters {
  last?: Delimiter | undefined;
}

export function runLength(source: string, start: number): number {
  let end = start + 1;
  while (source[end] === source[start]) end++;
  return end - start;
}
