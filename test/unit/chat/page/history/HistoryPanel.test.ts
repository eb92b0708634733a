import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import {
  createHistoryController,
  type HistoryController,
} from "../../../../../src/chat/host/history/historyController.ts";
import { toLogText } from "../../../../../src/chat/host/history/log/compactLog.ts";
import { applyEntry, emptyLogState } from "../../../../../src/chat/host/history/log/logState.ts";
import type { HistoryNews, HistoryRequest } from "../../../../../src/chat/protocol/chatHistory.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { openPage, type TestPage } from "../../../webview/page.ts";
import { pageStyle } from "../../../webview/pageStyle.ts";
import type { HistoryPage } from "../../../webview/pages/historyPage.tsx";

declare const historyPage: HistoryPage;

const seeded = 400;

// The list in a real browser, at 260 pixels, with the real library behind it.
describe("the list of conversations", () => {
  let browser: TestBrowser;
  let opened: TestPage;
  let page: Page;
  let controller: HistoryController;
  let isOver = false;
  const folder = mkdtempSync(join(tmpdir(), "inference-history-"));
  const received: HistoryRequest[] = [];

  before(async () => {
    for (let number = 0; number < seeded; number++) seed(folder, number);
    browser = await openBrowser();
    opened = await openPage(browser, "historyPage.tsx", pageStyle("chat"));
    ({ page } = opened);
    const post = (news: HistoryNews) =>
      void page.evaluate((reported) => historyPage.hear(reported), news).catch(() => {});
    controller = createHistoryController({
      directory: folder,
      current: () => undefined,
      open: async () => {},
      newChat: async () => {},
      exportChat: async () => {},
      importChat: async () => {},
      // A list that is written in the end finds no folder.
      report: (error) => {
        if (!isOver) throw error;
      },
    });
    await page.exposeFunction("askHost", (request: HistoryRequest) => {
      received.push(request);
      void controller.answer(request, post);
    });
    await page.setViewportSize({ width: 260, height: 500 });
    await page.evaluate(() => historyPage.start());
  });
  after(async () => {
    try {
      controller.dispose();
    } finally {
      await browser.close(); // else a failed start would leave a process, and the run would wait for it
    }
    isOver = true;
    rmSync(folder, { recursive: true, force: true });
  });

  const search = () => page.getByRole("searchbox", { name: "Search conversations" });
  const row = (title: string) => page.getByRole("listitem").filter({ hasText: title });
  const focused = () => page.locator(".history-open:focus");

  it("lists all, and renders the visible ones", async () => {
    await row("Conversation 0 about").waitFor();
    await page.getByText("Still loading").waitFor({ state: "detached" });
    const items = page.getByRole("listitem");
    assert.ok((await items.count()) < 40, `${await items.count()} are drawn`);
    assert.equal(await items.first().getAttribute("aria-setsize"), String(seeded));
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 260);
  });

  it("is navigated by the keyboard, from the first to the last", async () => {
    await search().press("ArrowDown");
    assert.equal(await focused().getAttribute("title"), "Conversation 0 about things");
    for (let place = 0; place < seeded; place += 8) {
      await focused().press("PageDown");
      await page.locator(`[data-index="${Math.min(place + 8, seeded - 1)}"] .history-open:focus`).waitFor();
    }
    assert.equal(await focused().getAttribute("title"), `Conversation ${seeded - 1} about things`);
    await focused().press("ArrowUp");
    await page.locator(`[data-index="${seeded - 2}"] .history-open:focus`).waitFor();
  });

  it("finds words in messages, and marks them", async () => {
    await search().fill("quick zepp");
    await page.getByText("1 conversation found.").waitFor();
    assert.deepEqual(await page.locator("mark").allInnerTexts(), ["quick", "zepp"]);
    await search().fill("no such thing");
    await page.getByText("No conversation contains “no such thing”.").waitFor();
    await search().fill("");
    await row("Conversation 0 about").waitFor();
  });

  it("pins, renames, and keeps the focus in the list", async () => {
    await row("Conversation 3 about").hover();
    await row("Conversation 3 about").getByRole("button", { name: "Pin" }).click();
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    await row("Conversation 3 about").locator(".history-open").press("F2");
    const box = page.getByRole("textbox", { name: "Name of the conversation" });
    await box.fill("Better");
    await box.press("Enter");
    await row("Better").waitFor();
    await focused().waitFor();
    await row("Better").locator(".history-open").press("F2");
    await box.fill("Not this");
    await box.press("Escape");
    await row("Better").waitFor();
  });

  it("keeps text typed at the moment when the input box appears", async () => {
    const typed = row("Better")
      .locator(".history-open")
      .evaluate(async (button) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        button.dispatchEvent(new KeyboardEvent("keydown", { key: "F2", bubbles: true }));
        let box: HTMLInputElement | null = null;
        while (!box) {
          await Promise.resolve();
          box = document.querySelector<HTMLInputElement>(".history-rename");
        }
        box.value = "Typed at once";
        await frame();
        await frame();
        const { value } = box;
        box.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
        return value;
      });
    assert.equal(await typed, "Typed at once");
  });

  it("deletes, selects the next, and undoes the deletion", async () => {
    await row("Conversation 5 about").locator(".history-open").press("Delete");
    await row("Conversation 5 about").waitFor({ state: "detached" });
    await focused().waitFor();
    assert.equal(readdirSync(join(folder, "trash")).length, 1);
    await page.getByRole("button", { name: "Undo" }).click();
    await row("Conversation 5 about").waitFor();
    assert.equal(readdirSync(join(folder, "trash")).length, 0);
  });

  it("opens one and closes, by a click and by the keyboard", async () => {
    await row("Better").locator(".history-open").click();
    await search().waitFor({ state: "detached" });
    assert.deepEqual(received.slice(-2), [{ ask: "open", id: "c3" }, { ask: "leave" }]);
    await page.evaluate(() => historyPage.hear({ say: "show" }));
    await row("Better").waitFor();
    await search().press("Escape");
    await search().waitFor({ state: "detached" });
    assert.deepEqual([opened.errors, opened.requests], [[], []]);
  });
});

/** A conversation of an earlier day; one of them has a match. */
function seed(folder: string, number: number): void {
  const at = Date.now() - Math.floor((number / 6) * 86_400_000) - 1000;
  const state = emptyLogState(`c${number}`, at);
  const said = number === 200 ? "the quick brown zeppelin\nflew over" : `Answer number ${number}.`;
  const question = { id: "q", parentId: null, role: "user", text: `Conversation ${number} about things` };
  const answer = { id: "a", parentId: "q", role: "assistant", text: said, model: "guide", state: "done" };
  for (const node of [question, answer]) applyEntry(state, { e: "node", t: at, node });
  applyEntry(state, { e: "meta", meta: { workspace: number % 3 === 0 ? "atlas" : "borealis" } });
  writeFileSync(join(folder, `${state.id}.jsonl`), toLogText(state));
}
