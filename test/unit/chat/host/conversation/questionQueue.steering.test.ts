// What the user says to a task that runs goes with its next round, and nothing of it is lost if there is none.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type DialectId, dialects } from "../../../../../src/api/dialect/dialect.ts";
import { taskOf } from "../../../../../src/chat/host/agent/task.ts";
import type { ChatState } from "../../../../../src/chat/protocol/chatState.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";
import { tool } from "../../weatherTool.ts";

const send = (view: TestView, text: string, after?: true) =>
  view.say("send", { text, revision: Date.now(), ...(after ? { after } : {}) });
const queued = ({ queue }: ChatState) => queue.map(({ text, joins, isHeld }) => [text, joins, isHeld]);
const said = ({ messages }: ChatState) =>
  messages.map((one) => (one.role === "user" ? [one.text, one.isSteering] : one.role));
const isOver = (count: number) => (state: ChatState) =>
  state.messages.length === count && ended(state) && !state.busy;

/** A task whose call runs until `finish`. */
async function openTask(t: TestContext, dialect: DialectId = "standard") {
  const service = await serveChat(t, { dialect });
  const gate = Promise.withResolvers<string>();
  const tools = [tool("get_weather", () => gate.promise)];
  const chat = openChat(t, service, { dialect, tools });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent" } });
  await send(view, "Please use get_weather for Bern");
  await view.until(({ busy, messages }) => {
    const last = messages.at(-1);
    return busy && last?.role === "assistant" && last.calls?.[0]?.state === "runs";
  });
  const next = () => service.sandbox.nextRequest({ path: "/chat/completions" });
  return { chat, view, next, finish: () => gate.resolve("Sunny.") };
}

for (const { id: dialect } of Object.values(dialects))
  test(`messages to a task go with its next round, after the results and in their order; others wait for its end (${dialect})`, async (t) => {
    const { chat, view, next, finish } = await openTask(t, dialect);
    await view.say("attachFile", { name: "notes.txt", bytes: Buffer.from("my notes") });
    await send(view, "Look at Basel, too");
    await send(view, "And be brief");
    await send(view, "Then Chur", true);
    assert.deepEqual(queued(view.state), [
      ["Look at Basel, too", true, false],
      ["And be brief", true, false],
      ["Then Chur", undefined, false],
    ]);
    const arrived = next();
    finish();
    const { messages } = JSON.parse((await arrived).bodyText);
    const roles = messages.slice(-5).map(({ role }: { readonly role: string }) => role);
    assert.deepEqual(roles, ["user", "assistant", "tool", "user", "user"]);
    assert.match(JSON.stringify(messages.at(-2)), /my notes.*Look at Basel, too/);
    assert.match(JSON.stringify(messages.at(-1)), /And be brief/);
    await view.until(isOver(7));
    const expected = [
      ["Please use get_weather for Bern", undefined],
      "assistant",
      ["Look at Basel, too", true],
      ["And be brief", true],
      "assistant",
      ["Then Chur", undefined],
      "assistant",
    ];
    assert.deepEqual(said(view.state), expected);
    assert.deepEqual(view.state.queue, []);
    const path = view.state.messages.slice(0, 5);
    const task = taskOf(path, view.state.settings);
    assert.deepEqual([task?.id, task?.round], [path[0]?.id, 2], "it is one task");
    chat.controller.dispose();
    const again = await openView(chat.reopen().controller);
    assert.deepEqual(said(again.state), expected);
  });

test("a message can be taken back, or be for after the task instead", async (t) => {
  const { view, finish } = await openTask(t);
  await send(view, "one");
  await send(view, "two");
  await send(view, "three", true);
  const [one, two, three] = view.state.queue;
  await view.say("queued", { questionId: one?.id ?? "", action: "edit" });
  await view.say("queued", { questionId: two?.id ?? "", action: "switchRound" });
  await view.say("queued", { questionId: three?.id ?? "", action: "switchRound" });
  assert.equal(view.state.draft.text, "one");
  assert.deepEqual(queued(view.state), [
    ["two", undefined, false],
    ["three", true, false],
  ]);
  finish();
  await view.until(isOver(6));
  assert.deepEqual(said(view.state).slice(2), [
    ["three", true],
    "assistant",
    ["two", undefined],
    "assistant",
  ]);
  assert.equal(view.state.draft.text, "one");
});

test("after a stop, messages to the task stay, are not sent by themselves, and are questions like others", async (t) => {
  const { chat, view } = await openTask(t);
  await send(view, "one");
  await view.say("stop", {});
  assert.deepEqual(queued(view.state), [["one", undefined, true]]);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.deepEqual(queued(again.state), [["one", undefined, true]]);
  await view.until(({ busy }) => !busy);
});

test("a message that no round follows is the next question", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 20 });
  const view = await openViewWith(openChat(t, service).controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent" } });
  await send(view, "one");
  await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && last.state === "streaming";
  });
  await send(view, "two");
  assert.deepEqual(queued(view.state), [["two", true, false]]);
  await view.until(isOver(4));
  assert.deepEqual(said(view.state)[2], ["two", undefined]);
});

test("in the mode Ask a question waits for the end of the answer, as before", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 200 });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await send(view, "one ".repeat(200));
  await view.until(({ busy }) => busy);
  await send(view, "two");
  assert.deepEqual(queued(view.state), [["two", undefined, false]]);
  await view.until(isOver(4));
});
