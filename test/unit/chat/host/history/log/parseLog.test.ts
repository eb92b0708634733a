import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLog } from "../../../../../../src/chat/host/history/log/parseLog.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../../chat.ts";

test("a question is answered with its usage, and the request contains only what is needed", async (t) => {
  const service = await serveChat(t);
  const { controller } = openChat(t, service);
  const view = await openViewWith(controller, "echo");
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("send", { text: "Hello **there**", revision: 1 });
  const { messages, draft } = await view.until(ended);
  assert.equal(draft.text, "");
  assert.deepEqual(
    messages.map(({ role, text }) => [role, text]),
    [
      ["user", "Hello **there**"],
      ["assistant", "Hello **there**"],
    ],
  );
  assert.equal(view.answer.state, "done");
  assert.equal(view.answer.finishReason, "stop");
  assert.ok((view.answer.usage?.completionTokens ?? 0) > 0);
  assert.ok(view.answer.timing.totalMs !== undefined && view.answer.timing.firstTextMs !== undefined);
  const body = JSON.parse((await arrived).bodyText);
  assert.deepEqual(body, {
    model: "echo",
    messages: [{ role: "user", content: "Hello **there**" }],
    stream: true,
    stream_options: { include_usage: true },
    service_parameters: { include_venice_system_prompt: false },
    prompt_cache_key: view.state.conversationId,
  });
});

test("earlier messages are sent with the next question", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("send", { text: "one", revision: 1 });
  await view.until(ended);
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("send", { text: "two", revision: 2 });
  assert.deepEqual(JSON.parse((await arrived).bodyText).messages, [
    { role: "user", content: "one" },
    { role: "assistant", content: "one" },
    { role: "user", content: "two" },
  ]);
});

test("reasoning is separate from the answer, with its duration", async (t) => {
  const view = await openViewWith(openChat(t, await serveChat(t)).controller, "thinker");
  await view.say("send", { text: "What is chat?", revision: 1 });
  await view.until(ended);
  assert.ok(view.answer.reasoning.length > 0 && view.answer.text.length > 0);
  assert.ok(view.answer.timing.reasoningMs !== undefined);
});

test("a second question during an answer is not sent, but waits", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 20 });
  const view = await openViewWith(openChat(t, service).controller, "long");
  await view.say("send", { text: "5000 tokens", revision: 1 });
  await view.until(({ messages }) => messages.at(-1)?.text !== "");
  await view.say("draft", { draft: { text: "and?", revision: 1e15 } });
  await view.say("send", { text: "and?", revision: 1e15 });
  assert.equal(view.state.messages.length, 2);
  assert.deepEqual([view.state.draft.text, view.state.queue[0]?.text], ["", "and?"]);
});

test("stopping ends the request on the wire, keeps the text, and nothing changes the final state", async (t) => {
  const service = await serveChat(t, { tokensPerSecond: 200 });
  const view = await openViewWith(openChat(t, service).controller, "long");
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("send", { text: "5000 tokens", revision: 1 });
  await view.until(({ messages }) => (messages.at(-1)?.text.length ?? 0) > 100);
  await view.say("stop", {});
  const { length } = view.posted;
  const { text, state } = view.answer;
  const request = await arrived;
  await request.ended;
  assert.equal(request.aborted, true);
  assert.equal(state, "stopped");
  assert.ok(text.length > 100);
  // By now all work that was in progress at the stop has been discarded.
  const [unrelated] = await Promise.all([
    view.until(({ draft }) => draft.text === "x"),
    view.say("draft", { draft: { text: "x", revision: 1e15 } }),
  ]);
  const later = view.posted
    .slice(length)
    .flatMap((message) => (message.type === "update" ? message.ops : []));
  // The size of the next request is counted some time later.
  assert.deepEqual(
    later.filter(({ op }) => op !== "set"),
    [],
  );
  assert.equal(unrelated.messages.at(-1)?.text, text);
});

test("stopping before any output leaves an answer that never began", async (t) => {
  const faults = [{ kind: "slow-headers", ms: 60_000, match: { path: "/chat/completions" } }] as const;
  const service = await serveChat(t, { faults });
  const view = await openViewWith(openChat(t, service).controller, "echo");
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("send", { text: "hello", revision: 1 });
  const request = await arrived;
  await view.say("stop", {});
  await request.ended;
  assert.equal(request.aborted, true);
  assert.deepEqual([view.answer.state, view.answer.text], ["stopped", ""]);
});

test("regenerating replaces the last answer; the former one stays in the file", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "echo");
  await view.say("send", { text: "hello", revision: 1 });
  await view.until(ended);
  const first = view.answer.id;
  await view.say("retry", { answerId: first });
  await view.until((state) => ended(state) && state.messages.at(-1)?.id !== first);
  assert.equal(view.state.messages.length, 2);
  chat.controller.dispose();
  const [file = ""] = Object.values(chat.files());
  const { state } = parseLog(Buffer.from(file), "c");
  assert.equal(state.nodes.size, 3);
  assert.notEqual(state.leafId, first);
  assert.equal(state.nodes.get(first)?.parentId, view.state.messages[0]?.id);
});

test("a new chat is empty, and the draft stays", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  await view.say("send", { text: "hello", revision: 1 });
  await view.until(ended);
  const before = view.state.conversationId;
  await view.say("draft", { draft: { text: "half a thou", revision: 1e15 } });
  await view.say("newChat", {});
  assert.deepEqual(view.state.messages, []);
  assert.notEqual(view.state.conversationId, before);
  assert.equal(view.state.draft.text, "half a thou");
  assert.ok(chat.files()[`${before}.jsonl`]?.includes("hello"));
});

test("a hidden view gets no messages, and the whole state once visible", async (t) => {
  const view = await openViewWith(
    openChat(t, await serveChat(t, { tokensPerSecond: 400 })).controller,
    "long",
  );
  await view.say("send", { text: "400 tokens", revision: 1 });
  await view.until(({ messages }) => messages.at(-1)?.text !== "");
  view.pause();
  const { length } = view.posted;
  const second = await openView(openChat(t, await serveChat(t)).controller);
  await second.until(({ models }) => models.status === "ready");
  assert.equal(view.posted.length, length);
  await view.say("ready", {});
  assert.equal(view.posted[length]?.type, "snapshot");
  await view.until(ended);
  assert.equal(view.answer.state, "done");
});
