import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import type { AppPage } from "../../../webview/pages/appPageHandle.ts";
import { openChat, openViewWith, serveChat, type TestService } from "../../chat.ts";
import { openApp, type TestApp } from "../../openApp.ts";
import { weather } from "../../weatherTool.ts";

declare const appPage: AppPage;

// The whole page in a real browser with the real chat and a real service behind it.
let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const shownText = (page: Page) => page.evaluate(() => appPage.text());
const untilLonger = (page: Page, than: number) =>
  page.waitForFunction((length) => appPage.text().length > length, than);
const hasFocus = (page: Page) => page.waitForFunction(() => appPage.focused() === "Your question");
const requestOf = ({ sandbox }: TestService) => sandbox.nextRequest({ path: "/chat/completions" });

/** Asks for a long answer and waits until it is higher than the view. */
async function ask(page: Page, text = "5000 tokens"): Promise<void> {
  await box(page).fill(text);
  await box(page).press("Enter");
  await page.waitForFunction(() => appPage.isOverflowing());
}

async function whileWritten(page: Page): Promise<void> {
  const { length } = await shownText(page);
  await untilLonger(page, length + 200);
  // Between two frames it may be one line further down.
  await page.waitForFunction(() => appPage.belowEnd() < 2);
  await button(page, /^Stop Answer/).waitFor();
}

test("Continue streams into the answer at the visible end until Escape stops it", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 300 });
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "long");
  const { page, errors, close } = await openApp(browser, chat.controller);
  t.after(close);
  await ask(page);
  await page.keyboard.press("Escape");
  await button(page, "Continue").waitFor();
  const { text: stored, startedAtMs, timing } = view.answer;
  for (const how of ["Enter", "click"] as const) {
    const arrived = requestOf(service);
    const asked = Date.now();
    if (how === "click") await button(page, "Continue").click();
    else await button(page, "Continue").press(how);
    await hasFocus(page);
    assert.ok(view.answer.startedAtMs >= asked && view.answer.startedAtMs > startedAtMs);
    await whileWritten(page);
    await whileWritten(page);
    // Not only in the prompt: wherever the focus is.
    await button(page, /^Settings of This Chat/).focus();
    await page.keyboard.press("Escape");
    const request = await arrived;
    await request.ended;
    assert.equal(request.aborted, true);
    await button(page, "Continue").waitFor();
    assert.ok(view.answer.text.startsWith(stored));
    assert.equal(view.answer.state, "stopped");
  }
  const arrived = requestOf(service);
  await button(page, "Continue").click();
  await whileWritten(page);
  await button(page, /^Stop Answer/).click();
  const request = await arrived;
  await request.ended;
  assert.equal(request.aborted, true);
  assert.equal(view.state.messages.length, 2);
  assert.equal(view.answer.timing.firstTextMs, timing.firstTextMs);
  assert.ok((view.answer.timing.totalMs ?? 0) > (timing.totalMs ?? 0));
  assert.deepEqual(errors, []);
});

test("scrolling up during a continued answer keeps the position", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 300 });
  const chat = openChat(t, service);
  await openViewWith(chat.controller, "long");
  const { page, close } = await openApp(browser, chat.controller);
  t.after(close);
  await ask(page);
  await button(page, /^Stop Answer/).click();
  await button(page, "Continue").waitFor();
  await button(page, "Jump to latest").waitFor({ state: "hidden" });
  // Not clicked in the page, which would scroll to the button: as from another view of the chat.
  await page.locator(".scroller").hover();
  await page.mouse.wheel(0, -80);
  await button(page, "Jump to latest").waitFor();
  // The button is there before the wheel has moved anything.
  await page.waitForFunction(() => appPage.belowEnd() > 70);
  const top = await page.evaluate(() => appPage.aboveTop());
  await page.evaluate(() => appPage.press("Continue"));
  const { length } = await shownText(page);
  await untilLonger(page, length + 400);
  // Text above the view may be measured again, with the position in step.
  await page.waitForFunction((before) => Math.abs(appPage.aboveTop() - before) < 2, top);
  await button(page, "Follow the answer").click();
  await whileWritten(page);
});

test("a continued answer is complete after the page or the window was reloaded meanwhile", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 300 });
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "long");
  const first = await openApp(browser, chat.controller);
  await ask(first.page);
  await button(first.page, /^Stop Answer/).click();
  await button(first.page, "Continue").click();
  await whileWritten(first.page);
  await first.close();
  const second = await openApp(browser, chat.controller);
  await whileWritten(second.page);
  await second.close();
  chat.controller.dispose();
  const stored = view.answer.text;
  const again = chat.reopen();
  const third = await openApp(browser, again.controller);
  t.after(third.close);
  await third.page.getByText("Cut off").waitFor();
  const known = await openViewWith(again.controller, "long");
  assert.equal(known.answer.text, stored);
  await button(third.page, "Continue").click();
  await hasFocus(third.page);
  await whileWritten(third.page);
  await third.page.keyboard.press("Escape");
  await button(third.page, "Continue").waitFor();
  assert.ok(known.answer.text.startsWith(stored));
});

