/** Questions that were asked before, gone through by the arrow keys as in a shell. */
export interface PromptHistory {
  /** The question before the one shown, or after it; undefined where the key is not for this. `shown` is the box. */
  step(direction: "older" | "newer", shown: string): string | undefined;
  /** A question was asked. */
  add(text: string): void;
}

const maxStored = 100;
/** Characters; a longer question is a paste that nobody wants back by a key. */
const maxLength = 4000;

/** `before` are those of another time, oldest first; `keep` is told when there are more. */
export function createPromptHistory(
  before: readonly string[],
  keep: (prompts: readonly string[]) => void,
): PromptHistory {
  let prompts = [...before];
  /** Which one the box shows; beyond the last where it shows none. */
  let at = prompts.length;
  return {
    step(direction, shown) {
      // A text of one's own is not to be lost: only an empty box, or one that shows a question as it was, moves on.
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
