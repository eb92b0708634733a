import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode } from "fast-png";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { ended, type OpenOptions, openChat, openViewWith, serveChat } from "../chat.ts";
import { editorWith, sentBy } from "../host/attachments/attaching.ts";
import { openApp } from "../openApp.ts";

// The prompt with its attachments, panels and versions, in the whole page with the real chat behind it.
let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

const pdf = join(import.meta.dirname, "../../fixtures/documents/harvest.pdf");
const box = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const chips = (page: Page) => page.locator(".composer .chip");

/** The page of a chat with this model. */
async function open(t: Parameters<typeof serveChat>[0], model: string, options: OpenOptions = {}) {
  const service = await serveChat(t);
  service.remembered.set(
    "presets",
    JSON.stringify([{ name: "Terse", system: "Be brief.", temperature: 0.2 }]),
  );
  const chat = openChat(t, service, options);
  const view = await openViewWith(chat.controller, model);
  const app = await openApp(browser, chat.controller, { width: 420 });
  t.after(app.close);
  /** Sends a question, and waits for the end of its answer. */
  const ask = async (text: string) => {
    const { length } = view.state.messages;
    await box(app.page).fill(text);
    await box(app.page).press("Enter");
    await view.until((state) => state.messages.length > length && ended(state));
  };
  return { ...app, ...chat, service, view, ask };
}

test("the role of the system prompt and a name are sent; a name with other characters is refused", async (t) => {
  const { page, service, ask, errors } = await open(t, "guide");
  const settings = page.getByRole("dialog", { name: "Chat settings" });
  const count = (text: string) => page.locator(".settings-button .count").getByText(text).waitFor();
  await button(page, "Settings of This Chat").click();
  await settings.getByLabel("System prompt").fill("Be brief.");
  await settings.getByLabel("System prompt").press("Tab");
  await count("1");
  await settings.getByLabel("Sent as").selectOption("developer");
  await count("2");
  const name = settings.getByLabel("Your name");
  await name.fill("Ada L.");
  await name.press("Tab");
  await settings.getByText("Your name must have 1 to 64 letters, digits, _ or -, not “Ada L.”.").waitFor();
  await name.fill("Ada_L");
  await name.press("Tab");
  await count("3");
  await button(page, "Close Settings").click();
  const { messages } = await sentBy(service, () => ask("What can you do?"));
  assert.deepEqual(messages, [
    { role: "developer", content: "Be brief." },
    { role: "user", content: "What can you do?", name: "Ada_L" },
  ]);
  assert.deepEqual(errors, []);
});

test("the settings mark what the model does not support, refuse invalid values, and apply presets", async (t) => {
  const { page, service, ask, errors } = await open(t, "guide");
  const settings = page.getByRole("dialog", { name: "Chat settings" });
  const count = (text: string) => page.locator(".settings-button .count").getByText(text).waitFor();
  await button(page, "Settings of This Chat").click();
  await settings.getByText("Reasoning", { exact: true }).click();
  await settings.getByText("Guide doesn't support reasoning levels.").waitFor();
  await settings.getByText("Sampling", { exact: true }).click();
  const temperature = settings.getByLabel("Temperature");
  await temperature.fill("3");
  await temperature.press("Tab");
  await settings.getByText("Temperature must be from 0 to 2, not 3.").waitFor();
  await temperature.fill("0.7");
  await temperature.press("Tab");
  await count("1");
  await settings.getByLabel("Preset").selectOption({ label: "Terse" });
  await count("2");
  await settings.press("Escape");
  await settings.waitFor({ state: "detached" });
  const body = await sentBy(service, () => ask("What does a request cost?"));
  assert.equal(body.temperature, 0.2);
  assert.deepEqual(body.messages[0], { role: "system", content: "Be brief." });
  await page.locator(".spent").waitFor();
  assert.deepEqual(errors, []);
});

