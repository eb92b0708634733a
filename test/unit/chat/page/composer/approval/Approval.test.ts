// Calls that wait for the user stand over the prompt: one at a time, decided by buttons and keys, and never by accident.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import type { AppPage } from "../../../../webview/pages/appPageHandle.ts";
import { openChat, openViewWith, serveChat } from "../../../chat.ts";
import { openApp } from "../../../openApp.ts";
import { tool } from "../../../weatherTool.ts";

declare const appPage: AppPage;

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });
const approval = (page: Page) => page.getByRole("region", { name: /: waits for your approval$/ });

/** A page with a call that waits: it does something to a city. */
async function openWaiting(
  t: Parameters<typeof serveChat>[0],
  says = "Do it to Bern",
  more: Partial<ChatTool> = {},
) {
  const ran: string[] = [];
  const act: ChatTool = {
    ...tool("act", async ({ city }) => `${ran.push(String(city))}`),
    kind: "command",
    summary: () => says,
    ...more,
  };
  const chat = openChat(t, await serveChat(t), { tools: [act] });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent" } });
  const app = await openApp(browser, chat.controller, { width: 300 });
  t.after(app.close);
  const ask = async () => {
    await box(app.page).fill("Please use act for Bern");
    await box(app.page).press("Enter");
    await approval(app.page).waitFor();
  };
  const stateOf = () =>
    view.state.messages.flatMap((message) =>
      message.role === "assistant" ? (message.calls ?? []).map(({ state }) => state) : [],
    );
  return { ...app, ...chat, view, ran, ask, stateOf };
}

test("Ctrl+Enter allows and Escape skips, but neither while the prompt has text", async (t) => {
  const { page, view, ran, ask, stateOf, told, errors } = await openWaiting(t);
  await ask();
  for (const part of ["Do it to Bern", "Esc"]) await approval(page).getByText(part).waitFor();
  await box(page).fill("a thought");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await view.until(({ queue, messages }) => queue.length + messages.length > 2);
  assert.deepEqual(ran, [], "the text was sent, and nothing was approved");
  await ask();
  await page.keyboard.press("Escape");
  await view.until(() => stateOf().at(-1) === "refused");
  assert.ok(!told.some(({ type }) => type === "stop"));
  await ask();
  await page.keyboard.press("Control+Enter");
  await view.until(() => ran.length === 1);
  await approval(page).waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
});

test("a rule for commands like the shown one is offered beside the approval of just that one", async (t) => {
  const { page, view, ran, ask, told, errors } = await openWaiting(t, "Run npm run lint", {
    scopes: () => ["npm run lint"],
    covers: () => [{ rule: "npm run *" }],
  });
  await ask();
  await page.getByRole("button", { name: "Other Ways to Allow" }).click();
  await page.getByRole("menuitem", { name: "Always Allow npm run *" }).waitFor();
  await page.getByRole("menuitem", { name: "Allow npm run * for This Task" }).click();
  await view.until(() => ran.length === 1);
  const decided = told.find(({ type }) => type === "decideCall");
  assert.equal(decided?.type === "decideCall" && decided.body.decision, "taskRule");
  assert.deepEqual(errors, []);
});

test("a skip takes a reason in a field of its own, whose keys decide nothing else", async (t) => {
  const { page, view, ran, ask, stateOf, told, errors } = await openWaiting(t);
  await ask();
  const field = approval(page).getByRole("textbox", { name: "Why the call is skipped, for the model" });
  const open = () => approval(page).getByRole("button", { name: "Skip with a Reason…" }).click();
  await open();
  await field.fill("not now");
  await field.press("Escape");
  await field.waitFor({ state: "detached" });
  assert.equal(stateOf().at(-1), "asks");
  await open();
  await field.fill("Ask for Basel");
  await field.press("Shift+Enter");
  await field.pressSequentially("instead");
  await field.press("Control+Enter");
  await view.until(() => stateOf()[0] === "refused");
  const decided = told.filter(({ type }) => type === "decideCall").map(({ body }) => body);
  assert.equal(decided.length, 1);
  assert.match(JSON.stringify(decided), /"decision":"skip","reason":"Ask for Basel\\ninstead"/);
  await page.getByText("You: Ask for Basel").waitFor();
  assert.equal(await page.evaluate(() => appPage.focused()), "Your question");
  // Without a word, it is a skip like any other, and never an approval.
  await ask();
  await open();
  await field.press("Control+Enter");
  await view.until(() => stateOf()[1] === "refused");
  assert.deepEqual(ran, []);
  assert.deepEqual(errors, []);
});

