import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "../../../serviceKit/faults.ts";
import { startModelServer } from "../../sandbox/modelServer.ts";
import { ended, openChat, openViewWith, serveChat } from "../chat.ts";

const chatPath = { match: { path: "/chat/completions" } };
const failing: Fault = { kind: "status", status: 402, message: "Insufficient balance", ...chatPath };

test("a failure before any output restores the question, with a message and a button", async (t) => {
  const service = await serveChat(t, { faults: [failing] });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("send", { text: "my long question", revision: 1 });
  const { problem, draft, messages } = await view.until((state) => state.problem !== null);
  assert.deepEqual(messages, []);
  assert.equal(draft.text, "my long question");
  assert.match(problem?.explanation.sentence ?? "", /asks for payment: Insufficient balance/);
  assert.equal(problem?.explanation.actions[0]?.id, "retry");
  assert.equal(service.sandbox.requests.filter(({ path }) => path.endsWith("/chat/completions")).length, 1);
});

test("Retry sends the text of the prompt", async (t) => {
  const service = await serveChat(t, { faults: [{ ...failing, times: 1 }] });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("send", { text: "again", revision: 1 });
  await view.until(({ problem }) => problem !== null);
  await view.say("retry", {});
  const state = await view.until(ended);
  assert.deepEqual([state.problem, view.answer.text, state.draft.text], [null, "again", ""]);
});

test("a restored question does not replace text typed meanwhile", async (t) => {
  const faults = [{ kind: "slow-headers", ms: 200, ...chatPath }, failing] as const;
  const view = await openViewWith(openChat(t, await serveChat(t, { faults })).controller, "echo");
  await view.say("send", { text: "first", revision: 1 });
  await view.say("draft", { draft: { text: "second", revision: 1e15 } });
  await view.until(ended);
  assert.equal(view.state.draft.text, "second");
  assert.equal(view.state.messages[0]?.text, "first");
  assert.equal(view.answer.state, "failed");
  assert.match(view.answer.problem?.sentence ?? "", /asks for payment/);
});

const cutOffs: readonly (readonly [string, Fault, RegExp])[] = [
  ["an error event", { kind: "error-event", events: 6, ...chatPath }, /cannot answer at the moment/],
  ["a connection that dies", { kind: "drop-stream", events: 6, ...chatPath }, /was lost/],
  ["an end without [DONE]", { kind: "no-done", ...chatPath }, /before it was complete/],
  ["an end inside of an event", { kind: "half-event", events: 6, ...chatPath }, /Test/],
];
for (const [name, fault, sentence] of cutOffs) {
  test(`${name} keeps the text so far, marked as interrupted`, async (t) => {
    const view = await openViewWith(openChat(t, await serveChat(t, { faults: [fault] })).controller, "echo");
    await view.say("send", { text: "one two three four five six seven eight nine ten", revision: 1 });
    await view.until(ended);
    assert.equal(view.answer.state, "cut-off");
    assert.match(view.answer.text, /^one/);
    assert.match(view.answer.problem?.sentence ?? "", sentence);
    assert.ok(view.answer.problem?.actions.some(({ id }) => id === "retry"));
  });
}

test("a failed regeneration shows the former answer again", async (t) => {
  const service = await serveChat(t, { faults: [{ kind: "no-done", times: 1, ...chatPath }] });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("send", { text: "hello", revision: 1 });
  await view.until(ended);
  const { id, text } = view.answer;
  service.sandbox.setFaults([failing]);
  await view.say("retry", { answerId: id });
  const { problem } = await view.until((state) => state.problem !== null);
  assert.equal(problem?.answerId, id);
  assert.deepEqual([view.answer.id, view.answer.text, view.answer.state], [id, text, "cut-off"]);
});

test("a rate limit shows a countdown, then the question is sent again", async (t) => {
  const limit: Fault = {
    kind: "status",
    status: 429,
    headers: { "retry-after": "1" },
    times: 1,
    ...chatPath,
  };
  const view = await openViewWith(openChat(t, await serveChat(t, { faults: [limit] })).controller, "echo");
  await view.say("send", { text: "hello", revision: 1 });
  const waiting = await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && typeof last.resendAtMs === "number";
  });
  assert.equal(waiting.messages.length, 2);
  await view.until(ended);
  assert.deepEqual([view.answer.state, view.answer.text, view.answer.resendAtMs], ["done", "hello", null]);
});

test("a question that needs a language model is sent to the local model chosen for it", async (t) => {
  const server = await startModelServer();
  t.after(() => server.close());
  const service = await serveChat(t, { testModels: false, modelServers: [server.url] });
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "guide");
  await view.say("send", { text: "Refactor this: `const a = b ? c : d ? e : f`", revision: 1 });
  const { problem } = await view.until((state) => state.problem !== null);
  assert.deepEqual(
    problem?.explanation.actions.map(({ id }) => id),
    ["useLocalModel", "signIn", "retry"],
  );
  // Like the command of the button.
  service.remembered.set("model c1", `${server.slug}/llama3.2`);
  await chat.controller.tryAgain();
  const state = await view.until(ended);
  assert.deepEqual([view.answer.text, state.problem], ["Hello there.", null]);
  assert.deepEqual(
    [view.answer.usage?.promptTokens, view.answer.usage?.completionTokens, view.answer.usage?.costUsd],
    [7, 3, 0],
  );
  assert.equal(state.modelId, `${server.slug}/llama3.2`);
});
