import { type ReadonlySignal, signal } from "@preact/signals";
import { emptyReplica, type Replica, receive } from "../../shared/chatReplica.ts";
import type { ChatState, Draft } from "../../shared/chatState.ts";
import type { Bridge } from "./bridge.ts";

/** Milliseconds after the last keystroke until the host hears of it. */
const draftDelayMs = 150;

/** The page's replica of the host's state, and the draft, which is the one thing that begins here. */
export interface ChatStore {
  /** Undefined until the first snapshot is here. */
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly draft: ReadonlySignal<Draft>;
  type(text: string): void;
  send(): void;
}

export function createChatStore(bridge: Bridge): ChatStore {
  const state = signal<ChatState | undefined>(undefined);
  const draft = signal<Draft>(bridge.kept?.draft ?? { text: "", revision: 0 });
  let replica: Replica = emptyReplica;
  let timer: number | undefined;

  const setDraft = (next: Draft) => {
    draft.value = next;
    bridge.keep({ draft: next });
  };
  const tellDraft = () => bridge.post("draft", { draft: draft.peek() });
  bridge.onMessage((message) => {
    const received = receive(replica, message);
    if (received.outcome === "gap") bridge.post("resync", {});
    if (received.outcome !== "applied") return;
    replica = received.replica;
    state.value = replica.state;
    const theirs = replica.state?.draft;
    if (theirs && theirs.revision > draft.peek().revision) setDraft(theirs);
    // The next frame may come once this one is on the screen.
    const { epoch, seq } = replica;
    requestAnimationFrame(() => bridge.post("ack", { epoch, seq }));
  });
  bridge.post("ready", bridge.kept ? { draft: bridge.kept.draft } : {});
  return {
    state,
    draft,
    type(text) {
      setDraft({ text, revision: draft.peek().revision + 1 });
      clearTimeout(timer);
      timer = window.setTimeout(tellDraft, draftDelayMs);
    },
    send() {
      const { text, revision } = draft.peek();
      if (text.trim() === "") return;
      clearTimeout(timer);
      bridge.post("send", { text, revision });
    },
  };
}
