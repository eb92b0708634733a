import { type MathFound, readBackslashed, readDollars } from "../engines/math.ts";
import {
  closeBracket,
  isFootnote,
  matchEmphasis,
  openBracket,
  readCitation,
  readReferenceMark,
  readRun,
} from "../marks.ts";
import {
  addText,
  appendNode,
  childrenOf,
  createFinder,
  type Definitions,
  type Delimiter,
  type Delimiters,
  type InlineNode,
  type InlineState,
  inlineNode,
  leaveOpen,
  removeNode,
  runLength,
  wrapBetween,
} from "./inlineTree.ts";
import {
  referenceAt,
  trimmedEnd,
  unescaped,
  type WebAddress,
  webAddressAt,
  webAddressStart,
} from "./links.ts";

export interface Inline {
  readonly root: InlineNode;
  /** Offset from which later text may still change the meaning; everything before it is final. */
  readonly openFrom: number;
  /** Delimiter runs that wait for their closer. */
  readonly openDelimiters: Delimiters;
  /** Length of the first run of backticks without a partner; 0 without one. */
  readonly openTicks: number;
  /** Labels that were looked up, found or not: a new definition of one changes the result. */
  readonly labels: ReadonlySet<string>;
}

/** Reads the inline marks of CommonMark 6 and GitHub's `~~strike~~`. HTML is text, except for `<br>`. */
export function parseInline(source: string, definitions: Definitions, isStreaming = false): Inline {
  const state: InlineState = {
    source,
    definitions,
    isStreaming,
    root: inlineNode("root"),
    delimiters: {},
    labels: new Set(),
    brackets: undefined,
    at: 0,
    openFrom: source.length,
    lonelyTicks: new Set(),
    lastTicks: undefined,
    plainEnd: 0,
    linkedBefore: 0,
    find: createFinder(source),
  };
  while (state.at < source.length) (readers[source.charAt(state.at)] ?? readText)(state);
  matchEmphasis(state.delimiters, undefined, false);
  return {
    root: state.root,
    openFrom: Math.min(state.openFrom, firstOpen(state)),
    openDelimiters: state.delimiters,
    openTicks: [...state.lonelyTicks][0] ?? 0,
    labels: state.labels,
  };
}

const plain = /[^\n\\`*_~[\]!<&$^]+/y;

/** The reader of each special character; it moves past the text that it has read. */
const readers: Readonly<Record<string, (state: InlineState) => void>> = {
  "\n": readLineEnd,
  "\\": readEscape,
  "`": readCode,
  "*": readRun,
  _: readRun,
  "~": readRun,
  "[": (state) => readReferenceMark(state) || openBracket(state, 1),
  "]": closeBracket,
  "!": readBang,
  "<": readAngle,
  "&": readReference,
  $: readDollar,
  "^": (state) => readCitation(state) || addText(state, "^", 1),
};

function readText(state: InlineState): void {
  const { source, at } = state;
  if (state.plainEnd <= at) {
    plain.lastIndex = at;
    state.plainEnd = at + (plain.exec(source)?.[0].length ?? 1);
  }
  const text = source.slice(at, state.plainEnd);
  const address = addressIn(state, text);
  const before = address ? text.slice(0, address.start - at) : text;
  // White space at the end of a line does not belong to the text.
  const isLineEnd = source[at + before.length] === "\n";
  if (before !== "") addText(state, isLineEnd ? trimmedEnd(before) : before, before.length);
  if (address) addAddress(state, address);
}

/** The first web address that begins in `text`, which begins at `state.at`. Its characters are not read as marks. */
function addressIn(state: InlineState, text: string): WebAddress | undefined {
  for (let from = webAddressStart(text, 0); from >= 0; from = webAddressStart(text, from + 1)) {
    const address = webAddressAt(state.source, state.at + from);
    if (address.runEnd >= state.source.length) leaveOpen(state, address.start);
    if (address.href !== undefined) return address;
  }
  return undefined;
}

