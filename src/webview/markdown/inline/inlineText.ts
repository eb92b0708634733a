import { addElement, growText, settleDirection, wholeTo } from "../drawing.ts";
import { createDrawnText, type DrawContext } from "./drawInline.ts";
import { childrenOf, type InlineNode } from "./inlineTree.ts";
import { type Inline, parseInline, parseOpenInline } from "./parseInline.ts";

/** The text of a paragraph, heading or table cell, drawn into its element while it is written. */
export interface InlineText {
  append(text: string): void;
  /** Draws new text. Plain text is appended; otherwise at most a few hundred characters are drawn again. */
  draw(): void;
  /** Draws the final text; no more text follows. */
  finish(): void;
}

/** In a longer text, all marks after this many characters are shown as text. */
const longestMarked = 65_536;
const plainRun = 4096;
const cutNote = "This text is too long: from about its 65,000th character on it is shown as it was written.";

/** A very long text is split into runs, each drawn by itself. */
export function createInlineText(element: HTMLElement, context: DrawContext): InlineText {
  let run = createInlineRun(element, context);
  const cutter = createRunCutter();
  /** The number of characters that may still contain marks. */
  let room = longestMarked;
  let plain: { readonly place: HTMLElement; length: number } | undefined;
  let isCut = false;

  const continueAnswer = () => {
    settleDirection(element);
    return addElement(element, "span", "text-run");
  };
  /** Ends the runs that are long enough. */
  const cutRuns = () => {
    for (let end = cutter.cut(run.source); end; end = cutter.cut(run.source)) {
      const rest = run.source.slice(end);
      run.end(end);
      run = createInlineRun(continueAnswer(), context);
      run.append(rest);
    }
  };
  /** Draws text without marks. */
  const appendPlain = (text: string) => {
    if (!plain) {
      cutRuns();
      run.end();
    }
    isCut ||= !inert.test(text);
    for (let at = 0, end = 0; at < text.length; at = end) {
      if (!plain || plain.length >= plainRun) plain = { place: continueAnswer(), length: 0 };
      end = wholeTo(text, at + plainRun - plain.length);
      growText(plain.place, text.slice(at, end));
      plain.length += end - at;
    }
  };
  return {
    append(text) {
      const end = plain ? 0 : wholeTo(text, room);
      room -= Math.min(room, text.length);
      run.append(text.slice(0, end));
      if (end < text.length) appendPlain(text.slice(end));
    },
    draw() {
      if (plain) return;
      cutRuns();
      run.draw();
    },
    finish() {
      if (isCut) addElement(element, "span", "cut-note").append(cutNote);
      if (plain) return;
      cutRuns();
      run.end();
    },
  };
}

/** A part of the text whose marks are read by themselves: all of the text, unless it is very long. */
interface InlineRun {
  readonly source: string;
  append(text: string): void;
  /** Draws the text that is new. */
  draw(): void;
  /** Draws the final text up to here. It is drawn again only when a label in it gets its definition. */
  end(length?: number): void;
}

