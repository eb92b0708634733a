import type { PhrasingContent } from "mdast";

/** What stands around a piece of text. Those with the same `id` are one. */
export type Mark =
  | { readonly type: "strong" | "emphasis" | "delete"; readonly id: string }
  | { readonly type: "link"; readonly id: string; readonly url: string; readonly title: string | null }
  | { readonly type: "html"; readonly id: string; readonly name: "sup" | "sub" };

/** A part of a line: a text, a line break, or a picture, a formula or a line of code. */
export type Piece =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly marks: readonly Mark[];
      readonly isCode?: boolean;
    }
  | { readonly kind: "node"; readonly node: PhrasingContent; readonly marks: readonly Mark[] }
  | { readonly kind: "break" };

type Inline = Exclude<Piece, { kind: "break" }>;

const blank = /[ \t\n\r\f]+/g;

/** The paragraphs of a run of pieces: two line breaks in a row end a paragraph, as they look on a page. */
export function toParagraphs(run: readonly Piece[]): PhrasingContent[][] {
  return linesOf(collapsed(run)).map((lines) =>
    lines.flatMap((line, index): PhrasingContent[] =>
      index === 0 ? build(line, 0, "", "") : [{ type: "break" }, ...build(line, 0, "", "")],
    ),
  );
}

/** Collapses blanks across elements, and drops those at the ends of lines. */
function collapsed(run: readonly Piece[]): Piece[] {
  const pieces: Piece[] = [];
  let isAfterBlank = true;
  for (const piece of run) {
    if (piece.kind !== "text") {
      if (piece.kind === "break") trimEnd(pieces);
      isAfterBlank = piece.kind === "break";
      pieces.push(piece);
      continue;
    }
    const text = piece.text.replace(blank, " ");
    const kept = isAfterBlank && text.startsWith(" ") ? text.slice(1) : text;
    if (kept === "") continue;
    isAfterBlank = kept.endsWith(" ");
    pieces.push(...withoutEdges({ ...piece, text: kept }));
  }
  trimEnd(pieces);
  return pieces;
}

/** Code without the blanks at its ends, which would be part of it or of its marks. */
function withoutEdges(piece: Extract<Piece, { kind: "text" }>): Piece[] {
  const { text, marks, isCode } = piece;
  const inner = text.trim();
  if (!isCode || inner === text) return [piece];
  const blank: Piece = { kind: "text", text: " ", marks };
  const code: Piece[] = inner === "" ? [] : [{ ...piece, text: inner }];
  return [
    ...(text.startsWith(" ") ? [blank] : []),
    ...code,
    ...(inner !== "" && text.endsWith(" ") ? [blank] : []),
  ];
}

/** Drops the blank at the end of a line. It is at most one, and can be in the last text alone. */
function trimEnd(pieces: Piece[]): void {
  const last = pieces.at(-1);
  if (last?.kind !== "text" || !last.text.endsWith(" ")) return;
  pieces.pop();
  const text = last.text.slice(0, -1);
  if (text !== "") pieces.push({ ...last, text });
}

function linesOf(pieces: readonly Piece[]): Inline[][][] {
  const paragraphs: Inline[][][] = [[]];
  let line: Inline[] = [];
  const endLine = () => {
    if (line.length > 0) paragraphs.at(-1)?.push(line);
    else if ((paragraphs.at(-1)?.length ?? 0) > 0) paragraphs.push([]);
    line = [];
  };
  for (const piece of pieces) {
    if (piece.kind === "break") endLine();
    else line.push(piece);
  }
  endLine();
  return paragraphs.filter((lines) => lines.length > 0);
}

/** The tree of pieces, from the mark at `depth` on. `before` and `after` are what stands next to them. */
function build(pieces: readonly Inline[], depth: number, before: string, after: string): PhrasingContent[] {
  const groups = groupsOf(pieces, depth);
  return groups.flatMap((group, index) => {
    const previous = index === 0 ? before : lastText(groups[index - 1]);
    const next = index === groups.length - 1 ? after : firstText(groups[index + 1]);
    const mark = group[0]?.marks[depth];
    return mark ? marked(group, mark, depth, previous, next) : group.map(leafOf);
  });
}

