import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import type { AppPage } from "../../../../webview/pages/appPageHandle.ts";
import { ended, openChat, openViewWith, serveChat } from "../../../chat.ts";
import { openApp } from "../../../openApp.ts";
import { tool } from "../../../weatherTool.ts";

declare const appPage: AppPage;

// The whole page in a real browser with the real chat behind it: the user decides about the calls of a model.
let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const call = (page: Page, name: string, state: string) =>
  page.getByRole("listitem", { name: `${name}: ${state}` });
const waits = "waits for your approval";
/** The page follows the conversation a frame later: until then, the key scrolls to a call and does not approve it. */
const atEnd = (page: Page) => page.waitForFunction(() => appPage.belowEnd() < 1);

/** A chat whose model calls these tools; `ran` has their runs. */
async function askFor(
  t: Parameters<typeof serveChat>[0],
  names: readonly string[],
  { paid = [] as readonly string[], height = 600, city = "Bern" } = {},
) {
  const ran: string[] = [];
  const tools = names.map((name): ChatTool => {
    const made = tool(name, async (_, signal) => {
      if (name === "endless_tool") await once(signal, "abort");
      return `${ran.push(name)} result of ${name}`;
    });
    return paid.includes(name) ? { ...made, price: "$0.01 a call" } : made;
  });
  const service = await serveChat(t);
  const chat = openChat(t, service, { tools });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { tools: [...names] } });
  const app = await openApp(browser, chat.controller, { height });
  t.after(app.close);
  await box(app.page).fill(`Please use ${names.join(" and ")} for ${city}`);
  await box(app.page).press("Enter");
  await call(app.page, names[0] ?? "", waits).waitFor();
  return { ...app, view, ran, service };
}

test("Ctrl+Enter in an empty prompt approves one call after another; completed calls collapse to a line", async (t) => {
  const { page, view, ran, errors } = await askFor(t, ["one_tool", "other_tool"], { height: 700 });
  await call(page, "one_tool", waits).getByLabel("Arguments").getByText('"city"').waitFor();
  await box(page).fill("half a thought");
  await box(page).press("Control+Enter");
  assert.deepEqual(ran, []);
  await view.until(({ messages }) => messages.length >= 4 && ended(view.state));
  await box(page).fill("Use one_tool and other_tool again");
  await box(page).press("Enter");
  await call(page, "one_tool", waits).waitFor();
  await atEnd(page);
  await box(page).press("Control+Enter");
  const line = call(page, "one_tool", "done");
  await line.waitFor();
  assert.deepEqual(ran, ["one_tool"]);
  assert.ok(((await line.boundingBox())?.height ?? 99) < 30);
  await line.locator("summary").click();
  await line.getByLabel("Result").getByText("1 result of one_tool").waitFor();
  await call(page, "other_tool", waits).waitFor();
  await atEnd(page);
  await page.keyboard.press("Control+Enter");
  const both = page.getByRole("group").filter({ hasText: /^One_tool, other_tool/ });
  await both.waitFor();
  assert.deepEqual(ran, ["one_tool", "other_tool"]);
  await both.locator("summary").press("Enter");
  for (const name of ["one_tool", "other_tool"]) await call(page, name, "done").waitFor();
  assert.deepEqual(errors, []);
});

test("the key does not approve a call whose text is out of view, but scrolls to it first", async (t) => {
  const { page, ran } = await askFor(t, ["one_tool"], { height: 400, city: "Bern, ".repeat(160) });
  const says = page.locator(".approval-says");
  const settled = page.locator(".split-main.approve:enabled");
  await settled.waitFor();
  const left = () => says.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  let presses = 0;
  for (; (await left()) > 1; presses += 1) {
    assert.deepEqual(ran, [], "nothing is approved unread");
    await box(page).press("Control+Enter");
  }
  assert.ok(presses > 0, "the text is longer than its room");
  assert.deepEqual(ran, []);
  await box(page).press("Control+Enter");
  await call(page, "one_tool", "done").waitFor();
  assert.deepEqual(ran, ["one_tool"]);
});

test("the model is told that a call was skipped, and continues", async (t) => {
  const { page, view, ran, service } = await askFor(t, ["one_tool"]);
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await button(page, "Skip").click();
  const { messages } = JSON.parse((await arrived).bodyText);
  assert.match(messages.at(-1).content, /^The user skipped this call/);
  await call(page, "one_tool", "skipped").waitFor();
  await view.until((state) => ended(state) && state.messages.length === 3);
  assert.deepEqual(ran, []);
});

