import assert from "node:assert/strict";
import { test } from "node:test";
import { isRunning } from "../../../../../src/chat/protocol/chatMessages.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";

async function say(view: TestView, text: string, revision: number): Promise<void> {
  await view.say("send", { text, revision });
  await view.until(ended);
}

const textsOf = (view: TestView) => view.state.messages.map(({ text }) => text);

test("a regenerated answer is a version beside the former one, and both stay reachable", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  await say(view, "one", 1);
  const first = view.answer.id;
  await view.say("retry", { answerId: first });
  await view.until(ended);
  const second = view.answer.id;
  assert.notEqual(second, first);
  assert.deepEqual(view.state.branches[second]?.ids, [first, second]);
  await view.say("showBranch", { messageId: first });
  assert.equal(view.answer.id, first);
  assert.deepEqual(view.state.branches[first]?.ids, [first, second]);
});

test("an edited question keeps its former version with all that followed", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  await say(view, "one", 1);
  await say(view, "two", 2);
  const [question] = view.state.messages;
  await view.say("edit", { questionId: question?.id ?? "", text: "uno" });
  await view.until(ended);
  assert.deepEqual(textsOf(view), ["uno", "uno"]);
  await view.say("showBranch", { messageId: question?.id ?? "" });
  assert.deepEqual(textsOf(view), ["one", "one", "two", "two"]);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.deepEqual(textsOf(again), ["one", "one", "two", "two"]);
  assert.equal(again.state.branches[question?.id ?? ""]?.ids.length, 2);
});

test("regenerating an answer in the middle starts a new branch", async (t) => {
  const view = await openViewWith(openChat(t, await serveChat(t)).controller, "echo");
  await say(view, "one", 1);
  const first = view.answer.id;
  await say(view, "two", 2);
  await view.say("retry", { answerId: first });
  await view.until(ended);
  assert.deepEqual(textsOf(view), ["one", "one"]);
  assert.deepEqual(view.state.branches[view.answer.id]?.ids, [first, view.answer.id]);
});

test("two models answer side by side, and the conversation continues from the chosen answer", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("compare", { modelIds: ["guide"] });
  await view.say("send", { text: "What is chat?", revision: 1 });
  await view.until((state) => ended(state) && state.beside.length === 1 && !state.busy);
  const [beside] = view.state.beside;
  assert.equal(view.answer.model, "echo");
  assert.equal(beside?.model, "guide");
  assert.equal(beside?.togetherId, view.answer.togetherId);
  assert.ok((beside?.text.length ?? 0) > 0);
  await view.say("showBranch", { messageId: beside?.id ?? "" });
  assert.equal(view.answer.id, beside?.id);
  assert.equal(view.state.beside[0]?.model, "echo");
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("send", { text: "two", revision: 2 });
  const { messages } = JSON.parse((await arrived).bodyText);
  assert.equal(messages[1].content, beside?.text);
  await view.until(ended);
});

test("a stopped answer continues where it ended, and costs the sum of both requests", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 300 });
  const view = await openViewWith(openChat(t, service).controller, "long");
  await view.say("send", { text: "300 tokens", revision: 1 });
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > 100);
  await view.say("stop", {});
  const { text, id } = view.answer;
  service.sandbox.setTokensPerSecond(1e6);
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("goOn", { answerId: id });
  await view.until(ended);
  const { messages } = JSON.parse((await arrived).bodyText);
  assert.deepEqual(
    messages.map(({ role }: { role: string }) => role),
    ["user", "assistant", "user"],
  );
  assert.equal(messages[1].content, text);
  assert.equal(view.answer.id, id);
  assert.ok(view.answer.text.startsWith(text) && view.answer.text.length > text.length);
  assert.equal(view.answer.state, "done");
});

test("a continued answer no longer says that it reached the token limit", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 300 });
  const view = await openViewWith(openChat(t, service).controller, "long");
  await view.say("setSettings", { settings: { max_completion_tokens: 20 } });
  await view.say("send", { text: "300 tokens", revision: 1 });
  await view.until(ended);
  assert.equal(view.answer.finishReason, "length");
  await view.say("setSettings", { settings: {} });
  await view.say("goOn", { answerId: view.answer.id });
  assert.deepEqual([view.answer.state, view.answer.finishReason], ["streaming", null]);
  const { length } = view.answer.text;
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > length);
  await view.say("stop", {});
  assert.deepEqual([view.answer.state, view.answer.finishReason], ["stopped", null]);
});

test("viewing another version does not end a running answer, and no text of it is lost", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 400 });
  const view = await openViewWith(openChat(t, service).controller, "long");
  await view.say("send", { text: "60 tokens", revision: 1 });
  await view.until(ended);
  const first = view.answer.id;
  await view.say("retry", { answerId: first });
  await view.until(({ messages }) => messages.at(-1)?.text !== "");
  const second = view.answer.id;
  await view.say("showBranch", { messageId: first });
  assert.ok(view.state.busy);
  await view.until(({ busy }) => !busy);
  await view.say("showBranch", { messageId: second });
  assert.equal(view.answer.state, "done");
  assert.ok(view.answer.text.length > 0);
});

test("a long conversation is shown from its end; earlier messages load on request", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  for (let turn = 0; turn < 45; turn++) await say(view, `question ${turn}`, turn + 1);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.equal(again.state.messages.length, 40);
  assert.equal(again.state.earlierCount, 50);
  while (again.state.earlierCount > 0) await again.say("showEarlier", {});
  assert.equal(again.state.messages.length, 90);
  assert.equal(again.state.earlierCount, 0);
  assert.equal(again.state.messages[0]?.text, "question 0");
  assert.ok(again.state.messages.every((message) => message.role === "user" || !isRunning(message)));
});