/** Neighbours with the same mark. Code that is next to code is one piece of code. */
function groupsOf(pieces: readonly Inline[], depth: number): Inline[][] {
  const groups: Inline[][] = [];
  let id: string | undefined;
  for (const piece of pieces) {
    const mark = piece.marks[depth]?.id;
    const group = groups.at(-1);
    if (group && mark === id) addTo(group, piece, mark === undefined);
    else groups.push([piece]);
    id = mark;
  }
  return groups;
}

function addTo(group: Inline[], piece: Inline, areLeaves: boolean): void {
  const last = group.at(-1);
  const joins = areLeaves && last?.kind === "text" && piece.kind === "text" && last.isCode === piece.isCode;
  if (joins) group[group.length - 1] = { ...last, text: last.text + piece.text };
  else group.push(piece);
}

function leafOf(piece: Inline): PhrasingContent {
  if (piece.kind === "node") return piece.node;
  return { type: piece.isCode ? "inlineCode" : "text", value: piece.text };
}

/**
 * A group within its mark. Markdown has no emphasis that begins or ends with a blank, or with punctuation next to a
 * letter: those stand outside of it.
 */
function marked(
  group: readonly Inline[],
  mark: Mark,
  depth: number,
  before: string,
  after: string,
): PhrasingContent[] {
  const isEmphasis = mark.type !== "link" && mark.type !== "html";
  // A tilde beside those of a deletion would be one of them.
  const [first, last] = mark.type === "delete" ? [tildeStart, tildeEnd] : [blankStart, blankEnd];
  const [start, rest] = cut(group, isEmphasis && /[\p{L}\p{N}]$/u.test(before) ? edgeStart : first);
  const [end, inner] = cut(rest.toReversed(), isEmphasis && /^[\p{L}\p{N}]/u.test(after) ? edgeEnd : last);
  const outside = (pieces: readonly Inline[], previous: string, next: string) =>
    build(
      pieces.map((piece) => ({ ...piece, marks: piece.marks.toSpliced(depth, 1) })),
      depth,
      previous,
      next,
    );
  const kept = inner.toReversed();
  const touches = isEmphasis && (isGlued(before, start, kept[0]) || isGlued(after, end, kept.at(-1)));
  const core = touches ? outside(kept, before, after) : wrapped(kept, mark, depth);
  return [...outside(start, before, ""), ...core, ...outside(end.toReversed(), "", after)];
}

const blankStart = /^[\s\u00a0]+/;
const blankEnd = /[\s\u00a0]+$/;
const tildeStart = /^[\s\u00a0~]+/;
const tildeEnd = /[\s\u00a0~]+$/;
const edgeStart = /^[\s\p{P}\p{S}]+/u;
const edgeEnd = /[\s\p{P}\p{S}]+$/u;

/** Code or a picture next to a letter can't be emphasised. */
function isGlued(outside: string, between: readonly Inline[], first: Inline | undefined): boolean {
  const isPlain = first?.kind === "text" && !first.isCode;
  return !isPlain && between.length === 0 && /[\p{L}\p{N}]/u.test(outside);
}

/** Takes what the pattern finds off the first piece. */
function cut(group: readonly Inline[], edge: RegExp): [Inline[], Inline[]] {
  const [first, ...others] = group;
  if (first?.kind !== "text" || first.isCode) return [[], [...group]];
  const found = edge.exec(first.text);
  if (!found) return [[], [...group]];
  const [text, cutOff] = [
    found.index === 0 ? first.text.slice(found[0].length) : first.text.slice(0, found.index),
    { ...first, text: found[0] },
  ];
  if (text !== "") return [[cutOff], [{ ...first, text }, ...others]];
  const [more, rest] = cut(others, edge);
  return [[cutOff, ...more], rest];
}

function wrapped(group: readonly Inline[], mark: Mark, depth: number): PhrasingContent[] {
  if (group.length === 0) return [];
  const children = build(group, depth + 1, "", "");
  if (mark.type === "html")
    return [
      { type: "html", value: `<${mark.name}>` },
      ...children,
      { type: "html", value: `</${mark.name}>` },
    ];
  if (mark.type !== "link") return [{ type: mark.type, children }];
  const { url, title } = mark;
  return [{ type: "link", url, title, children: children as never }];
}

function firstText(group: readonly Inline[] | undefined): string {
  const [first] = group ?? [];
  return first?.kind === "text" && !first.isCode ? first.text : "";
}

function lastText(group: readonly Inline[] | undefined): string {
  const last = group?.at(-1);
  return last?.kind === "text" && !last.isCode ? last.text : "";
}