test("the network of a command in the sandbox is turned on and off before the decision, which is for what is shown", async (t) => {
  const inputs: unknown[] = [];
  const { page, view, ask, stateOf, errors } = await openWaiting(t, "Run npm ci", {
    run: async (input) => `${inputs.push(input)}`,
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, network: { type: "boolean" } },
      required: ["city"],
    },
    network: ({ network }) => network === true,
    limits: ({ network }) => `In a sandbox: ${network === true ? "with" : "no"} network.`,
    question: ({ network }) => (network === true ? "It asks because it may use the network." : undefined),
  });
  await ask();
  await approval(page).getByText("In a sandbox: no network.").waitFor();
  await approval(page).getByRole("button", { name: "Turn Network On" }).click();
  await approval(page).getByText("In a sandbox: with network.").waitFor();
  await approval(page).getByText("It asks because it may use the network.").waitFor();
  await approval(page).getByRole("button", { name: "Turn Network Off" }).click();
  await approval(page).getByRole("button", { name: "Turn Network On" }).click();
  await approval(page).getByRole("button", { name: "Turn Network Off" }).waitFor();
  assert.equal(stateOf().at(-1), "asks");
  await approval(page)
    .getByRole("button", { name: /^Allow/ })
    .click();
  await view.until(() => inputs.length === 1);
  assert.deepEqual(inputs, [{ city: "Please use act for Bern", network: true }]);
  assert.deepEqual(errors, []);
});

test("Escape closes what is open before it skips a call, and the menu is reached by arrows", async (t) => {
  const { page, ran, ask, stateOf, errors } = await openWaiting(t);
  await ask();
  await page.getByRole("button", { name: /^Settings of This Chat/ }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Allow/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("menuitem", { name: "Allow for This Task" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "hidden" });
  assert.equal(stateOf().at(-1), "asks");
  assert.deepEqual(ran, []);
  assert.deepEqual(errors, []);
});

test("a key does not approve a call behind the list of conversations or a panel", async (t) => {
  const { page, view, ran, ask, told, errors } = await openWaiting(t);
  await ask();
  const decisions = () => told.filter(({ type }) => type === "decideCall").length;
  await page.evaluate(() => appPage.showHistory());
  await page.getByRole("searchbox").or(page.locator(".history-bar button")).first().waitFor();
  await page.locator(".history-bar button").first().focus();
  await page.keyboard.press("Control+Enter");
  assert.equal(decisions(), 0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Settings of This Chat/ }).click();
  await page.getByRole("button", { name: "Close Settings" }).focus();
  await page.keyboard.press("Control+Enter");
  assert.equal(decisions(), 0);
  if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Enter");
  await view.until(() => ran.length === 1);
  assert.deepEqual(errors, []);
});

test("a text that is longer than its room is scrolled to its end before a key approves it", async (t) => {
  const { page, view, ran, ask, errors } = await openWaiting(
    t,
    `Run ${"a-long-command --with-options ".repeat(40)}`,
  );
  await ask();
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(ran, []);
  const isRead = () =>
    page.locator(".approval-says").evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 2);
  while (!(await isRead())) await page.keyboard.press("Control+Enter");
  assert.deepEqual(ran, []);
  await page.keyboard.press("Control+Enter");
  await view.until(() => ran.length === 1);
  assert.deepEqual(errors, []);
});

test("the settings close when a question is sent, and a new notice is shown until it was seen and can be read again; one that needs a step stays", async (t) => {
  const { page, view, controller, errors } = await openWaiting(t);
  await page.clock.install();
  await page.getByRole("button", { name: /^Settings of This Chat/ }).click();
  await box(page).fill("What is this?");
  await box(page).press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  controller.notify({ text: "3 files were rewound." });
  await page.getByText("3 files were rewound.").waitFor();
  await page.clock.runFor(60_000);
  await view.until(({ notice }) => notice === null);
  await page.locator(".notice").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Show the Last Notice Again" }).click();
  await page.getByText("3 files were rewound.").waitFor();
  await page.clock.runFor(60_000);
  await page.getByText("3 files were rewound.").waitFor();
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();
  const needsStep = "The task has had 50 rounds. Raise the limit, and send “continue”.";
  controller.notify({ text: needsStep, stays: true });
  await page.getByText(needsStep).waitFor();
  await page.clock.runFor(600_000);
  assert.equal(view.state.notice?.text, needsStep);
  await page.locator(".notice").getByText(needsStep).waitFor();
  assert.deepEqual(errors, []);
});