function addAddress(state: InlineState, { start, end, href }: WebAddress): void {
  const link = inlineNode("link", "", start, end);
  link.href = href ?? "";
  link.isBare = true;
  appendNode(link, inlineNode("text", state.source.slice(start, end), start, end));
  appendNode(state.root, link);
  state.at = end;
}

function readBang(state: InlineState): void {
  // An exclamation mark may precede a footnote reference.
  const isPicture = state.source[state.at + 1] === "[" && !isFootnote(state.source, state.at + 1);
  if (isPicture) openBracket(state, 2);
  else addText(state, "!", 1);
}

function readDollar(state: InlineState): void {
  const found = readDollars(state.source, state.at, state.find);
  if (addMath(state, found)) return;
  const signs = runLength(state.source, state.at);
  addText(state, "$".repeat(signs), signs);
}

/** Adds the formula, if one was found. */
function addMath(state: InlineState, found: MathFound | "incomplete" | undefined): boolean {
  const { at } = state;
  if (found === "incomplete") leaveOpen(state, at);
  if (typeof found !== "object") return false;
  if (found.isOpen) leaveOpen(state, at);
  const node = inlineNode("math", found.tex, at, found.end);
  node.written = state.source.slice(at, found.end);
  node.isDisplay = found.isDisplay;
  appendNode(state.root, node);
  state.at = found.end;
  return true;
}

function readReference(state: InlineState): void {
  const reference = referenceAt(state.source, state.at);
  if (reference) addText(state, reference.text, reference.end - state.at);
  else addText(state, "&", 1);
}

function readLineEnd(state: InlineState): void {
  const { last } = state.root;
  const hard = last?.kind === "text" && state.source.endsWith("  ", state.at);
  if (hard) {
    appendNode(state.root, inlineNode("break"));
    state.at += 1;
  } else {
    addText(state, "\n", 1);
  }
  while (state.source[state.at] === " ") state.at += 1;
}

