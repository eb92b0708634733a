// The list of conversations, the rendering of answers, attachments, and the search in a chat, in one window.
import { describe } from "node:test";
import { attachmentSettings, attachmentTests } from "./attachments.ts";
import { findInChatTests } from "./findInChat.ts";
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
  describe("the key of the search", () => findInChatTests(window));
});
