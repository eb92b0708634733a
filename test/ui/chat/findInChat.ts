import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { FrameLocator, Locator } from "playwright-core";
import type { ChatWindow } from "./openChat.ts";

/**
 * Tests in a chat of their own, where Ctrl+Enter sends. The workbench takes Ctrl+F, too: the find of its editor got what
 * was typed for the chat. Which of both has the key depends on contexts that only a real workbench sets.
 */
export function findInChatTests(window: ChatWindow): void {
  const sideBar = () => window.workbench.webview("sideBar");
  const tab = () => window.workbench.webview("tab");
  const findOf = (chat: FrameLocator) => chat.getByRole("textbox", { name: "Find in chat" });
  const findOfEditor = () => window.workbench.page.locator(".monaco-editor .find-widget.visible");
  const approval = (chat: FrameLocator) =>
    chat.getByRole("region", { name: "Run a command: waits for your approval" });
  const editor = () => window.workbench.page.locator(".monaco-editor[data-uri$='hello.ts']").first();

  before(async () => {
    await window.workbench.runCommand("Inference Chat: New Conversation");
    await sideBar().locator(".welcome").waitFor();
    await window.workbench.setSideBarWidth(420);
    await sideBar().locator(".picker-button").click();
    const search = sideBar().getByRole("combobox", { name: "Search models" });
    await search.fill("scripted");
    await search.press("Enter");
    await sideBar().locator(".picker-button").getByText("Scripted", { exact: true }).waitFor();
    await sideBar().getByRole("combobox", { name: "Mode" }).selectOption("Agent");
    await window.prompt(sideBar()).fill("Fix the failing test");
    await window.prompt(sideBar()).press("Control+Enter");
    await approval(sideBar()).waitFor();
    await window.workbench.openFile("hello.ts");
  });
  after(async () => {
    await window.workbench.runCommand("View: Close All Editors");
    await window.workbench.runCommand("Inference Chat: New Conversation");
  });

  /** What is typed after Ctrl+F arrives in this chat, and Escape closes its search. */
  const findsIn = async (chat: FrameLocator, focus: () => Promise<void>) => {
    const { keyboard } = window.workbench.page;
    await focus();
    await keyboard.press("Control+f");
    await findOf(chat).waitFor();
    await keyboard.type("failing");
    await chat.locator(".find-count", { hasText: " of " }).waitFor();
    assert.equal(await findOf(chat).inputValue(), "failing");
    assert.equal(await findOfEditor().count(), 0);
    await keyboard.press("Escape");
    await findOf(chat).waitFor({ state: "detached" });
  };
  const corner = (of: Locator) => of.click({ position: { x: 3, y: 3 } });

  it("Ctrl+F opens the search of the chat from its prompt, its text and a waiting approval", async () => {
    const chat = sideBar();
    await findsIn(chat, () => window.prompt(chat).click());
    await findsIn(chat, () => corner(chat.locator(".question").first()));
    await findsIn(chat, () => corner(approval(chat)));
    await findsIn(chat, () => approval(chat).getByRole("button", { name: "Skip", exact: true }).focus());
    // Escape closed the search alone.
    await approval(chat).waitFor();
  });

  it("Ctrl+F stays the editor's while the editor has the focus", async () => {
    const { keyboard } = window.workbench.page;
    await editor().locator(".view-line").first().click();
    await keyboard.press("Control+f");
    await findOfEditor().waitFor();
    assert.equal(await findOf(sideBar()).count(), 0);
    await keyboard.press("Escape");
    await findOfEditor().waitFor({ state: "hidden" });
  });

  it("Ctrl+F opens the search of the chat in the tab that has the focus", async () => {
    await window.workbench.runCommand("Inference Chat: Open in Editor Tab");
    await tab().locator(".question").waitFor();
    await findsIn(tab(), () => window.prompt(tab()).click());
    await findsIn(tab(), () => corner(tab().locator(".question").first()));
    assert.equal(await findOf(sideBar()).count(), 0);
  });
}
