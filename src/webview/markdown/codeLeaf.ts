import { codeFrame } from "./codeFrame.ts";
import { isDiagram } from "./diagramSource.ts";
import { settleDirection } from "./direction.ts";
import type { DrawContext } from "./drawContext.ts";
import { growText } from "./growText.ts";
import type { Leaf } from "./leaf.ts";

export interface CodeLeaf extends Leaf {
  readonly kind: "code";
}

/** Code is cut into segments of this many characters, at a line that looks like a beginning, by twice as many at any. */
const segmentLength = 1024;
/** What stands around code, about. */
const frameElements = 10;
/** While a segment grows it is coloured again after so many milliseconds. */
const recolourEveryMs = 200;

/**
 * Code, drawn line by line. It is coloured in segments, each once it is complete, so that the cost of a block grows with
 * its length alone; the last segment is coloured anew while it grows, a few times a second.
 */
export function createCode(parent: Element, info: string, { highlighter, budget }: DrawContext): CodeLeaf {
  /** Joined only when somebody asks: looking at a text that grows costs as much as all of it. */
  let pieces: string[] = [];
  budget.addElements(frameElements);
  const whole = () => {
    pieces = [pieces.join("")];
    return pieces[0] ?? "";
  };
  const { code, language, offerDiagram } = codeFrame(parent, info, whole);
  let segment = startSegment(code);
  let colouredAtMs = 0;
  /** How many line ends it ends with. */
  let ends = 0;

  const add = (text: string) => {
    pieces.push(text);
    segment.source += text;
    segment.fresh += text;
  };
  const colour = () => {
    if (budget.takeColour(segment.source.length))
      highlighter.colour(segment.element, segment.source, language);
  };
  const settle = () => {
    drawPlain(segment);
    colour();
    settleDirection(code);
    segment = startSegment(code);
  };
  /** A line without indentation after an empty one begins something new; a long segment ends at any line. */
  const isBeginning = (line: string) =>
    segment.source.length >= 2 * segmentLength || (ends > 1 && /^\S/.test(line));
  return {
    kind: "code",
    append(text) {
      // The line before is complete only now that another begins: the last line's end is no part of the code.
      if (ends > 0 && segment.source.length >= segmentLength && isBeginning(text)) settle();
      if (text === "") return;
      add(text);
      ends = 0;
    },
    endLine() {
      add("\n");
      ends += 1;
    },
    draw() {
      if (segment.fresh === "") return;
      drawPlain(segment);
      const now = performance.now();
      if (now - colouredAtMs < recolourEveryMs) return;
      colouredAtMs = now;
      highlighter.colourMeanwhile(segment.element, segment.source, language);
    },
    finish() {
      if (ends > 0) {
        pieces.push((pieces.pop() ?? "").slice(0, -1));
        segment.source = segment.source.slice(0, -1);
      }
      segment.element.replaceChildren();
      growText(segment.element, segment.source);
      colour();
      if (segment.source === "") segment.element.remove();
      if (language === "mermaid" && isDiagram(whole())) offerDiagram();
    },
  };
}

interface Segment {
  readonly element: HTMLElement;
  source: string;
  /** The end of it that is not drawn yet. */
  fresh: string;
}

function startSegment(code: HTMLElement): Segment {
  const element = document.createElement("span");
  element.className = "segment";
  code.append(element);
  return { element, source: "", fresh: "" };
}

function drawPlain(segment: Segment): void {
  growText(segment.element, segment.fresh);
  segment.fresh = "";
}
