import type { ChatState } from "../../shared/chatState.ts";

/** What a chat shows before it has read its files. */
export const emptyState: ChatState = {
  conversationId: "",
  messages: [],
  earlierCount: 0,
  beside: [],
  branches: {},
  busy: false,
  draft: { text: "", revision: 0 },
  attachments: [],
  attachmentNotice: null,
  mentions: null,
  context: null,
  settings: { sendWith: "enter" },
  service: null,
  models: { status: "loading" },
  modelId: null,
  problem: null,
  notice: null,
};
