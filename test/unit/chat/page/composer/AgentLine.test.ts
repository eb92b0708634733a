// Another agent in the page: chosen, named, asked for a permission, and left again.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../chat.ts";
import { openApp } from "../../openApp.ts";

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const problem = "Cline was not found on PATH. Install it with “npm install --global cline”, and try again.";
const agents = { offers: async () => [{ name: "OpenCode" }, { name: "Cline", problem }] as const };

async function openAgents(t: TestContext, width: number) {
  const chat = openChat(t, await serveChat(t), { agents });
  const view = await openViewWith(chat.controller, "echo");
  await view.say("setSettings", { settings: { mode: "agent", customMode: "a.agent.md", budgetUsd: 5 } });
  const app = await openApp(browser, chat.controller, { width });
  t.after(app.close);
  return { ...app, view, chat, picker: app.page.getByRole("combobox", { name: "Mode" }) };
}

test("an agent is chosen with the modes, named over the prompt, and left by a button, at 260 px and by keys", async (t) => {
  const { page, picker, view, errors } = await openAgents(t, 260);
  const group = picker.locator("optgroup", { hasText: "OpenCode" });
  assert.equal(await group.getAttribute("label"), "Other agents on this machine");
  await picker.selectOption({ label: "OpenCode" });
  const { settings } = await view.until((state) => state.settings.agent !== undefined);
  assert.deepEqual(settings, { mode: "agent", agent: "OpenCode", budgetUsd: 5 });
  const line = page.locator(".agent-line");
  assert.equal(await line.locator("span").innerText(), "OpenCode answers");
  const box = page.getByRole("textbox", { name: "Your question", exact: true });
  assert.match((await box.getAttribute("aria-placeholder")) ?? "", /^Ask OpenCode;/);
  await page.getByRole("textbox", { name: "Cap of a task in USD" }).waitFor();
  for (const width of [200, 260, 640]) {
    await page.setViewportSize({ width, height: 600 });
    const isWhole = await line.evaluate((element) => element.scrollWidth <= element.clientWidth);
    assert.ok(isWhole, `${width} px`);
  }
  await page.getByRole("button", { name: "Back to Agent" }).focus();
  await page.keyboard.press("Enter");
  await line.waitFor({ state: "detached" });
  assert.deepEqual(view.state.settings, { mode: "agent", budgetUsd: 5 });
  assert.deepEqual(errors, []);
});

test("an agent that is not installed is not chosen, and a notice says how to install it", async (t) => {
  const { page, picker, view } = await openAgents(t, 320);
  const before = view.state.settings;
  await picker.selectOption({ label: "Cline: can't be started…" });
  await page.getByRole("status").getByText(problem).waitFor();
  assert.deepEqual(view.state.settings, before);
  assert.equal(await picker.inputValue(), "a.agent.md");
});

test("another feature can choose an agent, and nothing is sent", async (t) => {
  const { chat, view } = await openAgents(t, 320);
  await view.say("draft", { draft: { text: "typed", revision: Date.now() } });
  await chat.controller.takeOffer({ text: "", send: false, attachments: [], agent: "OpenCode" });
  assert.deepEqual([view.state.settings.agent, view.state.draft.text], ["OpenCode", "typed"]);
  assert.deepEqual(view.state.messages, []);
  await chat.controller.takeOffer({ text: "", send: false, attachments: [], agent: "Cline" });
  assert.deepEqual([view.state.settings.agent, view.state.notice?.text], ["OpenCode", problem]);
});

const options = [
  { decision: "once", name: `Yes <b>\u202E ${"really ".repeat(30)}` },
  { decision: "always", name: "Always" },
  { decision: "skip", name: "No" },
] as const;

/** A conversation whose last answer is an agent's, with a step that waits. */
async function openWaiting(t: TestContext, offered: readonly (typeof options)[number][], width = 260) {
  const service = await serveChat(t);
  const folder = temporaryFolder();
  const first = openChat(t, service, { folder });
  const begun = await openViewWith(first.controller, "echo");
  await begun.say("send", { text: "Hi", revision: 1 });
  await begun.until((state) => ended(state) && !state.busy);
  const { id } = begun.answer;
  first.controller.dispose();
  const [[name, log] = ["", ""]] = Object.entries(first.files());
  const step = { id: "1", name: "execute", title: "Run", says: "npm test", arguments: "{}", state: "asks" };
  const patch = { agent: "OpenCode", calls: [{ ...step, options: offered }] };
  writeFileSync(join(folder, name), `${log}\n${JSON.stringify({ e: "patch", id, patch })}\n`);
  const { controller } = openChat(t, service, { folder });
  await (await openView(controller)).say("ready", {});
  const app = await openApp(browser, controller, { width });
  t.after(app.close);
  const decisions = async () => {
    // What the page has sent before is there with the answer.
    await app.page.evaluate("0");
    return app.told.flatMap((one) => (one.type === "decideCall" ? [one.body.decision] : []));
  };
  return { ...app, decisions };
}

test("a step of an agent has the agent's own options as text on one line each, and nothing else to allow", async (t) => {
  const { page, decisions, errors } = await openWaiting(t, options);
  const approval = page.locator(".approval");
  await approval.getByText("OpenCode takes this step itself, with your rights.").waitFor();
  assert.equal(await approval.locator("b").count(), 0);
  const buttons = approval.locator(".buttons button");
  const names = (await buttons.allInnerTexts()).map((text) => text.trim());
  assert.match(names[0] ?? "", /^Yes <b>⟨U\+202E⟩ really .{20,50}…/s);
  assert.deepEqual(names.slice(1), ["Always", "No"]);
  assert.deepEqual(
    await buttons.evaluateAll((all) => all.map((button) => button.ariaDescription?.split(".")[0])),
    ["Allows this step", "Allows such steps from now on", "Does not allow this step"],
  );
  const isInside = await approval.evaluate((element) => element.scrollWidth <= element.clientWidth);
  assert.ok(isInside, "no option is wider than the prompt");
  const answer = page.getByRole("article", { name: "Answer of OpenCode with echo" });
  assert.equal(await answer.locator(".answer-agent").innerText(), "OpenCode");
  await buttons.nth(1).click();
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await decisions(), ["always", "once"]);
  assert.deepEqual(errors, []);
});

test("what an agent lets nobody allow once is not allowed by a key", async (t) => {
  const { page, decisions } = await openWaiting(t, options.slice(1));
  await page.locator(".approval").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Escape");
  assert.deepEqual(await decisions(), ["skip"]);
});
