// The ring at the top of the chat.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import { openChat, openViewWith, serveChat } from "../../../chat.ts";
import { openApp } from "../../../openApp.ts";
import { weather } from "../../../weatherTool.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test("the ring tells what the next request is made of, and leaves out what is not sent", async (t) => {
  const chat = openChat(t, await serveChat(t), { tools: [weather()] });
  const view = await openViewWith(chat.controller, "echo");
  const { page, close } = await openApp(browser, chat.controller);
  t.after(close);
  const title = (words: string) => page.locator(`.gauge[title*="${words}"]`);
  await title("of 32.8K tokens of the model's context: conversation ").waitFor();
  await view.say("setSettings", { settings: { system: "Be brief. ".repeat(100), tools: ["get_weather"] } });
  await title("context: system prompt 250, tools ").waitFor();
  const meter = page.getByRole("meter", { name: "Context used" });
  assert.match(
    (await meter.getAttribute("aria-valuetext")) ?? "",
    /^about [\d.]+K? of 32\.8K tokens: system prompt 250, tools \d+, conversation \d+$/,
  );
});
