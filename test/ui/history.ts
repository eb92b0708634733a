import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { toLogText } from "../../src/features/chat/history/compactLog.ts";
import { applyEntry, emptyLogState } from "../../src/features/chat/history/logState.ts";
import type { ChatWindow } from "./openChat.ts";
import type { Workbench } from "./workbench.ts";

const seeded = 600;
const dayMs = 86_400_000;

/** Tests in a window with the seeded conversations. */
export function historyTests(window: ChatWindow): void {
  const folder = () => folderOf(window.workbench);
  const { chat } = window;
  const search = () => chat().getByRole("searchbox", { name: "Search conversations" });
  const rows = () => chat().locator(".history-row");
  const row = (title: string | RegExp) => rows().filter({ hasText: title });
  const openList = async () => {
    await window.workbench.runCommand("Inference: Chat History");
    await search().waitFor();
  };

  it("groups all of them by day, and renders only the visible ones", async () => {
    await openList();
    await row("How do I sort a map by value?").waitFor();
    await chat().getByText("Still loading").waitFor({ state: "detached" });
    await chat().getByRole("heading", { name: "Yesterday" }).waitFor();
    assert.ok((await rows().count()) < 60, `${await rows().count()} rows are drawn`);
    assert.equal(await rows().first().getAttribute("aria-setsize"), String(seeded));
    await window.workbench.screenshot("history-list");
  });

  it("moves through them by the arrow keys to the last one", async () => {
    await search().press("ArrowDown");
    await chat().locator('[data-index="0"] .history-open:focus').waitFor();
    for (let index = 8; index <= 96; index += 8) {
      await chat().locator(".history-open:focus").press("PageDown");
      await chat().locator(`[data-index="${index}"] .history-open:focus`).waitFor();
    }
    await chat().locator(".history-open:focus").press("ArrowUp");
    await chat().locator('[data-index="95"] .history-open:focus').waitFor();
    await window.workbench.screenshot("history-far-down");
  });

  it("finds words in messages and marks them", async () => {
    await search().fill("quick zeppel");
    await chat().getByText("1 conversation found.").waitFor();
    await row(/zeppelin/).waitFor();
    assert.deepEqual(await chat().locator(".history-row mark").allInnerTexts(), ["quick", "zeppel"]);
    await window.workbench.screenshot("history-found");
    await search().fill("nowhere to be found");
    await chat().getByText("No conversation contains “nowhere to be found”.").waitFor();
    await search().fill("");
  });

  it("pins and renames", async () => {
    const first = row("How do I sort a map by value?");
    await first.hover();
    await first.getByRole("button", { name: "Pin" }).click();
    await chat().getByRole("heading", { name: "Pinned" }).waitFor();
    await first.locator(".history-open").press("F2");
    const box = chat().getByRole("textbox", { name: "Name of the conversation" });
    await box.fill("Sorting maps");
    await box.press("Enter");
    await row("Sorting maps").waitFor();
    await row("Sorting maps").hover();
    await window.workbench.screenshot("history-pinned");
  });

  it("deletes, and undoes that", async () => {
    const second = row("Conversation 1 about");
    await second.locator(".history-open").press("Delete");
    await chat().getByText("Deleted “Conversation 1 about").waitFor();
    await second.waitFor({ state: "detached" });
    assert.ok(readdirSync(join(folder(), "trash")).length > 0);
    await window.workbench.screenshot("history-deleted");
    await chat().getByRole("button", { name: "Undo" }).click();
    await second.waitFor();
    assert.deepEqual(readdirSync(join(folder(), "trash")), []);
  });

  it("opens one and continues it", async () => {
    await row("Sorting maps").locator(".history-open").click();
    await chat().locator(".question", { hasText: "How do I sort a map by value?" }).waitFor();
    await search().waitFor({ state: "detached" });
    const prompt = chat().getByRole("textbox", { name: "Your question" });
    await prompt.fill("And by key?");
    await prompt.press("Enter");
    await chat().locator('.answer[aria-busy="false"]').last().locator("footer").waitFor();
    await openList();
    const shown = row("Sorting maps");
    await shown.getByText("4 messages").waitFor();
    assert.equal(await shown.locator('[aria-current="true"]').count(), 1);
  });
}

function folderOf({ profile }: Workbench): string {
  return join(profile.userData, "User/globalStorage/inference-workbench.inference-workbench/chats");
}

/** Writes conversations of the last months, newest first. */
export function seedConversations(workbench: Workbench): void {
  const folder = folderOf(workbench);
  mkdirSync(folder, { recursive: true });
  const now = Date.now();
  for (let number = 0; number < seeded; number++) {
    const at = now - Math.floor((number / 8) * dayMs) - 1000;
    const state = emptyLogState(`seeded-${number}`, at);
    const question = number === 0 ? "How do I sort a map by value?" : `Conversation ${number} about things`;
    const answerText = number === 300 ? "the quick brown zeppelin\nflew over" : `Answer number ${number}.`;
    for (const node of [
      { id: "q", parentId: null, role: "user", text: question },
      { id: "a", parentId: "q", role: "assistant", text: answerText, model: "guide", state: "done" },
    ]) {
      applyEntry(state, { e: "node", t: at, node });
    }
    applyEntry(state, { e: "leaf", id: "a" });
    applyEntry(state, { e: "meta", meta: { workspace: number % 3 === 0 ? "atlas" : "borealis" } });
    writeFileSync(join(folder, `${state.id}.jsonl`), toLogText(state));
  }
}
