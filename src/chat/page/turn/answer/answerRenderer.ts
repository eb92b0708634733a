import type { AnswerSource } from "../../../../shared/chat/answerSource.ts";
import { MarkdownStream, type MarkdownTools } from "../../../../webview/markdown/markdownStream.ts";

/** Renders one text of an answer outside of Preact, so the cost of a piece depends only on its length. */
export interface AnswerRenderer {
  /** Appends text at offset `at`. A mismatch is ignored; `sync` repairs it. */
  append(at: number, text: string): void;
  /** Sets the text, cheaply if it has only grown; `isWhole` means that no more text follows. */
  sync(text: string, isWhole: boolean): void;
  /** Sets the sources of the citations. */
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
  let stream = new MarkdownStream(element, tools);

  const draw = () => stream.draw();
  const give = (text: string) => {
    if (text === "") return;
    given += text;
    stream.append(text);
    frames.request(draw);
  };
  const restart = () => {
    element.replaceChildren();
    stream = new MarkdownStream(element, tools);
    stream.cite(sources);
    given = "";
    isWhole = false;
  };
  /**
   * Continues a completed text, whose end was rendered as final. It is rendered again within the same task, and laid-out
   * parts are laid out again, so the scroll position does not jump.
   */
  const reopen = () => {
    const text = given;
    const laidOut = [...element.querySelectorAll(".chunk")].map((chunk) =>
      chunk.matches(".laid-out, :only-child"),
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
      // The scroll position is updated after every flush.
      frames.request(draw);
    },
    cite(next) {
      sources = next;
      stream.cite(next);
    },
  };
}

/** Batches rendering into one flush per animation frame; callbacks run after it in the same frame. */
export interface Frames {
  /** Renders in the next frame; repeated requests render once. */
  request(draw: () => void): void;
  /** Calls `after` after each flush that rendered something, until the returned function is called. */
  onFlush(after: () => void): () => void;
}

export function createFrames(): Frames {
  const waiting = new Set<() => void>();
  const followers = new Set<() => void>();
  let isScheduled = false;

  const flush = () => {
    isScheduled = false;
    const draws = [...waiting];
    waiting.clear();
    for (const draw of draws) draw();
    for (const follow of followers) follow();
  };
  return {
    request(draw) {
      waiting.add(draw);
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(flush);
    },
    onFlush(after) {
      followers.add(after);
      return () => void followers.delete(after);
    },
  };
}
