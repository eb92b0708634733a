import type { AnswerSource } from "../../shared/chatMessages.ts";
import { createMarkdownStream, type MarkdownStream, type MarkdownTools } from "../markdown/markdownStream.ts";
import type { Frames } from "./frames.ts";

/** Draws one text of an answer, past the component tree: what a piece of text costs is its own length. */
export interface AnswerRenderer {
  /** More text, which begins at offset `at`, of a whole text too; ignored where it does not fit, `sync` mends that. */
  append(at: number, text: string): void;
  /** Makes the text what it is, cheaply where it has only grown; `isWhole` once nothing more comes. */
  sync(text: string, isWhole: boolean): void;
  /** What the marks in the text stand for. */
  cite(sources: readonly AnswerSource[]): void;
}

export function createAnswerRenderer(
  element: HTMLElement,
  tools: MarkdownTools,
  frames: Frames,
): AnswerRenderer {
  let given = "";
  let isWhole = false;
  let sources: readonly AnswerSource[] = [];
  let stream: MarkdownStream = createMarkdownStream(element, tools);

  const draw = () => stream.draw();
  const give = (text: string) => {
    if (text === "") return;
    given += text;
    stream.append(text);
    frames.request(draw);
  };
  const restart = () => {
    element.replaceChildren();
    stream = createMarkdownStream(element, tools);
    stream.cite(sources);
    given = "";
    isWhole = false;
  };
  /**
   * Has a text that was whole go on: its end was drawn as it is meant where nothing follows. Drawn anew within the task,
   * and with what was laid out laid out again, so that nothing moves for the reader.
   */
  const reopen = () => {
    const text = given;
    const laidOut = [...element.querySelectorAll(".chunk")].map((chunk) =>
      chunk.classList.contains("laid-out"),
    );
    restart();
    give(text);
    draw();
    for (const [index, chunk] of element.querySelectorAll(".chunk").entries())
      chunk.classList.toggle("laid-out", laidOut[index] ?? false);
  };
  const takeMore = (text: string) => {
    if (isWhole && text !== "") reopen();
    give(text);
  };
  return {
    append(at, text) {
      if (at === given.length) takeMore(text);
    },
    sync(text, whole) {
      if (!text.startsWith(given)) restart();
      takeMore(text.slice(given.length));
      if (!whole || isWhole) return;
      isWhole = true;
      stream.finish();
      // For the scroll position, which follows every flush.
      frames.request(draw);
    },
    cite(next) {
      sources = next;
      stream.cite(next);
    },
  };
}
