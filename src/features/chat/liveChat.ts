import type { ToView } from "../../shared/chatProtocol.ts";
import { applyOp, type ChatState, isBusy, type Message, type Op } from "../../shared/chatState.ts";
import { type Conversation, type ConversationNode, messagesOf, settled, toNodes } from "./conversation.ts";
import { createViewLink, type ViewLink } from "./viewLink.ts";

/** The state that all views share, the ways to them, and the messages that no view shows. */
export interface LiveChat {
  readonly state: ChatState;
  /** Applies changes here and in every view; `urgent` ones do not wait for the next frame. */
  commit(ops: readonly Op[], urgent?: boolean): void;
  /** Shows another conversation. */
  open(conversation: Conversation, notice?: string): void;
  /** Takes the last message out of sight; it stays in the conversation. */
  leaveOutLast(): void;
  /** Remembers the messages as they are; what it returns puts them back. */
  mark(): () => void;
  toConversation(): Conversation;
  connect(post: (message: ToView) => void): ViewLink;
  disconnect(link: ViewLink): void;
}

export interface LiveChatDeps {
  /** Called after each change of what is kept on disk. */
  readonly onChange: () => void;
  readonly onBusy: (busy: boolean) => void;
  /** Words for an answer that the end of the process cut off. */
  readonly interrupted: () => Extract<Message, { role: "assistant" }>["problem"];
}

export function createLiveChat({ onChange, onBusy, interrupted }: LiveChatDeps): LiveChat {
  let others: ConversationNode[] = [];
  let createdAtMs = Date.now();
  let busy = false;
  let state = emptyState;
  const links = new Set<ViewLink>();

  const tell = () => {
    if (isBusy(state) !== busy) {
      busy = !busy;
      onBusy(busy);
    }
    onChange();
  };
  const replace = (next: ChatState) => {
    state = next;
    for (const link of links) link.refresh();
    tell();
  };
  return {
    get state() {
      return state;
    },
    commit(ops, urgent = true) {
      for (const op of ops) {
        const next = applyOp(state, op);
        if (!next) throw new Error(`change ${op.op} does not fit the conversation`);
        state = next;
      }
      for (const link of links) link.push(ops, urgent);
      tell();
    },
    open(conversation, notice) {
      const { path, others: rest } = messagesOf(conversation);
      others = rest;
      createdAtMs = conversation.createdAtMs;
      const messages = path.map((message) => settled(message, interrupted()));
      const { id: conversationId, draft } = conversation;
      // A draft that is already being typed is newer than what the disk holds.
      const newest = state.draft.revision > draft.revision ? state.draft : draft;
      replace({ ...state, conversationId, messages, draft: newest, problem: null, notice: notice ?? null });
    },
    leaveOutLast() {
      others = [...others, ...toNodes(state.messages).slice(-1)];
      replace({ ...state, messages: state.messages.slice(0, -1) });
    },
    mark() {
      const { messages } = state;
      const rest = others;
      return () => {
        others = rest;
        replace({ ...state, messages });
      };
    },
    toConversation: () => ({
      v: 1,
      id: state.conversationId,
      createdAtMs,
      updatedAtMs: Date.now(),
      nodes: [...others, ...toNodes(state.messages)] as Conversation["nodes"],
      leafId: state.messages.at(-1)?.id ?? null,
      draft: state.draft,
    }),
    connect(post) {
      const link = createViewLink(post, () => state);
      links.add(link);
      return link;
    },
    disconnect(link) {
      link.pause();
      links.delete(link);
    },
  };
}

const emptyState: ChatState = {
  conversationId: "",
  messages: [],
  draft: { text: "", revision: 0 },
  service: null,
  models: { status: "loading" },
  modelId: null,
  problem: null,
  notice: null,
};
