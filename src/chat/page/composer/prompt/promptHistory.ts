/** Earlier questions, selected by the arrow keys as in a shell. */
export interface PromptHistory {
  /** The previous or next question; undefined if the key has its default meaning. `shown` is the prompt's text. */
  step(direction: "older" | "newer", shown: string): string | undefined;
  /** A question was asked. */
  add(text: string): void;
}

const maxStored = 100;
/** In characters; longer questions are usually pasted and not worth recalling. */
const maxLength = 4000;

/** `before` are the questions of earlier sessions, oldest first; `keep` is called with each new list. */
export function createPromptHistory(
  before: readonly string[],
  keep: (prompts: readonly string[]) => void,
): PromptHistory {
  let prompts = [...before];
  /** Index of the shown question; the length of the list if none is shown. */
  let at = prompts.length;
  return {
    step(direction, shown) {
      // The user's own text must not be lost: only an empty prompt or an unchanged question is replaced.
      if (shown !== (prompts[at] ?? "")) at = prompts.length;
      if (shown !== (prompts[at] ?? "")) return undefined;
      const next = direction === "older" ? at - 1 : at + 1;
      if (next < 0 || next > prompts.length || (at === prompts.length && direction === "newer"))
        return undefined;
      at = next;
      return prompts[at] ?? "";
    },
    add(text) {
      const prompt = text.trim();
      if (prompt !== "" && prompt.length <= maxLength) {
        prompts = [...prompts.filter((one) => one !== prompt), prompt].slice(-maxStored);
        keep(prompts);
      }
      at = prompts.length;
    },
  };
}
