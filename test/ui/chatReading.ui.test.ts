// The list of conversations, the rendering of answers, and attachments, in one window.
import { describe } from "node:test";
import { attachmentSettings, attachmentTests } from "./attachments.ts";
import { historyTests, seedConversations } from "./history.ts";
import { openChatWindow } from "./openChat.ts";
import { renderingTests } from "./rendering.ts";

describe("conversations to read, and what is attached to them", () => {
  const window = openChatWindow("chat-reading", {
    tokensPerSecond: 100_000,
    settings: attachmentSettings,
    prepare: seedConversations,
  });

  describe("the list of conversations", () => historyTests(window));
  describe("rendering of answers", () => renderingTests(window));
  describe("attachments", () => attachmentTests(window));
});
