import type { AnswerSource } from "../../shared/chat/answerSource.ts";
import { createBlocks } from "./blocks/blocks.ts";
import { createHighlighter, type Grammars, type Highlighter } from "./code.ts";
import { createDrawBudget } from "./drawing.ts";
import { createTypesetter, type MathEngine, type Typesetter } from "./engines/math.ts";
import { createCitationMarks, createFootnotes, createReferences } from "./inline/references.ts";
import {
  createDiagrams,
  createRemoteImages,
  type DiagramEngine,
  type Diagrams,
  type RemoteImages,
} from "./pictures.ts";

/** Loads the engines. Each is a chunk of its own, loaded when an answer first needs it. */
export interface MarkdownEngines {
  readonly grammars: () => Promise<Grammars>;
  readonly math: () => Promise<MathEngine>;
  readonly diagrams: () => Promise<DiagramEngine>;
}

/** The tools that all answers of a page are drawn with. */
export interface MarkdownTools {
  readonly highlighter: Highlighter;
  readonly typesetter: Typesetter;
  readonly diagrams: Diagrams;
  readonly pictures: RemoteImages;
}

/** `askForPicture` has the host fetch a remote image; `pictures.came` takes the result. */
export function createMarkdownTools(
  engines: MarkdownEngines,
  askForPicture: (url: string) => void,
): MarkdownTools {
  return {
    highlighter: createHighlighter(engines.grammars),
    typesetter: createTypesetter(engines.math),
    diagrams: createDiagrams(engines.diagrams),
    pictures: createRemoteImages(askForPicture),
  };
}

/**
 * Markdown that is drawn while it arrives. The final elements do not depend on how the text is cut into pieces. A
 * closed block is never touched again, so the cost is linear in the length of the text.
 */
export interface MarkdownStream {
  append(text: string): void;
  /** Draws the text that arrived since the last call. Call it once per frame. */
  draw(): void;
  /** Draws the final text. */
  finish(): void;
  /** Sets the sources that the citations in the text refer to. May be called at any time. */
  cite(sources: readonly AnswerSource[]): void;
}

/** An undecided start of a line that is longer than this is checked again when it has grown by a quarter. */
const longHeld = 1024;

/** Each new definition may cause earlier text to be drawn again. This bounds that work per character received. */
const redrawnPerCharacter = 8;

export function createMarkdownStream(root: Element, tools: MarkdownTools): MarkdownStream {
  const citations = createCitationMarks();
  const references = createReferences();
  const blocks = createBlocks(root, {
    ...tools,
    citations,
    references,
    footnotes: createFootnotes(),
    budget: createDrawBudget(),
  });
  /** The start of a line whose meaning is not decided yet. */
  let held = "";
  let hasBegun = false;
  /** A line feed that comes next belongs to the last line ending. */
  let isAfterReturn = false;
  let nextCheck = 0;
  let redrawable = 0;

  const more = (text: string) => {
    if (hasBegun) return blocks.append(text);
    held += text;
    if (held.length < nextCheck) return;
    if (held !== "" && blocks.isDecided(held)) return begin();
    nextCheck = held.length > longHeld ? held.length * 1.25 : 0;
  };
  const begin = () => {
    blocks.beginLine(held);
    held = "";
    nextCheck = 0;
    hasBegun = true;
  };
  const endLine = (text: string) => {
    if (hasBegun) {
      blocks.append(text);
    } else {
      held += text;
      begin();
    }
    blocks.endLine();
    hasBegun = false;
  };
  return {
    append(text) {
      if (text === "") return;
      redrawable += redrawnPerCharacter * text.length;
      const fresh = isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
      isAfterReturn = text.endsWith("\r");
      const [first = "", ...rest] = fresh.replaceAll("\0", "\ufffd").split(/\r\n?|\n/);
      let last = first;
      for (const next of rest) {
        endLine(last);
        last = next;
      }
      more(last);
    },
    draw() {
      redrawable = references.redraw(redrawable);
      blocks.draw();
    },
    finish() {
      if (hasBegun || held !== "") endLine("");
      blocks.finish();
      references.redraw(Number.POSITIVE_INFINITY);
    },
    cite: (sources) => citations.set(sources),
  };
}
