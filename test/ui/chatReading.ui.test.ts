// The list of conversations and the rendering of answers, in one window.
import { describe } from "node:test";
import { historyTests, seedConversations } from "./history.ts";
import { openChatWindow } from "./openChat.ts";
import { renderingTests } from "./rendering.ts";

describe("conversations to read", () => {
  const window = openChatWindow("chat-reading", { tokensPerSecond: 100_000, prepare: seedConversations });

  describe("the list of conversations", () => historyTests(window));
  describe("rendering of answers", () => renderingTests(window));
});
