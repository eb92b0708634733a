import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chatTabTests } from "./chatTab.ts";
import { openChatWindow } from "./openChat.ts";

describe("chats in one window", () => {
  const window = openChatWindow("chat-controls", {
    tokensPerSecond: 400,
    settings: { "inference.chat.presets": [{ name: "Terse", system: "Be brief.", temperature: 0.2 }] },
  });

  describe("in an editor tab", () => chatTabTests(window));

  describe("settings and versions of an answer", () => {
    const { chat, prompt, answered } = window;
    const settings = () => chat().getByRole("region", { name: "Chat settings" });
    const tools = () => chat().getByRole("region", { name: "Tools of this chat" });
    const button = (name: string | RegExp) => chat().getByRole("button", { name });
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
      await button("Tools of This Chat").click();
      await tools().getByLabel("Read a file").check();
      await tools().press("Escape");
      await prompt().fill("Use read_file on README.md");
      await prompt().press("Enter");
      const call = chat().getByRole("listitem", { name: "Read a file: waits for your approval" });
      await call.waitFor();
      await window.workbench.setSideBarWidth(260);
      await window.workbench.screenshot("chat-tool-asks-narrow");
      await window.workbench.setSideBarWidth(420);
      await call.getByRole("button", { name: "Other Ways to Allow" }).click();
      await call.getByRole("menuitem", { name: "Allow, Show Result First" }).click();
      const result = chat().getByRole("textbox", { name: "Result for the model" });
      await result.fill("It says hello.");
      await window.workbench.screenshot("chat-tool-review");
      await button("Send Back").click();
      await chat().locator(".answer").last().getByText("It says hello.").waitFor();
      await window.workbench.screenshot("chat-tool-done");
      await button("Tools of This Chat (1 on)").click();
      await tools().getByLabel("Read a file").uncheck();
      await tools().press("Escape");
      await window.workbench.runCommand("Inference: New Chat");
      await chat().locator(".welcome").waitFor();
      await window.workbench.setSideBarWidth(300);
    });

    it("opens the settings, marks unsupported ones, and refuses invalid values", async () => {
      await chat().locator(".picker-button").getByText("Guide").waitFor();
      await button("Settings of This Chat").click();
      await settings().getByText("Reasoning", { exact: true }).click();
      await settings().getByText("Guide doesn't support reasoning levels.").waitFor();
      await settings().getByText("Sampling", { exact: true }).click();
      const temperature = settings().getByLabel("Temperature");
      await temperature.fill("3");
      await temperature.press("Tab");
      await settings().getByText("Temperature must be from 0 to 2, not 3.").waitFor();
      await window.workbench.screenshot("chat-settings");
      await temperature.fill("0.7");
      await temperature.press("Tab");
      await chat().locator(".settings-button .count").getByText("1").waitFor();
    });

    it("applies a preset to the next request", async () => {
      await settings().getByLabel("Preset").selectOption({ label: "Terse" });
      await chat().locator(".settings-button .count").getByText("2").waitFor();
      await window.workbench.setSideBarWidth(260);
      await window.workbench.screenshot("chat-settings-narrow");
      await settings().press("Escape");
      await settings().waitFor({ state: "detached" });
      const body = nextBody();
      await ask("What does a request cost?");
      const { temperature, messages } = await body;
      assert.equal(temperature, 0.2);
      assert.deepEqual((messages as unknown[])[0], { role: "system", content: "Be brief." });
      await chat().locator(".spent").waitFor();
    });

    it("shows an estimate beside the send button", async () => {
      await prompt().fill("And what does an image cost?");
      await chat().locator(".estimate").waitFor();
      await window.workbench.screenshot("chat-estimate-narrow");
      await prompt().fill("");
    });

    it("regenerates an answer, and pages between versions", async () => {
      await button("Answer Again").click();
      await chat().getByTitle("Version 2 of 2").waitFor();
      await button("Previous Version").click();
      await chat().getByTitle("Version 1 of 2").waitFor();
    });

    it("edits a question and keeps the former version", async () => {
      await button("Edit Question").click();
      const box = chat().getByRole("textbox", { name: "Your question, in other words" });
      await box.fill("What does speech cost?");
      await window.workbench.screenshot("chat-edit-narrow");
      await box.press("Enter");
      await chat().locator(".question").getByText("What does speech cost?").waitFor();
      await chat().locator(".question-turn").getByTitle("Version 2 of 2").waitFor();
      await chat().locator('.answer[aria-busy="false"]').last().locator("footer").waitFor();
      await button("Previous Version").first().click();
      await chat().locator(".question").getByText("What does a request cost?").waitFor();
    });

    it("asks two models at once, and continues from the chosen answer", async () => {
      await window.workbench.setSideBarWidth(640);
      await chat().locator(".picker-button").click();
      const echo = chat().getByRole("option", { name: "Echo" }).first();
      await echo.getByTitle("Compare (Ctrl+Enter)").click();
      await echo.getByTitle("Add to Favourites (Alt+Enter)").click();
      await chat().getByRole("group", { name: "Favourites" }).waitFor();
      await window.workbench.screenshot("chat-models");
      await chat().getByRole("combobox", { name: "Search models" }).press("Escape");
      await chat().locator(".picker-button .count").getByText("+1").waitFor();
      await prompt().fill("Which networks are there?");
      await prompt().press("Enter");
      await chat().locator('.together .answer[aria-busy="false"]').nth(1).waitFor();
      await window.workbench.screenshot("chat-together");
      await chat().getByRole("radio", { name: "Continue from this answer" }).nth(1).check();
      await chat().locator(".beside.chosen .answer", { hasText: "Echo" }).waitFor();
    });
  });
});
