import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { ChatState } from "../../../../../src/chat/protocol/chatState.ts";
import { openBrowser, type TestBrowser } from "../../../webview/browser.ts";
import type { AppPage } from "../../../webview/pages/appPageHandle.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";
import { openApp } from "../../openApp.ts";
import { weather } from "../../weatherTool.ts";

declare const appPage: AppPage;

const questions = ({ messages }: ChatState) =>
  messages.filter(({ role }) => role === "user").map(({ text }) => text);
const queued = ({ queue }: ChatState) => queue.map(({ text, isHeld }) => [text, isHeld]);
const send = (view: TestView, text: string) => view.say("send", { text, revision: Date.now() });
const streams = ({ messages }: ChatState) => {
  const last = messages.at(-1);
  return last?.role === "assistant" && last.state === "streaming";
};
const isOver = (count: number) => (state: ChatState) =>
  questions(state).length === count && ended(state) && !state.busy;

test("questions sent during an answer wait for its end, and are sent one after another", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 200 });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await send(view, "one ".repeat(200));
  await view.until(streams);
  await view.say("draft", { draft: { text: "two", revision: 1 } });
  await view.say("attachFile", { name: "notes.txt", bytes: Buffer.from("my notes") });
  await send(view, "two");
  await send(view, "three");
  assert.deepEqual(queued(view.state), [
    ["two", false],
    ["three", false],
  ]);
  assert.deepEqual([view.state.draft.text, view.state.attachments], ["", []]);
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  const { messages } = JSON.parse((await arrived).bodyText);
  assert.match(messages.at(-1).content[0].text, /my notes/);
  await view.until(isOver(3));
  assert.deepEqual(questions(view.state).slice(1), ["two", "three"]);
  assert.deepEqual(view.state.queue, []);
});

test("after a stop the queued questions stay visible, and are sent only on request", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 50 });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await send(view, "one ".repeat(400));
  await view.until(streams);
  await send(view, "two");
  await send(view, "three");
  await view.say("stop", {});
  assert.deepEqual(queued(view.state), [
    ["two", true],
    ["three", true],
  ]);
  await send(view, "instead");
  await view.until(isOver(2));
  assert.deepEqual(queued(view.state), [
    ["two", true],
    ["three", true],
  ]);
  await view.say("queued", { questionId: view.state.queue[0]?.id ?? "", action: "send" });
  await view.until(isOver(4));
  assert.deepEqual(questions(view.state).slice(1), ["instead", "two", "three"]);
});

test("queued questions are kept, unsent, over a reload and while another chat is open", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 50 });
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "echo");
  await send(view, "one ".repeat(400));
  await view.until(streams);
  await view.say("attachFile", { name: "notes.txt", bytes: Buffer.from("my notes") });
  await send(view, "two");
  const { conversationId } = view.state;
  chat.controller.dispose();
  const again = chat.reopen();
  const other = await openView(again.controller);
  assert.deepEqual(queued(other.state), [["two", true]]);
  await other.say("newChat", {});
  assert.equal(other.state.queue.length, 0);
  await again.controller.openChat(conversationId);
  assert.deepEqual(queued(other.state), [["two", true]]);
  assert.equal(other.state.queue[0]?.attachments[0]?.name, "notes.txt");
  assert.deepEqual(questions(other.state).length, 1);
});

test("a queued question waits until tool calls are decided and answered", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 200 });
  const view = await openViewWith(openChat(t, service, { tools: [weather()] }).controller, "guide");
  await view.say("setSettings", { settings: { tools: ["get_weather"] } });
  await send(view, "Please use get_weather for Bern");
  await view.until(({ busy }) => busy);
  await send(view, "Chat, then");
  const { messages } = await view.until((state) => {
    const last = state.messages.at(-1);
    return !state.busy && last?.role === "assistant" && last.calls !== undefined;
  });
  assert.deepEqual(queued(view.state), [["Chat, then", false]]);
  const last = messages.at(-1);
  const callId = (last?.role === "assistant" && last.calls?.[0]?.id) || "";
  await view.say("decideCall", { answerId: last?.id ?? "", callId, decision: "once" });
  await view.until(isOver(2));
  assert.deepEqual(
    view.state.messages.map(({ role }) => role),
    ["user", "assistant", "assistant", "user", "assistant"],
  );
});

test("a queued question that a budget refuses stays, and nothing is sent", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 200 });
  const chat = openChat(t, service, { confirms: false });
  const view = await openViewWith(chat.controller, "echo");
  await send(view, "one ".repeat(40));
  await view.until(streams);
  await send(view, "two");
  await view.say("setSettings", { settings: { budgetUsd: 0 } });
  await view.until(({ queue }) => queue[0]?.isHeld === true);
  assert.equal(chat.questions.length, 1);
  assert.equal(questions(view.state).length, 1);
});

test("editing a queued question moves it below the draft with its attachments; removing deletes it", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 50 });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await send(view, "one ".repeat(400));
  await view.until(streams);
  await view.say("attachFile", { name: "notes.txt", bytes: Buffer.from("my notes") });
  await send(view, "two");
  await send(view, "three");
  await view.say("draft", { draft: { text: "typed", revision: Date.now() + 1000 } });
  const [two, three] = view.state.queue;
  await view.say("queued", { questionId: two?.id ?? "", action: "edit" });
  await view.say("queued", { questionId: three?.id ?? "", action: "remove" });
  await view.say("queued", { questionId: "unknown", action: "edit" });
  assert.equal(view.state.draft.text, "typed\n\ntwo");
  assert.deepEqual(
    view.state.attachments.map(({ name }) => name),
    ["notes.txt"],
  );
  assert.deepEqual(view.state.queue, []);
});

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());
const box = (page: Page) => page.getByRole("textbox", { name: "Your question", exact: true });

test("on the page, Enter queues during an answer, Escape pauses, and a queued question can be edited and sent", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 50 });
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "echo");
  const { page, errors, close } = await openApp(browser, chat.controller, { width: 260 });
  t.after(close);
  await box(page).fill("one ".repeat(400));
  await box(page).press("Enter");
  await view.until(streams);
  await box(page).fill("two");
  await box(page).press("Enter");
  const waiting = page.getByRole("list", { name: "Questions that wait" });
  await waiting.getByText("two").waitFor();
  await page.getByText("Sent when the answer ends").waitFor();
  await page.waitForFunction(() => appPage.value(".composer textarea") === "");
  await page.keyboard.press("Escape");
  await page.getByText("Not sent: the previous answer did not complete.").waitFor();
  await waiting.getByRole("button", { name: "Edit in the Prompt" }).click();
  await waiting.waitFor({ state: "detached" });
  await page.waitForFunction(() => appPage.value(".composer textarea") === "two");
  await page.keyboard.press("Enter");
  await view.until(isOver(2));
  assert.equal(view.answer.text, "two");
  assert.deepEqual(errors, []);
});
