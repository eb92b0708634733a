// The attachments of the next question stand on a line that is scrolled sideways.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import { openChat, openViewWith, serveChat } from "../../../chat.ts";
import { openApp } from "../../../openApp.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test("what was attached last is in view, however many stand before it", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  const { page, close } = await openApp(browser, chat.controller, { width: 260 });
  t.after(close);
  for (const name of ["first.txt", "second.txt", "third.txt", "fourth.txt"]) {
    await view.say("attachFile", { name, bytes: new TextEncoder().encode(`The text of ${name}.`) });
    const chip = page.locator(".composer .chip", { hasText: name });
    await chip.waitFor();
    const box = await chip.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 260, `${name}: ${JSON.stringify(box)}`);
  }
});
