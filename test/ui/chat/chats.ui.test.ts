import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { requestsTabTests } from "../requests/requestsTab.ts";
import { chatLifeTests } from "./chatLife.ts";
import { chatTabTests } from "./chatTab.ts";
import { chatWindowsTests } from "./chatWindows.ts";
import { openChatWindow } from "./openChat.ts";
import { serverToolsTests } from "./serverTools.ts";

describe("chats in one window", () => {
  const window = openChatWindow("chats", {
    tokensPerSecond: 400,
    settings: { "inference.chat.presets": [{ name: "Terse", system: "Be brief.", temperature: 0.2 }] },
  });

  // It asserts that there is one conversation, so it comes first.
  describe("one conversation in two windows", () => chatWindowsTests(window));
  describe("in an editor tab", () => chatTabTests(window));

  describe("tools and settings", () => {
    const { chat, prompt, answered } = window;
    const settings = () => chat().getByRole("dialog", { name: "Chat settings" });
    const tools = () => chat().getByRole("dialog", { name: "Tools of this chat" });
    const button = (name: string | RegExp) => chat().getByRole("button", { name });
    /** A narrow side bar has them in the settings. */
    const openTools = async (name: string) => {
      const wrench = chat().locator(".tools-button").getByRole("button", { name });
      if (await wrench.isVisible()) return wrench.click();
      await button(/^Settings of This Chat/).click();
      await settings().getByRole("button", { name }).click();
    };
    const ask = async (question: string) => {
      await window.ask(question);
      await answered();
    };
    const nextBody = async () =>
      JSON.parse((await window.service.nextRequest({ path: "/chat/completions" })).bodyText) as Record<
        string,
        unknown
      >;

    it("shows a tool call, runs it once allowed, and sends its result back", async () => {
      await chat().locator(".picker-button").getByText("Guide").waitFor();
      await openTools("Tools of This Chat");
      await tools().getByLabel("Read a file").check();
      await tools().press("Escape");
      await prompt().fill("Use read_file on README.md");
      await prompt().press("Enter");
      const call = chat().getByRole("region", { name: "Read a file: waits for your approval" });
      await call.waitFor();
      await window.workbench.screenshot("chat-tool-asks");
      await call.getByRole("button", { name: "Other Ways to Allow" }).click();
      await call.getByRole("menuitem", { name: "Allow, Show Result First" }).click();
      const result = chat().getByRole("textbox", { name: "Result for the model" });
      await result.fill("It says hello.");
      await window.workbench.screenshot("chat-tool-review");
      await button("Send Back").click();
      await chat().locator(".answer").last().getByText("It says hello.").waitFor();
      await window.workbench.screenshot("chat-tool-done");
      await openTools("Tools of This Chat (1 on)");
      await tools().getByLabel("Read a file").uncheck();
      await tools().press("Escape");
      await window.workbench.runCommand("Inference Chat: New Conversation");
      await chat().locator(".welcome").waitFor();
    });

    // After the first call, which leaves a new conversation.
    describe("an MCP server", () => serverToolsTests(window, openTools));

    it("applies a preset of the editor's settings to the next request", async () => {
      await button("Settings of This Chat").click();
      await settings().getByLabel("Preset").selectOption({ label: "Terse" });
      await chat().locator(".settings-button .count").getByText("2").waitFor();
      await window.workbench.screenshot("chat-settings");
      await settings().press("Escape");
      await settings().waitFor({ state: "detached" });
      const body = nextBody();
      await ask("What does a request cost?");
      const { temperature, messages } = await body;
      assert.equal(temperature, 0.2);
      const [first] = messages as readonly { readonly role: string; readonly content: string }[];
      assert.equal(first?.role, "system");
      // What the chat tells the model follows the user's own.
      assert.match(first.content, /^Be brief\.\n\n/);
      await chat().locator(".spent").waitFor();
    });
  });

  describe("the list of requests", () => requestsTabTests(window));

  // It chooses another model, so it comes last.
  describe("the life of a chat", () => chatLifeTests(window));
});
