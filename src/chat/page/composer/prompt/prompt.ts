import { useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { QuestionDraft } from "../../../protocol/chatState.ts";
import type { ChatBridge } from "../../store/bridge.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { useStopAndFocus } from "../useStopAndFocus.ts";
import { createPromptHistory } from "./promptHistory.ts";

/** The text box of a question. Its text survives reloads of the page and the window. */
export interface Prompt {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** The text as of the last input. */
  readonly text: string;
  /** The user has typed. */
  onInput(): void;
  /** Sets the text as if the user had typed it. */
  put(text: string, cursor: number): void;
  /** Replaces the text by the previous or next question, as in a shell. */
  recall(event: KeyboardEvent): void;
  /** Sends the text, or during a task what is for `after` it. False if there is nothing to send. */
  send(after: boolean): boolean;
  focus(): void;
}

export function usePrompt(deps: ChatPageDeps): Prompt {
  const { store, bridge } = deps;
  const sync = useMemo(() => createDraftSync(bridge), []);
  const history = useMemo(
    () => createPromptHistory(bridge.kept?.prompts ?? [], (prompts) => bridge.keep({ prompts })),
    [],
  );
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const shown = () => box.current?.value ?? "";
  const focus = () => box.current?.focus();
  const show = (next: string) => {
    if (box.current) box.current.value = next;
    setText(next);
  };
  const put = (next: string, cursor: number) => {
    show(next);
    sync.typed(next);
    focus();
    box.current?.setSelectionRange(cursor, cursor);
  };
  useLayoutEffect(() => show(sync.keptText), []);
  useSignalEffect(() => {
    const draft = store.field("draft");
    const next = draft && sync.reported(draft, shown());
    if (next === undefined) return;
    show(next);
    // The host has inserted a text to edit: the cursor goes to its end, unless the focus is elsewhere in VS Code.
    if (next !== "" && document.hasFocus()) focus();
    box.current?.setSelectionRange(next.length, next.length);
  });
  const conversationId = store.conversationId.value;
  const earlier = useRef("");
  useEffect(() => {
    // A page that loads late must not take the focus from where the user types meanwhile. If the view has it, VS Code
    // gives it to the page.
    if (earlier.current !== "" || document.hasFocus()) focus();
    earlier.current = conversationId;
  }, [conversationId]);
  useStopAndFocus(deps, box);
  useEffect(() => listenToPage(sync.report, focus), []);
  return {
    box,
    text,
    put,
    focus,
    onInput() {
      sync.typed(shown());
      setText(shown());
    },
    recall(event) {
      const direction = event.key === "ArrowUp" ? "older" : "newer";
      const next = history.step(direction, shown());
      if (next === undefined) return;
      event.preventDefault();
      put(next, direction === "older" ? 0 : next.length);
    },
    send(after) {
      const question = shown();
      if (!sync.send(question, after)) return false;
      history.add(question);
      // The pressed button may be disabled now, which would lose the focus.
      focus();
      return true;
    },
  };
}

/** Reports the last keystrokes before the page may be closed, and focuses the prompt with the view. */
function listenToPage(report: () => void, focus: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("blur", report, { signal });
  window.addEventListener("pagehide", report, { signal });
  document.addEventListener("visibilitychange", report, { signal });
  const onFocus = () => {
    // An element of the page that had the focus keeps it.
    if (document.activeElement === document.body) focus();
  };
  window.addEventListener("focus", onFocus, { signal });
  return () => listening.abort();
}

/** Debounce in milliseconds before the typed text is reported. */
const reportAfterMs = 250;

/** Synchronizes the draft. VS Code keeps each keystroke, the host gets the text soon, and no update overwrites it. */
interface DraftSync {
  /** The initial text: the page may have been closed while the user was typing. */
  readonly keptText: string;
  typed(text: string): void;
  /** Handles the host's draft; returns the text to show, or undefined to keep the current one. */
  reported(draft: QuestionDraft, shown: string): string | undefined;
  /** Sends the text; the prompt is cleared when the host confirms. False if it is empty. */
  send(text: string, after: boolean): boolean;
  /** Reports unreported text at once. */
  report(): void;
}

function createDraftSync(bridge: ChatBridge): DraftSync {
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
    send(text, after) {
      if (text.trim() === "") return false;
      clearTimeout(timer);
      timer = undefined;
      sending = text;
      bridge.post("send", { text, revision: draft.revision, ...(after ? { after } : {}) });
      return true;
    },
  };
}
