// What the service does beside chats, in one window: for the user, and for MCP clients.
import { describe } from "node:test";
import { settings } from "../../../src/shared/names/ids.ts";
import { openChatWindow } from "../chat/openChat.ts";
import { askWebTests } from "./askWeb.ts";
import { augmentDocs, augmentTests } from "./augment.ts";
import { mcpTests } from "./mcpQuestions.ts";
import { otherAgentConfigTests } from "./otherAgentConfig.ts";
import { gatewayPort, otherAgentTests } from "./otherAgents.ts";

describe("tools of the service", () => {
  const window = openChatWindow("tools", {
    tokensPerSecond: 100_000,
    pages: augmentDocs,
    settings: { [settings.toolsMcpEnabled]: true, [settings.gatewayPort]: gatewayPort },
  });

  describe("web and documents", () => augmentTests(window));
  describe("a question to the web", () => askWebTests(window));
  describe("the questions of MCP clients", () => mcpTests(window));
  describe("other agents", () => otherAgentTests(window));
  describe("the configuration of another agent", () => otherAgentConfigTests(window));
});