test("every member of a request that a user may set has its field", async (t) => {
  const { page, service, ask, errors } = await open(t, "thinker");
  const settings = page.getByRole("dialog", { name: "Chat settings" });
  await button(page, "Settings of This Chat").click();
  for (const group of ["Reasoning", "Tools", "Sampling", "Search", "Service"])
    await settings.locator("summary").getByText(group, { exact: true }).click();
  const fill = async (label: string, value: string) => {
    const field = settings.getByLabel(label, { exact: true });
    await field.fill(value);
    await field.blur();
  };
  const choose = (label: string, value: string) =>
    settings.getByLabel(label, { exact: true }).selectOption(value);
  await fill("Stop at", "END, or\n  \\n");
  await fill("Stop at tokens", "13, x");
  await settings.getByText("Stop at tokens must be whole numbers, such as 13, 198.").waitFor();
  await fill("Stop at tokens", "13, 198");
  await fill("JSON schema", '{"type":"object"}');
  await fill("Schema name", "an answer");
  await settings.getByText("Schema name must have 1 to 64 letters, digits, _ or -.").waitFor();
  await fill("Schema name", "reply");
  await choose("Schema is strict", "off");
  await choose("Summary", "concise");
  await fill("Lowest, if dynamic", "0.5");
  await fill("Highest, if dynamic", "1.5");
  await choose("Service's own prompt", "on");
  await settings.press("Escape");
  const body = await sentBy(service, () => ask("What does a request cost?"));
  assert.deepEqual(body.stop, ["END, or", "  \n"]);
  assert.deepEqual(body.stop_token_ids, [13, 198]);
  assert.deepEqual(body.reasoning, { summary: "concise" });
  assert.deepEqual([body.min_temp, body.max_temp], [0.5, 1.5]);
  const schema = { name: "reply", strict: false, schema: { type: "object" } };
  assert.deepEqual(body.response_format, { type: "json_schema", json_schema: schema });
  assert.deepEqual(errors, []);
});

test("an answer and a question keep their former versions, between which buttons step", async (t) => {
  const { page, view, ask } = await open(t, "echo");
  await ask("What does a request cost?");
  await button(page, "Answer Again").click();
  await page.getByTitle("Version 2 of 2").waitFor();
  await view.until(ended);
  await button(page, "Previous Version").click();
  await page.getByTitle("Version 1 of 2").waitFor();
  await button(page, "Edit Question").click();
  const edited = page.getByRole("textbox", { name: "Your question, in other words" });
  await edited.fill("What does speech cost?");
  await edited.press("Enter");
  const question = page.locator(".question");
  await question.getByText("What does speech cost?").waitFor();
  await page.locator(".question-turn").getByTitle("Version 2 of 2").waitFor();
  await view.until(ended);
  await button(page, "Previous Version").first().click();
  await question.getByText("What does a request cost?").waitFor();
});

test("two models answer at once, and the conversation continues from the chosen answer", async (t) => {
  const { page } = await open(t, "guide");
  await page.setViewportSize({ width: 640, height: 700 });
  await page.locator(".picker-button").click();
  const search = page.getByRole("combobox", { name: "Search models" });
  const row = page.getByRole("option").filter({ hasText: "Thinker" });
  await row.getByText("$1.20 / $4.80").waitFor();
  const echo = page.getByRole("option", { name: "Echo" }).first();
  await echo.getByTitle("Compare (Ctrl+Enter)").click();
  await echo.getByTitle("Add to Favourites (Alt+Enter)").click();
  await page.getByRole("group", { name: "Favourites" }).waitFor();
  await search.press("ArrowDown");
  await search.press("Escape");
  await search.waitFor({ state: "detached" });
  await page.locator(".picker-button .count").getByText("+1").waitFor();
  await box(page).fill("Which networks are there?");
  await box(page).press("Enter");
  await page.locator('.together .answer[aria-busy="false"]').nth(1).waitFor();
  await page.getByRole("radio", { name: "Continue from this answer" }).nth(1).check();
  await page.locator(".beside.chosen .answer", { hasText: "Echo" }).waitFor();
});

