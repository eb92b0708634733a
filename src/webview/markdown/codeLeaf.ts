import { codeFrame } from "./codeFrame.ts";
import type { Highlighter } from "./highlighter.ts";
import type { Leaf } from "./leaf.ts";

export interface CodeLeaf extends Leaf {
  readonly kind: "code";
}

/** Code is cut into segments of this many characters, at a line that looks like a beginning, by twice as many at any. */
const segmentLength = 1024;
/** While a segment grows it is coloured again after so many milliseconds. */
const recolourEveryMs = 200;

/**
 * Code, drawn line by line. It is coloured in segments, each once it is complete, so that the cost of a block grows with
 * its length alone; the last segment is coloured anew while it grows, a few times a second.
 */
export function createCode(parent: Element, info: string, highlighter: Highlighter): CodeLeaf {
  let source = "";
  const { code, language } = codeFrame(parent, info, () => source);
  let segment = startSegment(code);
  let colouredAtMs = 0;

  const add = (text: string) => {
    source += text;
    segment.source += text;
  };
  const settle = () => {
    drawPlain(segment);
    highlighter.colour(segment.element, segment.source, language);
    segment = startSegment(code);
  };
  return {
    kind: "code",
    append(text) {
      // The line before is complete only now that another begins: the last line's end is no part of the code.
      const isNewLine = source !== "" && source.endsWith("\n");
      if (isNewLine && segment.source.length >= segmentLength && isBeginning(segment.source, text)) settle();
      add(text);
    },
    endLine() {
      add("\n");
    },
    draw() {
      if (segment.drawn === segment.source.length) return;
      drawPlain(segment);
      const now = performance.now();
      if (now - colouredAtMs < recolourEveryMs) return;
      colouredAtMs = now;
      highlighter.colourMeanwhile(segment.element, segment.source, language);
    },
    finish() {
      source = source.replace(/\n$/, "");
      segment.source = segment.source.replace(/\n$/, "");
      segment.element.replaceChildren(segment.source);
      highlighter.colour(segment.element, segment.source, language);
      if (segment.source === "") segment.element.remove();
    },
  };
}

interface Segment {
  readonly element: HTMLElement;
  source: string;
  drawn: number;
}

function startSegment(code: HTMLElement): Segment {
  const element = document.createElement("span");
  element.className = "segment";
  code.append(element);
  return { element, source: "", drawn: 0 };
}

function drawPlain(segment: Segment): void {
  const fresh = segment.source.slice(segment.drawn);
  const { lastChild } = segment.element;
  if (lastChild instanceof Text) lastChild.appendData(fresh);
  else segment.element.append(fresh);
  segment.drawn = segment.source.length;
}

/** A line without indentation after an empty one begins something new; a long segment ends at any line. */
function isBeginning(before: string, line: string): boolean {
  return before.length >= 2 * segmentLength || (before.endsWith("\n\n") && /^\S/.test(line));
}