test("a screen reader is told that an answer was stopped, also while its call ran", async (t) => {
  const { page } = await askFor(t, ["endless_tool"]);
  await button(page, "Allow").click();
  await call(page, "endless_tool", "running…").waitFor();
  await box(page).press("Escape");
  await call(page, "endless_tool", "stopped").waitFor();
  await page.locator("[aria-live]").getByText("The answer was stopped.").waitFor();
});

test("a screen reader is told what waits for a decision, and that an answer is complete only once it is", async (t) => {
  const { page, view } = await askFor(t, ["one_tool"]);
  const region = page.locator(".visually-hidden[aria-live]");
  await region.getByText(/^Waiting for your decision: one_tool of /).waitFor();
  await button(page, "Allow").click();
  await region.getByText("The answer is complete.").waitFor();
  await view.until(ended);
  const heard: string[] = [];
  await page.exposeFunction("heard", (text: string) => heard.push(text));
  await page.evaluate(`{
    const region = document.querySelector(".visually-hidden[aria-live]");
    new MutationObserver(() => heard(region.textContent)).observe(region, { childList: true });
  }`);
  await box(page).fill("Use one_tool again");
  await box(page).press("Enter");
  await call(page, "one_tool", waits).waitFor();
  await region.getByText(/^Waiting for your decision: one_tool of Use/).waitFor();
  assert.doesNotMatch(heard.join("|"), /complete/);
});

test("Allow All runs the free calls; paid ones wait for their own decision", async (t) => {
  const free = await askFor(t, ["one_tool", "other_tool"]);
  const openFolded = (page: Page) => page.locator(".calls-folded summary").last().click();
  await button(free.page, "Allow All of These").click();
  await openFolded(free.page);
  await call(free.page, "other_tool", "done").waitFor();
  assert.deepEqual(free.ran, ["one_tool", "other_tool"]);

  const mixed = await askFor(t, ["one_tool", "other_tool", "paid_tool"], { paid: ["paid_tool"] });
  await button(mixed.page, "Allow the 2 Free Ones").click();
  await openFolded(mixed.page);
  await call(mixed.page, "other_tool", "done").waitFor();
  await call(mixed.page, "paid_tool", waits).waitFor();
  assert.deepEqual(mixed.ran, ["one_tool", "other_tool"]);
  assert.equal(await mixed.page.locator(".calls-all").count(), 0);
  await button(mixed.page, "Skip").click();
  await call(mixed.page, "paid_tool", "skipped").waitFor();

  const paid = await askFor(t, ["one_tool", "other_tool"], { paid: ["one_tool", "other_tool"] });
  assert.equal(await button(paid.page, "Allow All of These").count(), 0);
  await button(paid.page, "Skip All").click();
  await call(paid.page, "other_tool", "skipped").waitFor();
  assert.deepEqual(paid.ran, []);
});

test("in a low view, each button of several waiting calls can be pressed, and a line of the text is seen", async (t) => {
  const { page, errors } = await askFor(t, ["one_tool", "other_tool", "paid_tool"], {
    paid: ["paid_tool"],
    height: 300,
  });
  for (const name of ["Other Ways to Allow", "Skip", "Allow the 2 Free Ones", "Skip All", "Details"])
    await button(page, name).click({ trial: true });
  const said = await page.locator(".approval-says").boundingBox();
  assert.ok(said && said.height >= 16, `${said?.height} px`);
  assert.deepEqual(errors, []);
});

test("the menu beside Allow is operated by keyboard, stays inside the page, and Escape closes only the menu", async (t) => {
  const { page, view, ran } = await askFor(t, ["one_tool"], { height: 260 });
  const more = button(page, "Other Ways to Allow");
  await more.press("ArrowDown");
  const menu = page.getByRole("menu");
  const at = await menu.boundingBox();
  assert.ok(at && at.x >= 0 && at.y >= 0 && at.x + at.width <= 320 && at.y + at.height <= 260);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => appPage.focused()), "Other Ways to Allow");
  await more.press("Enter");
  for (const key of ["End", "ArrowDown", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await view.until((state) => ended(state) && state.messages.length === 3);
  assert.deepEqual(ran, ["one_tool"]);
  await box(page).fill("one_tool once more");
  await box(page).press("Enter");
  await view.until((state) => ended(state) && state.messages.length === 6);
  assert.deepEqual(ran, ["one_tool", "one_tool"]);
});
