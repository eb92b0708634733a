import type { AnswerSource } from "../../shared/chatMessages.ts";
import { createBlocks } from "./blocks.ts";
import { createCitationMarks } from "./citationMarks.ts";
import { createDrawBudget } from "./drawBudget.ts";
import type { MarkdownTools } from "./drawContext.ts";
import { createFootnotes } from "./footnotes.ts";
import { createReferences } from "./references.ts";

/**
 * Markdown that is drawn while it arrives. However it is cut into pieces, it ends as the same elements; all that is cut
 * off by a block's end stays untouched from then on, so the cost grows with the length of the text alone.
 */
export interface MarkdownStream {
  append(text: string): void;
  /** Draws what has come since the last time; call it once per frame. */
  draw(): void;
  /** Draws the rest, as it is meant. */
  finish(): void;
  /** What the marks in the text stand for; it may come at any time. */
  cite(sources: readonly AnswerSource[]): void;
}

/** Signs alone may mean anything, for as long as they go on: from here on they are looked at again when a quarter has come. */
const longHeld = 1024;

/** Definitions come one by one, and each may have all that came before drawn again: no more than this for what comes. */
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
  /** The beginning of a line of which more must come before it can be placed. */
  let held = "";
  let hasBegun = false;
  /** A line feed that comes next belongs to the line ending that has come. */
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