function readEscape(state: InlineState): void {
  const next = state.source.charAt(state.at + 1);
  if ((next === "(" || next === "[") && addMath(state, readBackslashed(state.source, state.at, state.find)))
    return;
  if (next === "\n") {
    appendNode(state.root, inlineNode("break"));
    state.at += 2;
  } else if (/[!-/:-@[-`{-~]/.test(next)) {
    addText(state, next, 2);
  } else {
    addText(state, "\\", 1);
  }
}

function readCode(state: InlineState): void {
  const { source, at } = state;
  const ticks = runLength(source, at);
  state.lastTicks ??= lastTicksOf(source, at);
  const isLonely = (state.lastTicks.get(ticks) ?? -1) <= at;
  const end = isLonely ? -1 : closingTicks(source, at + ticks, ticks);
  if (end < 0) {
    state.lonelyTicks.add(ticks);
    // Its partner may still come.
    leaveOpen(state, at);
    addText(state, "`".repeat(ticks), ticks);
    return;
  }
  const inner = source.slice(at + ticks, end).replaceAll("\n", " ");
  const padded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
  appendNode(state.root, inlineNode("code", padded ? inner.slice(1, -1) : inner, at, end + ticks));
  state.at = end + ticks;
}

/** The start of the last run of each length. Without it, each length would be searched for in the rest of the text. */
function lastTicksOf(source: string, start: number): Map<number, number> {
  const last = new Map<number, number>();
  for (let at = start; at >= 0; ) {
    const length = runLength(source, at);
    last.set(length, at);
    at = source.indexOf("`", at + length);
  }
  return last;
}

function closingTicks(source: string, start: number, ticks: number): number {
  for (let at = source.indexOf("`", start); at >= 0; ) {
    const length = runLength(source, at);
    if (length === ticks) return at;
    at = source.indexOf("`", at + length);
  }
  return -1;
}

const autolink =
  /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\0-\x20\x7f<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*)>/y;
const lineBreak = /<br\s*\/?>/iy;

function readAngle(state: InlineState): void {
  const { source, at } = state;
  lineBreak.lastIndex = at;
  const broken = lineBreak.exec(source)?.[0];
  if (broken) {
    appendNode(state.root, inlineNode("break"));
    state.at += broken.length;
    return;
  }
  if (readAnchor(state)) return;
  autolink.lastIndex = at;
  const match = autolink.exec(source);
  const target = match?.[1];
  if (!match || target === undefined) {
    // It may still become an autolink or `<br>`.
    if (/^<[^\s>]*(\s*\/?)?$/.test(source.slice(at, at + 400))) leaveOpen(state, at);
    addText(state, "<", 1);
    return;
  }
  const end = at + match[0].length;
  const link = inlineNode("link", "", at, end);
  link.href = target.includes("@") && !target.includes(":") ? `mailto:${target}` : target;
  appendNode(link, inlineNode("text", target, at + 1, end - 1));
  appendNode(state.root, link);
  state.at = end;
}

const anchor =
  /<a(?:\s+[a-z-]{1,30}=(?:"[^"<>\n]{0,2000}"|'[^'<>\n]{0,2000}'|[^\s"'`=<>]{1,2000})){1,8}\s*>/iy;
/** The length limits of the tag and of its text. */
const longestTag = 2000;
const longestAnchor = 1000;

/** Reads `<a href="https://…">text</a>`, the one element of HTML that leads a reader on. Others are text. */
function readAnchor(state: InlineState): boolean {
  const { source, at, find } = state;
  if (!/^<a\s?$/i.test(source.slice(at, at + 3))) return false;
  anchor.lastIndex = at;
  const [tag = ""] = anchor.exec(source) ?? [];
  if (tag.length > longestTag) return false;
  if (tag === "" && source.length - at <= longestTag && /^<a(?:\s[^<>]*)?$/i.test(source.slice(at)))
    leaveOpen(state, at);
  const [, , quoted = "", written = quoted] = /\shref=(?:(["'])(.*?)\1|([^\s"'>]+))/i.exec(tag) ?? [];
  if (!/^(?:https?:\/\/|mailto:)/i.test(written)) return false;
  const start = at + tag.length;
  const end = find(tag.startsWith("<A") ? "</A>" : "</a>", start);
  if (end < 0 && source.length - start <= longestAnchor + 4) leaveOpen(state, at);
  const text = end < 0 || end - start > longestAnchor ? "" : source.slice(start, end);
  if (text.trim() === "" || /<a\s/i.test(text)) return false;
  const link = inlineNode("link", "", at, end + 4);
  link.href = unescaped(written);
  for (const node of childrenOf(parseInline(text, state.definitions).root)) appendNode(link, node);
  appendNode(state.root, link);
  state.at = end + 4;
  return true;
}

/** The offset of the first mark that a later one could pair with. */
function firstOpen({ delimiters, brackets }: InlineState): number {
  let first = Number.POSITIVE_INFINITY;
  for (let run = delimiters.last; run; run = run.previous)
    if (run.canOpen) first = Math.min(first, run.node.start);
  for (let bracket = brackets; bracket; bracket = bracket.below) first = Math.min(first, bracket.start);
  return first;
}

interface OpenInline {
  readonly root: InlineNode;
  /** True if no mark is open: plain text that follows need not be parsed. */
  readonly isClosed: boolean;
}

/**
 * Reads a paragraph that is still being written, as it will most likely end: an open mark applies to all text after
 * it, and a mark that has just begun is not shown yet. So bold text is bold from its first letter.
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

/** True if the last word may become a mail address, or one that begins with `www.` */
function endsInAddress(source: string): boolean {
  if (/(?:^|[^a-z])w{1,3}$/i.test(source.slice(-4))) return true;
  return source.lastIndexOf("@") > Math.max(source.lastIndexOf(" "), source.lastIndexOf("\n"));
}

function closeAtEnd({ node, mark, left, canOpen, canClose }: Delimiter, root: InlineNode): void {
  // A character between letters or numbers, as in `2*3`, is probably not a mark.
  if (!canOpen || canClose || node.parent !== root || !node.next || left > 3) return;
  const used = left >= 2 ? 2 : 1;
  wrapBetween(node, undefined, inlineNode(mark === "~" ? "del" : used === 2 ? "strong" : "em"));
  node.text = node.text.slice(used);
  if (node.text === "") removeNode(node);
}
