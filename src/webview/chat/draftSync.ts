import type { QuestionDraft } from "../../shared/chatState.ts";
import type { ChatBridge } from "./bridge.ts";

/** Debounce in milliseconds before the typed text is reported. */
const reportAfterMs = 250;

/** Synchronizes the draft. VS Code keeps each keystroke, the host gets the text soon, and no update overwrites it. */
export interface DraftSync {
  /** The initial text: the page may have been closed while the user was typing. */
  readonly keptText: string;
  typed(text: string): void;
  /** Handles the host's draft; returns the text to show, or undefined to keep the current one. */
  reported(draft: QuestionDraft, shown: string): string | undefined;
  /** Sends the text; the prompt is cleared when the host confirms. False if it is empty. */
  send(text: string): boolean;
  /** Reports unreported text at once. */
  report(): void;
}

export function createDraftSync(bridge: ChatBridge): DraftSync {
  let draft: QuestionDraft = bridge.kept?.draft ?? { text: "", revision: 0 };
  /** The sent text until it is confirmed. */
  let sending: string | undefined;
  let timer: number | undefined;

  const keep = (next: QuestionDraft) => {
    draft = next;
    bridge.keep({ draft: next });
  };
  const report = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    bridge.post("draft", { draft });
  };
  const typed = (text: string) => {
    keep({ text, revision: Math.max(Date.now(), draft.revision + 1) });
    clearTimeout(timer);
    timer = window.setTimeout(report, reportAfterMs);
  };
  /** Text typed after the last report. */
  const typedMeanwhile = (shown: string): string => {
    if (sending !== undefined && shown.startsWith(sending)) return shown.slice(sending.length);
    return timer === undefined ? "" : shown;
  };
  return {
    keptText: draft.text,
    typed,
    report,
    reported(next, shown) {
      if (next.revision <= draft.revision) return undefined;
      const more = typedMeanwhile(shown);
      sending = undefined;
      keep(next);
      if (more === "") return next.text;
      const text = next.text === "" ? more : `${next.text}\n${more}`;
      typed(text);
      return text;
    },
    send(text) {
      if (text.trim() === "") return false;
      clearTimeout(timer);
      timer = undefined;
      sending = text;
      bridge.post("send", { text, revision: draft.revision });
      return true;
    },
  };
}
