import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { toLogText } from "../../../src/chat/host/history/log/compactLog.ts";
import { applyEntry, emptyLogState } from "../../../src/chat/host/history/log/logState.ts";
import type { Workbench } from "../workbench.ts";
import type { ChatWindow } from "./openChat.ts";

const seeded = 600;
const dayMs = 86_400_000;

/** Tests in a window with the seeded conversations. */
export function historyTests(window: ChatWindow): void {
  const { chat } = window;
  const search = () => chat().getByRole("searchbox", { name: "Search conversations" });
  const rows = () => chat().locator(".history-row");
  const row = (title: string | RegExp) => rows().filter({ hasText: title });
  const openList = async () => {
    await window.workbench.runCommand("Inference Chat: Show History");
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

  it("opens one and continues it", async () => {
    await row("How do I sort a map by value?").locator(".history-open").click();
    await chat().locator(".question", { hasText: "How do I sort a map by value?" }).waitFor();
    await search().waitFor({ state: "detached" });
    const prompt = chat().getByRole("textbox", { name: "Your question" });
    await prompt.fill("And by key?");
    await prompt.press("Control+Enter");
    await chat().locator('.answer[aria-busy="false"]').last().locator("footer").waitFor();
    await openList();
    const shown = row("How do I sort a map by value?");
    await shown.getByText("4 messages").waitFor();
    assert.equal(await shown.locator('[aria-current="true"]').count(), 1);
    await search().press("Escape");
    await search().waitFor({ state: "detached" });
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
