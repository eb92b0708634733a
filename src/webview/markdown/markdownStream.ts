import type { AnswerSource } from "../../shared/chat/answerSource.ts";
import { type Blocks, createBlocks } from "./blocks/blocks.ts";
import { type Grammars, Highlighter } from "./code.ts";
import { DrawBudget } from "./drawing.ts";
import { createTypesetter, type MathEngine, type Typesetter } from "./engines/math.ts";
import { createInlineText } from "./inline/inlineText.ts";
import { CitationMarks, Footnotes, References } from "./inline/references.ts";
import { createDiagrams, type DiagramEngine, type Diagrams, RemoteImages } from "./pictures.ts";

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
    highlighter: new Highlighter(engines.grammars),
    typesetter: createTypesetter(engines.math),
    diagrams: createDiagrams(engines.diagrams),
    pictures: new RemoteImages(askForPicture),
  };
}

/** Draws one line of Markdown into an empty or drawn element: marks, code and links, no blocks. */
export function drawInlineMarkdown(element: HTMLElement, line: string, tools: MarkdownTools): void {
  element.replaceChildren();
  const text = createInlineText(element, {
    ...tools,
    citations: new CitationMarks(),
    references: new References(),
    footnotes: new Footnotes(),
    budget: new DrawBudget(),
  });
  text.append(line.replaceAll("\0", "\ufffd"));
  text.finish();
}

/** An undecided start of a line that is longer than this is checked again when it has grown by a quarter. */
const longHeld = 1024;

/** Each new definition may cause earlier text to be drawn again. This bounds that work per character received. */
const redrawnPerCharacter = 8;

/**
 * Markdown that is drawn while it arrives. The final elements do not depend on how the text is cut into pieces. A
 * closed block is never touched again, so the cost is linear in the length of the text.
 */
export class MarkdownStream {
  readonly #citations = new CitationMarks();
  readonly #references = new References();
  readonly #blocks: Blocks;
  /** The start of a line whose meaning is not decided yet. */
  #held = "";
  #hasBegun = false;
  /** A line feed that comes next belongs to the last line ending. */
  #isAfterReturn = false;
  #nextCheck = 0;
  #redrawable = 0;

  constructor(root: Element, tools: MarkdownTools) {
    this.#blocks = createBlocks(root, {
      ...tools,
      citations: this.#citations,
      references: this.#references,
      footnotes: new Footnotes(),
      budget: new DrawBudget(),
    });
  }

  append(text: string): void {
    if (text === "") return;
    this.#redrawable += redrawnPerCharacter * text.length;
    const fresh = this.#isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#isAfterReturn = text.endsWith("\r");
    const [first = "", ...rest] = fresh.replaceAll("\0", "\ufffd").split(/\r\n?|\n/);
    let last = first;
    for (const next of rest) {
      this.#endLine(last);
      last = next;
    }
    this.#more(last);
  }

  /** Draws the text that arrived since the last call. Call it once per frame. */
  draw(): void {
    this.#redrawable = this.#references.redraw(this.#redrawable);
    this.#blocks.draw();
  }

  /** Draws the final text. */
  finish(): void {
    if (this.#hasBegun || this.#held !== "") this.#endLine("");
    this.#blocks.finish();
    this.#references.redraw(Number.POSITIVE_INFINITY);
  }

  /** Sets the sources that the citations in the text refer to. May be called at any time. */
  cite(sources: readonly AnswerSource[]): void {
    this.#citations.set(sources);
  }

  #more(text: string): void {
    if (this.#hasBegun) {
      this.#blocks.append(text);
      return;
    }
    this.#held += text;
    if (this.#held.length < this.#nextCheck) return;
    if (this.#held !== "" && this.#blocks.isDecided(this.#held)) {
      this.#begin();
      return;
    }
    this.#nextCheck = this.#held.length > longHeld ? this.#held.length * 1.25 : 0;
  }

  #begin(): void {
    this.#blocks.beginLine(this.#held);
    this.#held = "";
    this.#nextCheck = 0;
    this.#hasBegun = true;
  }

  #endLine(text: string): void {
    if (this.#hasBegun) {
      this.#blocks.append(text);
    } else {
      this.#held += text;
      this.#begin();
    }
    this.#blocks.endLine();
    this.#hasBegun = false;
  }
}