test("attachments that the model does not accept are marked; keys remove them and keep the focus nearby", async (t) => {
  const { page, view } = await open(t, "echo");
  const image = new Uint8Array(encode({ width: 2, height: 2, data: new Uint8Array(4), channels: 1 }));
  await view.say("attachFile", { name: "one.png", bytes: image });
  await view.say("attachFile", { name: "two.png", bytes: image });
  await view.say("attachFile", { name: "harvest.pdf", bytes: new Uint8Array(readFileSync(pdf)) });
  await chips(page).nth(2).getByText("as file").waitFor();
  await view.say("pickModel", { modelId: "guide" });
  await chips(page).getByText("not sent: Guide does not accept images").first().waitFor();
  await view.say("pickModel", { modelId: "echo" });
  await chips(page).getByText("not sent").first().waitFor({ state: "detached" });
  await chips(page).nth(2).locator(".chip-open").focus();
  for (const left of [2, 1]) {
    await page.keyboard.press("Delete");
    await chips(page).nth(left).waitFor({ state: "detached" });
    await chips(page)
      .nth(left - 1)
      .locator(".chip-open:focus")
      .waitFor();
  }
  assert.equal(await chips(page).count(), 1);
});

test("messages that the context of the model can't hold are announced and marked", async (t) => {
  const { page, view, ask } = await open(t, "echo");
  await ask("word ".repeat(3000));
  await box(page).fill("a short one");
  await view.say("pickModel", { modelId: "guide-classic" });
  await page.getByText(/^The \d oldest messages will not be sent/).waitFor();
  await page.getByText("Messages above this line are not sent to the model").waitFor();
  await view.say("pickModel", { modelId: "echo" });
  await page.getByText("will not be sent").waitFor({ state: "detached" });
});

test("the prompt offers commands after a slash, and earlier questions by the arrow keys", async (t) => {
  const { page, ask, errors } = await open(t, "echo", { editor: editorWith({}) });
  await ask("Explain it");
  await box(page).press("ArrowUp");
  assert.equal(await box(page).inputValue(), "Explain it");
  await box(page).press("ArrowDown");
  assert.equal(await box(page).inputValue(), "");
  await box(page).pressSequentially("/expl");
  await box(page).press("Enter");
  assert.match(await box(page).inputValue(), /^Explain what this code does/);
  await chips(page).getByText("a.ts").waitFor();
  await box(page).fill("");
  await box(page).pressSequentially("/new");
  await box(page).press("Enter");
  await page.locator(".welcome").waitFor();
  assert.equal(await box(page).inputValue(), "");
  assert.deepEqual(errors, []);
});

test("Enter sends unless a composition is open, or the settings say Ctrl+Enter", async (t) => {
  const { page, view, controller } = await open(t, "echo");
  await box(page).fill("にほん");
  await box(page).dispatchEvent("keydown", { key: "Enter", isComposing: true });
  await box(page).dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
  await box(page).press("Shift+Enter");
  assert.equal(await box(page).inputValue(), "にほん\n");
  controller.configure({ sendWith: "ctrlEnter", prompts: { eli5: "Explain it as if I were five." } });
  await button(page, "Send (Ctrl+Enter)").waitFor();
  await box(page).fill("");
  await box(page).pressSequentially("/eli");
  await page.getByRole("option").filter({ hasText: "/eli5" }).click();
  assert.equal(await box(page).inputValue(), "Explain it as if I were five. ");
  await box(page).press("Enter");
  assert.equal(await box(page).inputValue(), "Explain it as if I were five. \n");
  assert.equal(view.state.messages.length, 0);
  await box(page).press("Control+Enter");
  await view.until((state) => state.messages.length === 2 && ended(state));
});

test("a page that loads while the user types elsewhere leaves the focus there, and takes it for a new chat", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  const { page, close } = await openApp(browser, chat.controller, { hasFocus: false });
  t.after(close);
  await page.locator(".picker-button", { hasText: "Echo" }).waitFor();
  assert.equal(await page.locator("textarea:focus").count(), 0);
  await view.say("send", { text: "A question", revision: 1 });
  await view.until(({ busy, messages }) => !busy && messages.length === 2);
  await chat.controller.newChat();
  await page.locator("textarea:focus").waitFor();
});
