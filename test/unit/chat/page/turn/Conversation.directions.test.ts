import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser } from "../../../webview/browser.ts";
import type { AppPage } from "../../../webview/pages/appPageHandle.ts";
import { openChat, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";

declare const appPage: AppPage;

test("each line of a question, an answer and the prompt is aligned by the direction of its own text", async (t) => {
  const browser = await openBrowser();
  t.after(() => browser.close());
  const chat = openChat(t, await serveChat(t));
  await openViewWith(chat.controller, "echo");
  const { page } = await openApp(browser, chat.controller, { width: 500 });
  const lines = ["What is this?", "ما هذا؟", "In English: ما هذا؟", "بالعربية: this", "שלום"];
  const sides = ["left", "right", "left", "right", "right"];
  // The bubble of a question is as wide as its longest line, which touches both sides.
  const longest = "the longest line of them all";
  for (const first of [0, 1]) {
    // The side of the first line does not determine the others.
    const [asked, expected] = [lines.slice(first), sides.slice(first)];
    const box = page.getByRole("textbox", { name: "Your question", exact: true });
    // Two spaces make a line break in the answer, too.
    await box.fill([...asked, longest].join("  \n"));
    assert.equal(await box.evaluate((element) => appPage.bidi(element)), "plaintext");
    await box.press("Enter");
    await page.locator(".answer footer").nth(first).waitFor();
    const texts = [
      `[aria-posinset="${2 * first + 1}"] .question`,
      `[aria-posinset="${2 * first + 2}"] .markdown`,
    ];
    for (const text of texts) {
      const shown = await page.evaluate((selector) => appPage.sides(selector), text);
      assert.deepEqual(shown.slice(0, -1), expected, text);
    }
  }
  await page.getByRole("button", { name: "Edit Question" }).first().click();
  const edited = page.getByRole("textbox", { name: "Your question, in other words" });
  assert.equal(await edited.evaluate((element) => appPage.bidi(element)), "plaintext");
});
