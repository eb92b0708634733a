// The plan on the page: what the user types into it belongs to one conversation, and is not lost before it is saved.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import { ended, openChat, openViewWith, serveChat } from "../../../chat.ts";
import { openApp } from "../../../openApp.ts";
import { tool } from "../../../weatherTool.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const planTool: ChatTool = {
  ...tool("keep_plan"),
  kind: "plan",
  async run(_, __, { planned }) {
    planned("- [ ] the model's");
    return "Shown.";
  },
};

test("an unsaved edit of the plan stays with its conversation, and is there when that is shown again", async (t) => {
  const { controller } = openChat(t, await serveChat(t), { tools: [planTool] });
  const view = await openViewWith(controller, "guide");
  const { page, errors, close } = await openApp(browser, controller, { width: 260 });
  t.after(close);
  /** Resolves to the id of a new conversation with a plan. */
  const newTask = async () => {
    await view.say("newChat", {});
    await view.say("setSettings", { settings: { mode: "agent" } });
    await view.say("send", { text: "Please use keep_plan for Bern", revision: Date.now() });
    await view.until((state) => state.plan !== null && ended(state) && state.messages.length === 3);
    return view.state.conversationId;
  };
  const box = page.getByRole("textbox", { name: "Plan", exact: true });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const first = await newTask();
  await page.getByRole("button", { name: "Plan: 0 of 1 done" }).click();
  await button("Edit Plan").click();
  await box.fill("- [ ] typed");
  const second = await newTask();
  await box.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Plan: 0 of 1 done" }).click();
  await button("Edit Plan").click();
  await button("Save Plan").click();
  assert.equal(view.state.plan, "- [ ] the model's", "the text of the other conversation is not saved here");
  await controller.openChat(first);
  assert.notEqual(first, second);
  await box.waitFor();
  assert.equal(await box.inputValue(), "- [ ] typed");
  await button("Save Plan").click();
  await view.until(({ plan }) => plan === "- [ ] typed");
  await controller.openChat(second);
  await controller.openChat(first);
  await page.getByRole("button", { name: "Plan: 0 of 1 done" }).waitFor();
  assert.equal(await box.count(), 0, "a saved edit is not offered again");
  assert.deepEqual(errors, []);
});

test("the items of a plan are Markdown, and a link in one opens by the host", async (t) => {
  const plan = [
    "## The `plan`",
    "- [x] Read `lib/utils.js` and **all** tests",
    "  - [ ] See [the docs](https://example.com/docs)",
    "- [ ] <b>no</b> element of a page",
    "1. [ ] a numbered item",
  ].join("\n");
  const tools: readonly ChatTool[] = [
    {
      ...planTool,
      async run(_, __, { planned }) {
        planned(plan);
        return "Shown.";
      },
    },
  ];
  const { controller } = openChat(t, await serveChat(t), { tools });
  const view = await openViewWith(controller, "guide");
  const { page, told, errors, untilReported, close } = await openApp(browser, controller, { width: 260 });
  t.after(close);
  await view.say("setSettings", { settings: { mode: "agent" } });
  await view.say("send", { text: "Please use keep_plan for Bern", revision: 1 });
  await page.getByRole("button", { name: "Plan: 1 of 4 done" }).click();
  const items = page.locator(".task-items");
  assert.deepEqual(await items.locator("code").allTextContents(), ["plan", "lib/utils.js"]);
  assert.deepEqual(await items.locator("strong").allTextContents(), ["all"]);
  assert.equal(await items.locator("b").count(), 0);
  assert.equal(await items.locator("li.done").count(), 1);
  await items.getByRole("link", { name: "the docs" }).click();
  await untilReported("openLink");
  assert.ok(told.some(({ type, body }) => type === "openLink" && body.url === "https://example.com/docs"));
  assert.deepEqual(errors, []);
});
