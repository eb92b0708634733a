// A queued question is sent once or kept: whatever the user opens meanwhile, and in whichever window.
import assert from "node:assert/strict";
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChatState } from "../../../../../src/chat/protocol/chatState.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import {
  ended,
  type OpenOptions,
  openChat,
  openView,
  openViewWith,
  serveChat,
  type TestView,
} from "../../chat.ts";
import { weather } from "../../weatherTool.ts";

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

/** A chat whose answer streams, with one queued question. */
async function withQueue(t: TestContext, options: OpenOptions = {}, tokensPerSecond = 100) {
  const service = await serveChat(t, { tokensPerSecond });
  service.remembered.set("model c2", "echo");
  const folder = temporaryFolder();
  const chat = openChat(t, service, { folder, ...options });
  const view = await openViewWith(chat.controller, "echo");
  await send(view, "one ".repeat(100));
  await view.until(streams);
  await send(view, "two");
  // Another window reads the file.
  while (!Object.values(chat.files()).some((text) => text.includes('"queue":[{'))) await nextTurn();
  const sent = () =>
    service.sandbox.requests
      .filter(({ path }) => path.endsWith("/chat/completions"))
      .map(({ bodyText }) => JSON.parse(bodyText).messages.at(-1).content);
  return { service, folder, chat, view, sent };
}

test("another window shows the queue, follows what is sent and removed, and does not send it again", async (t) => {
  const { chat, view, sent } = await withQueue(t);
  const other = await openView(chat.reopen().controller);
  assert.deepEqual(queued(other.state), [["two", true]]);
  await send(view, "three");
  await other.until(({ queue }) => queue.length === 2);
  await view.say("queued", { questionId: view.state.queue[1]?.id ?? "", action: "remove" });
  await view.until(isOver(2));
  await other.until(({ queue }) => queue.length === 0);
  assert.deepEqual(sent().slice(1), ["two"]);
});

test("what another window sends is not sent when the answer here ends", async (t) => {
  const { chat, view, sent } = await withQueue(t, {}, 30);
  const other = await openView(chat.reopen().controller);
  await other.until(({ models, queue }) => models.status === "ready" && queue.length === 1);
  await other.say("queued", { questionId: other.state.queue[0]?.id ?? "", action: "send" });
  await view.until(({ queue }) => queue.length === 0);
  await view.until(({ busy }) => !busy);
  await other.until(({ busy }) => !busy);
  assert.deepEqual(sent().slice(1), ["two"]);
});

test("settings that another window changes hold here, too: a lowered cap reaches a task that runs", async (t) => {
  const { chat, view } = await withQueue(t);
  const other = await openView(chat.reopen().controller);
  await other.say("setSettings", { settings: { mode: "agent", task: { capUsd: 0.25 } } });
  const { settings } = await view.until((state) => state.settings.task !== undefined);
  assert.equal(settings.task?.capUsd, 0.25);
  assert.deepEqual(queued(view.state), [["two", false]], "the queue is not touched");
});

test("a question that was sent when the process was killed is not queued any more", async (t) => {
  const { folder, chat, view, sent } = await withQueue(t);
  const { queue, conversationId } = view.state;
  await view.until(isOver(2));
  chat.controller.dispose();
  assert.ok(readdirSync(folder).includes(`${conversationId}.jsonl`));
  // As if the line that takes it off the queue had not been written.
  const line = { e: "meta", meta: { queue }, w: "killed", n: 1 };
  appendFileSync(join(folder, `${conversationId}.jsonl`), `\n${JSON.stringify(line)}\n`);
  const { state } = await openView(chat.reopen().controller);
  assert.deepEqual([questions(state).length, queued(state)], [2, []]);
  assert.deepEqual(sent().slice(1), ["two"]);
});

test("before a queued question goes to another service, the user is asked; without consent it is kept", async (t) => {
  const { chat, view, sent } = await withQueue(t);
  chat.switchTo({ id: "c2", name: "Other", baseUrl: "https://other.example.com/api/v1" });
  await view.until(({ queue }) => queue[0]?.isHeld === true);
  assert.equal(chat.questions.length, 1);
  assert.match(chat.questions[0] ?? "", /^Send this chat to Other\?/);
  // It would stay in the queue of this one.
  assert.doesNotMatch(chat.questions[0] ?? "", /new chat/);
  assert.equal(sent().length, 1);
});

test("a conversation that is opened while a question is asked gets nothing of the former one", async (t) => {
  const first: { id?: string } = {};
  const { chat, view, sent } = await withQueue(t, {
    onConfirm: async () => {
      first.id = view.state.conversationId;
      await chat.controller.newChat();
    },
  });
  await view.say("setSettings", { settings: { budgetUsd: 1e-9 } });
  await view.until(({ conversationId }) => first.id !== undefined && conversationId !== first.id);
  await chat.controller.openChat(first.id ?? "");
  assert.deepEqual([queued(view.state), sent().length], [[["two", true]], 1]);
});

test("results of calls are not sent after a stop, and what is queued behind them is held", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 1000 });
  const chat = openChat(t, service, {
    tools: [{ ...weather(), kind: "command" }],
    onConfirm: () => view.say("stop", {}),
  });
  const view = await openViewWith(chat.controller, "guide");
  const settings = { mode: "agent" as const };
  await view.say("setSettings", { settings });
  await send(view, "Please use get_weather for Bern");
  await view.until(({ busy }) => busy);
  await send(view, "two");
  await view.until((state) => ended(state) && state.messages.length === 2 && !state.busy);
  await view.say("setSettings", { settings: { ...settings, budgetUsd: 1e-9 } });
  const { id, calls } = view.answer;
  await view.say("decideCall", { answerId: id, callId: calls?.[0]?.id ?? "", decision: "once" });
  await view.until(({ queue }) => queue[0]?.isHeld === true);
  assert.deepEqual([chat.questions.length, view.state.messages.length, view.state.busy], [1, 2, false]);
});
