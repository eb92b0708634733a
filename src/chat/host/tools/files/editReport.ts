import type { WrittenText } from "../../../../changes/engine/pendingChanges.ts";
import type { CallContext } from "../tool.ts";
import { changedLines } from "./changedLines.ts";

/** The problems of files as they are before a call changes some. */
export interface ProblemsBefore {
  since(call: Pick<CallContext, "conversation">): ProblemsSince;
}

/** The problems of files since a moment before they are changed. */
export interface ProblemsSince {
  /**
   * Sentences about the problems that files have got; empty if no language service watches them, and in a task, which is
   * told of them in its next request. Never rejects.
   */
  newIn(texts: readonly WrittenText[], signal: AbortSignal): Promise<string>;
}

/**
 * What a model is told about texts that a call has changed: their lines as they are now, and their new problems. Make it
 * before the call changes anything, and give `noted` to each change as `onWritten`.
 */
export class EditReport {
  readonly #problems: ProblemsSince;
  /** By URI: the text before the first change, and after the last one. */
  readonly #texts = new Map<string, WrittenText>();

  constructor(problems: ProblemsSince) {
    this.#problems = problems;
  }

  readonly noted = (text: WrittenText): void => {
    const key = text.uri.toString();
    const first = this.#texts.get(key);
    this.#texts.set(key, first ? { ...text, before: first.before } : text);
  };

  /**
   * Outside of a task waits some seconds at most for language services that watch the files, and no longer than the signal.
   * A file that did not exist is not shown, because the model has just written it. Never rejects.
   */
  async text(signal: AbortSignal): Promise<string> {
    const texts = [...this.#texts.values()];
    const lines = changedLines(
      texts.flatMap(({ path, before, after }) => (before === undefined ? [] : [{ path, before, after }])),
    );
    const problems = await this.problems(signal);
    return [lines, problems].filter((part) => part !== "").join("\n");
  }

  /** Their new problems alone. Waits as above, and never rejects. */
  async problems(signal: AbortSignal): Promise<string> {
    const texts = [...this.#texts.values()];
    return texts.length > 0 ? this.#problems.newIn(texts, signal) : "";
  }
}
