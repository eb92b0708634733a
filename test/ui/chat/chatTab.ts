// A chat in an editor tab beside the one in the side bar.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readdir, watch } from "node:fs/promises";
import { join } from "node:path";
import { after, it } from "node:test";
import type { ChatWindow } from "./openChat.ts";

/** Tests in a window without a conversation. It has no editor and a new chat at their end. */
export function chatTabTests(window: ChatWindow): void {
  const sideBar = () => window.workbench.webview("sideBar");
  const tab = () => window.workbench.webview("tab");
  /** Resolves once the file of a conversation contains this text. */
  const onDisk = async (text: string) => {
    const id = "inference-workbench.inference-workbench";
    const folder = join(window.workbench.profile.userData, "User", "globalStorage", id, "chats");
    const changes = watch(folder)[Symbol.asyncIterator]();
    const isThere = async () =>
      (await readdir(folder))
        .filter((file) => file.endsWith(".jsonl"))
        .some((file) => readFileSync(join(folder, file), "utf8").includes(text));
    while (!(await isThere())) await changes.next();
    await changes.return?.();
  };
  const ask = async (chat: ReturnType<typeof tab>, question: string) => {
    await window.ask(question, chat);
    await window.answered(chat);
  };

  it("moves the conversation of the side bar into a tab, and starts a new chat there", async () => {
    await ask(sideBar(), "What moves?");
    await window.workbench.runCommand("Inference Chat: Open in Editor Tab");
    await tab().locator(".question").getByText("What moves?").waitFor();
    await sideBar().locator(".welcome").waitFor();
    await window.workbench.page.locator(".tab").getByText("What moves?").waitFor();
    await window.workbench.screenshot("chat-tab");
  });

  it("continues in both, each with its own conversation", async () => {
    await ask(tab(), "In the tab");
    await ask(sideBar(), "In the side bar");
    assert.deepEqual(await tab().locator(".question").allInnerTexts(), ["What moves?", "In the tab"]);
    assert.deepEqual(await sideBar().locator(".question").allInnerTexts(), ["In the side bar"]);
  });

  it("commands of the palette go to the active tab, and buttons of the side bar to its own chat", async () => {
    const { page, runCommand } = window.workbench;
    await tab().locator(".question").getByText("In the tab").click(); // the tab is the active editor
    await runCommand("Inference Chat: New Conversation");
    await tab().locator(".welcome").waitFor();
    assert.deepEqual(await sideBar().locator(".question").allInnerTexts(), ["In the side bar"]);
    await ask(tab(), "In the tab again");
    await page.locator(".part.sidebar").getByRole("button", { name: "New Conversation" }).click();
    await sideBar().locator(".welcome").waitFor();
    assert.deepEqual(await tab().locator(".question").allInnerTexts(), ["In the tab again"]);
    await ask(sideBar(), "In the side bar");
    await page
      .locator(".part.editor .editor-actions")
      .getByRole("button", { name: "New Conversation" })
      .click();
    await tab().locator(".welcome").waitFor();
    assert.deepEqual(await sideBar().locator(".question").allInnerTexts(), ["In the side bar"]);
    await ask(tab(), "In the tab");
  });

  it("restores its conversation after a reload, and the side bar its draft, too", async () => {
    await window.prompt(sideBar()).fill("Not sent yet");
    await onDisk("Not sent yet");
    await window.workbench.reload();
    await tab().locator(".question").getByText("In the tab").waitFor();
    await sideBar().locator(".question").getByText("In the side bar").waitFor();
    assert.equal(await window.prompt(sideBar()).inputValue(), "Not sent yet");
    await window.prompt(sideBar()).fill("");
  });

  // Also after a failure: the suites that follow expect one chat in the window.
  after(async () => {
    await window.workbench.runCommand("View: Close All Editors");
    await window.workbench.runCommand("Inference Chat: New Conversation");
  });
}
