import type { ChatState, Spent } from "../../shared/chatState.ts";

export const nothingSpent: Spent = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  usd: 0,
  diem: 0,
  answers: 0,
};

/** What a chat shows before it has read its files. */
export const emptyState: ChatState = {
  conversationId: "",
  messages: [],
  earlierCount: 0,
  beside: [],
  branches: {},
  busy: false,
  draft: { text: "", revision: 0 },
  queue: [],
  attachments: [],
  attachmentNotice: null,
  mentions: null,
  context: null,
  viewSettings: { sendWith: "enter", prompts: {} },
  service: null,
  models: { status: "loading" },
  modelId: null,
  compareIds: [],
  favouriteIds: [],
  recentIds: [],
  settings: {},
  presets: [],
  presetProblems: [],
  tools: [],
  toolsProblem: null,
  spent: nothingSpent,
  problem: null,
  notice: null,
};