test("an answer continues after the extension host restarted in the middle", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 300 });
  const chat = openChat(t, service);
  await openViewWith(chat.controller, "long");
  const { page, report, close } = await openApp(browser, chat.controller);
  t.after(close);
  await ask(page);
  for (let times = 0; times < 10; times++) {
    await report({ v: 1, type: "resync", body: {} });
    await whileWritten(page);
  }
});

const afterwards: Readonly<Record<string, (app: TestApp) => Promise<void>>> = {
  "an answer again": ({ page }) => button(page, "Answer Again").press("Enter"),
  "a question in other words": async ({ page }) => {
    await button(page, "Edit Question").press("Enter");
    await page.getByRole("textbox", { name: "Your question, in other words" }).fill("5000 tokens, please");
    await page.keyboard.press("Enter");
  },
};

for (const [what, begin] of Object.entries(afterwards))
  test(`${what} streams with the focus in the prompt until Escape stops it`, async (t) => {
    const service = await serveChat(t, { tokensPerSecond: 300 });
    const chat = openChat(t, service);
    const view = await openViewWith(chat.controller, "long");
    const app = await openApp(browser, chat.controller);
    t.after(app.close);
    await ask(app.page);
    await app.page.keyboard.press("Escape");
    await button(app.page, "Continue").waitFor();
    const arrived = requestOf(service);
    await begin(app);
    await hasFocus(app.page);
    await whileWritten(app.page);
    await app.page.keyboard.press("Escape");
    await (await arrived).ended;
    assert.equal((await arrived).aborted, true);
    assert.equal(view.answer.state, "stopped");
  });

test("allowing a call keeps the focus in the prompt, and Escape stops the answer that follows", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 20 });
  const chat = openChat(t, service, { tools: [weather("Sunny. ".repeat(200))] });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { tools: ["get_weather"] } });
  const { page, close } = await openApp(browser, chat.controller);
  t.after(close);
  await box(page).fill("Please use get_weather for Bern");
  await box(page).press("Enter");
  await button(page, /^Allow$/).waitFor();
  const arrived = requestOf(service);
  await button(page, /^Allow$/).press("Enter");
  await hasFocus(page);
  await page.locator(".answer .markdown").filter({ hasText: "Sunny" }).waitFor();
  await page.keyboard.press("Escape");
  await (await arrived).ended;
  assert.equal((await arrived).aborted, true);
  assert.equal(view.answer.state, "stopped");
});

test("Escape closes an open menu and does not stop the answer", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 100 });
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "long");
  const { page, close, told: reported } = await openApp(browser, chat.controller);
  t.after(close);
  await ask(page);
  for (const goesElsewhere of [false, true]) {
    await page.locator(".picker-button").click();
    await page.locator(".picker-row .mark").last().click();
    if (goesElsewhere) await button(page, "Close Models").focus();
    await page.keyboard.press("Escape");
    await page.locator(".picker-popup").waitFor({ state: "detached" });
  }
  for (const goesElsewhere of [false, true]) {
    await button(page, /^Settings of This Chat/).click();
    if (goesElsewhere) await page.locator(".picker-button").focus();
    await page.keyboard.press("Escape");
    await page.locator(".settings-panel").waitFor({ state: "detached" });
  }
  await box(page).fill("/");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(() => appPage.showHistory());
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").waitFor({ state: "detached" });
  assert.equal(view.answer.state, "streaming");
  assert.ok(!reported.some(({ type }) => type === "stop"));
  await page.keyboard.press("Escape");
  await button(page, "Continue").waitFor();
});

test("a long answer is laid out before it is visible, so that scrolling up does not jump", async (t) => {
  const chat = openChat(t, await serveChat(t));
  await openViewWith(chat.controller, "echo");
  const { page, close } = await openApp(browser, chat.controller);
  t.after(close);
  await ask(page, Array.from({ length: 100 }, (_, index) => `Paragraph ${index}.`).join("\n\n"));
  const answer = page.locator(".answer").last();
  await answer.locator(".laid-out").nth(4).waitFor();
  const heights = await answer
    .locator(".chunk:not(:only-child)")
    .evaluateAll((all) => all.map((chunk) => chunk.getBoundingClientRect().height));
  assert.equal(heights.length, 5);
  assert.ok(!heights.includes(600), "as guessed (markdown.css)");
});
