// Text normalized for search: Markdown markup, case and white space are ignored. The source and the rendered text give
// the same result, so that each counted match can be shown.

/** Limit of counted matches: users do not step through more. */
export const mostMatches = 10_000;

const marks = /[*_`~[\]\\#>|!]/;
const target = /\]\((?:[^()\s]|\([^()\s]*\))*\)/g;

/** A question, or an answer as Markdown. */
export function findableText(markdown: string): string {
  const builder = createBuilder();
  // URLs of links are not rendered.
  for (const sign of markdown.replace(target, "]")) builder.add(sign);
  return builder.text();
}

/** Text that is shown as it is. */
export function findablePlain(text: string): string {
  const builder = createBuilder();
  for (const sign of text) builder.add(sign);
  return builder.text();
}

/** A DOM position for each character of the normalized text. */
export interface SearchedPlaces {
  readonly text: string;
  placeOf(index: number): { readonly node: Text; readonly offset: number } | undefined;
}

/** The rendered text of these elements, normalized. */
export function searchedPlaces(elements: Iterable<Element>): SearchedPlaces {
  const builder = createBuilder();
  const nodes: { readonly node: Text; readonly from: number; readonly offsets: readonly number[] }[] = [];
  for (const element of elements) {
    let block: Element | null = null;
    for (const { node, around } of textsIn(element)) {
      if (around !== block) builder.add(" ");
      block = around;
      const from = builder.length;
      nodes.push({ node, from, offsets: addText(builder, node.data) });
    }
    builder.add("\n");
  }
  return {
    text: builder.text(),
    placeOf(index) {
      const found = nodes.findLast(({ from }) => from <= index);
      const offset = found?.offsets[index - found.from];
      return found && offset !== undefined ? { node: found.node, offset } : undefined;
    },
  };
}

/** The texts of an element that are part of the conversation, each with the block around it. */
function* textsIn(element: Element): Generator<{ readonly node: Text; readonly around: Element | null }> {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    const parent = node.parentElement;
    if (parent && !parent.closest(notText)) yield { node, around: parent.closest(blocks) };
  }
}

/** Returns the offset in the text of each character that was added. */
function addText(builder: ReturnType<typeof createBuilder>, text: string): readonly number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const sign of text) {
    for (let count = builder.add(sign); count > 0; count--) offsets.push(offset);
    offset += sign.length;
  }
  return offsets;
}

const blocks = "p,li,td,th,h1,h2,h3,h4,h5,h6,pre,div,dt,dd,blockquote,summary";
/** Controls, which are not part of the conversation. */
const notText = ".code-head, .code-actions, .visually-hidden, button, .diagram, script, style";

function createBuilder() {
  const signs: string[] = [];
  let length = 0;
  let endsWithSpace = true;
  return {
    get length() {
      return length;
    },
    text: () => signs.join(""),
    /** Returns the number of added characters. */
    add(sign: string): number {
      const isSpace = /\s/.test(sign);
      if ((isSpace && endsWithSpace) || marks.test(sign)) return 0;
      endsWithSpace = isSpace;
      const small = sign.toLowerCase();
      const stored = isSpace ? " " : small.length === sign.length ? small : sign;
      signs.push(stored);
      length += stored.length;
      return stored.length;
    },
  };
}

/** Offsets of non-overlapping matches; at most `limit` of them. */
export function occurrences(text: string, sought: string, limit: number): number[] {
  const found: number[] = [];
  if (sought === "") return found;
  let at = text.indexOf(sought);
  while (at >= 0 && found.length < limit) {
    found.push(at);
    at = text.indexOf(sought, at + sought.length);
  }
  return found;
}