/** Text that can't change the meaning of the text before it. */
const inert = /^(?!.*www\.)[^\n\\`*_~[\]!<&/@$^]*$/i;
/** A tail of this length is searched for a final part, and again each time it has grown by `settleEvery`. */
const settleAt = 256;
const settleEvery = 128;
/** A long undecided tail is drawn again only when it has grown by a twentieth, a very long one by a quarter. */
const longTail = 2048;
const veryLongTail = 8192;

function createInlineRun(place: HTMLElement, context: DrawContext): InlineRun {
  const { references } = context;
  const drawn = createDrawnText(place, context);
  let source = "";
  /** The end of the source that is not drawn yet. Comparing the whole source would cost more the longer it gets. */
  let fresh = "";
  /** The source up to here is drawn for good. */
  let settled = 0;
  let nextSettle = settleAt;
  let parsedLength = 0;
  let isClosed = true;
  const labels = new Set<string>();

  const replaceTail = (root: InlineNode) => {
    drawn.replaceTail(root);
    fresh = "";
    parsedLength = source.length - settled;
  };
  const read = (text: string): Inline => {
    const inline = parseInline(text, references.definitions);
    for (const label of inline.labels) labels.add(label);
    return inline;
  };
  /** Draws for good the part that later text can no longer change. */
  const settle = () => {
    const length = source.length - settled;
    const end = settledEnd(parseInline(source.slice(settled), references.definitions), source, settled);
    nextSettle = length + Math.max(settleEvery, length / 4);
    if (end <= settled) return;
    replaceTail(read(source.slice(settled, end)).root);
    drawn.settleTail();
    settled = end;
    nextSettle = settleAt;
    fresh = source.slice(end);
  };
  const drawAll = () => {
    drawn.reopen();
    settled = 0;
    replaceTail(read(source).root);
  };
  return {
    get source() {
      return source;
    },
    append(text) {
      source += text;
      fresh += text;
    },
    draw() {
      if (fresh === "") return;
      if (source.length - settled >= nextSettle) settle();
      const length = source.length - settled;
      const growth = length > veryLongTail ? 1.25 : 1.05;
      const isLong = length > longTail && length < parsedLength * growth;
      if (isLong || (isClosed && drawn.endsInText && inert.test(fresh))) {
        drawn.addPlain(fresh, isLong);
        fresh = "";
        return;
      }
      const open = parseOpenInline(source.slice(settled), references.definitions);
      isClosed = open.isClosed;
      replaceTail(open.root);
    },
    end(length = source.length) {
      // The part that is cut off here was drawn together with the rest.
      if (length < source.length) {
        source = source.slice(0, length);
        drawAll();
      } else {
        replaceTail(read(source.slice(settled)).root);
      }
      if (labels.size > 0) references.watch(labels, source.length, drawAll);
    },
  };
}

/** The last offset before which nothing is open: the end of a top-level word that is followed by another. */
function settledEnd({ root, openFrom }: Inline, source: string, from: number): number {
  for (const node of childrenOf(root).reverse()) {
    if (node.kind !== "text") continue;
    const end = from + Math.min(node.end, openFrom);
    for (let at = end - 2; at > from + node.start; at--) {
      if (source[at] === " " && isInWord(source.charAt(at - 1)) && isInWord(source.charAt(at + 1))) return at;
    }
  }
  return from;
}

function isInWord(char: string): boolean {
  return char !== "" && char !== " " && char !== "\n" && char !== "\\";
}

/** A longer text is split into runs, because a browser lays out all of a run whenever it grows. */
const longRun = 4096;
/** Places where a run may end, best first: the end of a line, of a sentence, of a word. */
const ends = [
  /(?<=[^\s\\])\n(?=\S)/g,
  /(?<=[.!?:;]) (?=\S)|(?<=[。！？])(?=[\p{L}\p{N}])/gu,
  /(?<=[^\s\\]) (?=\S)/g,
];

/**
 * Finds the places where a long text may continue in another run, as if a line ended there. They depend on the text
 * only, not on the pieces in which it arrives.
 */
interface RunCutter {
  /** The offset in `text`, which begins at the end of the last run; undefined if there is no place yet. */
  cut(text: string): number | undefined;
}

function createRunCutter(): RunCutter {
  let length = longRun;
  return {
    cut(text) {
      for (; text.length > length; length *= 2) {
        const end = endOfRun(text.slice(0, length));
        // A text that is open throughout is checked again when it is twice as long.
        if (end === undefined) continue;
        length = longRun;
        return end;
      }
      return undefined;
    },
  };
}

/** The best place in the second half that is outside of all marks. */
function endOfRun(text: string): number | undefined {
  const { root, openFrom } = parseInline(text, new Map());
  const half = text.length / 2;
  const plain = childrenOf(root).filter(
    ({ kind, start, end }) => kind === "text" && end > half && start < openFrom,
  );
  for (const pattern of ends) {
    const end = lastWithin(pattern, text, half, openFrom, plain);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** The last match between `from` and `to` that is inside one of these stretches, which are sorted. */
function lastWithin(
  pattern: RegExp,
  text: string,
  from: number,
  to: number,
  stretches: readonly { readonly start: number; readonly end: number }[],
): number | undefined {
  let last: number | undefined;
  let next = 0;
  pattern.lastIndex = Math.ceil(from);
  for (let match = pattern.exec(text); match && match.index < to; match = pattern.exec(text)) {
    const at = match.index;
    while ((stretches[next]?.end ?? text.length) <= at) next++;
    if (at > from && (stretches[next]?.start ?? text.length) < at) last = at;
    // An empty match would be found again at the same place.
    if (match[0] === "") pattern.lastIndex++;
  }
  return last;
}
