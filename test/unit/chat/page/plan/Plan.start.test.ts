// A plan is carried out in the mode that acts, once the user says so.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { openChat, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";
import { tool } from "../../weatherTool.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test("Start carries out the plan in the mode Agent, and the text in the prompt stays", async (t) => {
  const plans: ChatTool = {
    ...tool("act", async () => "done"),
    kind: "plan",
    origin: "built-in",
    run: async (_input, _signal, { planned }) => {
      planned("- [ ] the first step");
      return "done";
    },
  };
  const chat = openChat(t, await serveChat(t), { tools: [plans] });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("startPlan", {});
  assert.deepEqual(view.state.messages, []);
  await view.say("setSettings", { settings: { mode: "plan" } });
  const { page, close, errors } = await openApp(browser, chat.controller, { width: 300 });
  t.after(close);
  const box = page.getByRole("textbox", { name: "Your question", exact: true });
  await box.fill("Please use act for Bern");
  await box.press("Enter");
  await view.until(({ busy, plan }) => !busy && plan !== null);
  await box.fill("a thought");
  await page.getByRole("button", { name: /plan/i }).first().click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await view.until(
    ({ busy, messages }) => !busy && messages.some((one) => one.text === "Carry out the plan."),
  );
  assert.equal(view.state.settings.mode, "agent");
  assert.equal(await box.inputValue(), "a thought");
  await page.getByRole("button", { name: "Start", exact: true }).waitFor({ state: "detached" });
  const { length } = view.state.messages;
  await view.say("startPlan", {});
  assert.equal(view.state.messages.length, length);
  assert.deepEqual(errors, []);
});
