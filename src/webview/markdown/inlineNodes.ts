/** A piece of text with its marks, as a link in a list: pieces are wrapped and unwrapped while they are read. */
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
  /** Of text, code and formulas; of marks as they were written; of footnotes the label. */
  text: string;
  /** Of links and images, without escapes. */
  href?: string;
  /** Of links: an address without brackets around it, which is text within another link. */
  isBare?: boolean;
  /** Of formulas: with the signs around it. */
  written?: string;
  /** Of formulas: in a line of its own. */
  isDisplay?: boolean;
  /** Of marks that name sources: their places, from 0. */
  indices?: readonly number[];
  /** Where it stands in the source, for text alone; it ends where it starts if it must not be cut. */
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

/** Puts all between `from` and `to` (or the end) into `wrapper`, and `wrapper` after `from`. */
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

/** What a node says, without its marks; walked without recursion, for it may be nested as deep as its author likes. */
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
