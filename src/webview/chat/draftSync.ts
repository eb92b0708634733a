import type { QuestionDraft } from "../../shared/chatState.ts";
import type { ChatBridge } from "./bridge.ts";

/** Milliseconds of quiet after which the host is told what is typed. */
const reportAfterMs = 250;

/** What is typed. The editor keeps each keystroke, the host hears of it soon, and nothing takes it away unasked. */
export interface DraftSync {
  /** What the box shows at first: the page may have been torn down while something was typed. */
  readonly keptText: string;
  typed(text: string): void;
  /** The host says what the draft is; returns what the box is to show, or undefined to leave it as it is. */
  reported(draft: QuestionDraft, shown: string): string | undefined;
  /** Sends; the box is emptied when the host confirms. False where there is nothing to send. */
  send(text: string): boolean;
  /** Tells the host at once what it has not heard yet. */
  report(): void;
}

export function createDraftSync(bridge: ChatBridge): DraftSync {
  let draft: QuestionDraft = bridge.kept?.draft ?? { text: "", revision: 0 };
  /** On its way, not confirmed. */
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
  /** What was typed while the host's word was on its way. */
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
