// Answers in forms of other services of this kind: refusals, custom calls, signed calls, closing chunks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { streamText } from "../../../../../src/editor/edit/text/streamText.ts";
import type { Client } from "../../../../../src/session/session.ts";
import { beginEvents, sendJson } from "../../../../loopback/answers.ts";
import type { Fault } from "../../../../serviceKit/faults.ts";
import { clientOf, drain, failureOf, question, serve } from "../../../api/client.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";
import { tool } from "../../weatherTool.ts";

type Members = Readonly<Record<string, unknown>>;

/** Changes the deltas of the next answer. */
function bend(change: (delta: Members) => unknown, times?: number): Fault {
  const edit = (event: unknown) => {
    const { choices, ...rest } = event as { readonly choices: readonly Members[] };
    return { ...rest, choices: choices.map((one) => ({ ...one, delta: change(one.delta as Members) })) };
  };
  const match = { path: "/chat/completions" };
  return { kind: "edit-events", edit, match, ...(times === undefined ? {} : { times }) };
}

const callsIn = (delta: Members) => (delta.tool_calls ?? []) as readonly Members[];
const isOver = (view: TestView) => view.until((state) => ended(state) && !state.busy);

test("a refusal is shown, marked and stored", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "echo");
  service.sandbox.setFaults([bend(({ content, ...delta }) => ({ ...delta, refusal: content }))]);
  await view.say("send", { text: "I will not say that", revision: 1 });
  await isOver(view);
  assert.equal(view.answer.text, "I will not say that");
  assert.deepEqual(view.answer.notes, ["The model refused to answer."]);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.deepEqual(again.answer.notes, ["The model refused to answer."]);
});

test("a refusal is not offered as text for a file", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, { choices: [{ index: 0, delta: { refusal: "I can't" } }] }, "[DONE]");
    response.end();
  });
  const { api } = clientOf(t, server.origin);
  const asked = streamText({ api, connection: { kind: "live" } } as unknown as Client, {
    model: { id: "m" } as never,
    rules: "",
    question: "?",
    cacheKey: "k",
    signal: new AbortController().signal,
    onText: () => assert.fail("it is no text"),
  });
  const { kind, message } = await failureOf(asked);
  assert.deepEqual([kind, message], ["refused-content", "I can't"]);
});

test("a custom call asks and runs like another one, and is echoed unchanged", async (t) => {
  const service = await serveChat(t);
  let runs = 0;
  const weather = tool("get_weather", async () => {
    runs += 1;
    return "Sunny.";
  });
  const view = await openViewWith(openChat(t, service, { tools: [weather] }).controller, "guide");
  await view.say("setSettings", { settings: { tools: ["get_weather"] } });
  const toCustom = ({ function: made, ...call }: Members) => {
    const { name, arguments: input } = made as Members;
    return { ...call, ...(call.type ? { type: "custom" } : {}), custom: { name, input } };
  };
  service.sandbox.setFaults([
    bend((delta) => (delta.tool_calls ? { ...delta, tool_calls: callsIn(delta).map(toCustom) } : delta), 1),
  ]);
  await view.say("send", { text: "Please use get_weather for Bern", revision: 1 });
  await view.until(() => view.answer.calls?.[0]?.state === "asks");
  assert.equal(runs, 0);
  const { id: answerId, calls: [waiting] = [] } = view.answer;
  await view.say("decideCall", { answerId, callId: waiting?.id ?? "", decision: "once" });
  const isNext = (text: string) => text.includes("Sunny.");
  const state = await view.until((now) => ended(now) && !now.busy && isNext(now.messages.at(-1)?.text ?? ""));
  assert.equal(runs, 1);
  const asked = state.messages.at(-2);
  const [card] = (asked?.role === "assistant" && asked.calls) || [];
  assert.equal(card?.state, "done");
  const request = service.sandbox.requests.at(-1);
  const { messages } = JSON.parse(request?.bodyText ?? "") as { messages: Members[] };
  const [turn, result] = messages.slice(-2);
  assert.deepEqual(turn?.tool_calls, [
    { id: card?.id, type: "custom", custom: { name: "get_weather", input: card?.arguments } },
  ]);
  assert.deepEqual([result?.role, result?.tool_call_id], ["tool", card?.id]);
  assert.equal(result?.content, "Sunny.");
});

test("a signed call and its reasoning are echoed unchanged, also after a reload", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service, { tools: [tool("get_weather", async () => "Sunny.")] });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { tools: ["get_weather"] } });
  const extra_content = { google: { thought_signature: "AY89a18=" } };
  const sign = (call: Members) => (call.id ? { ...call, extra_content, thought_signature: "s" } : call);
  service.sandbox.setFaults([
    bend((delta) => {
      if (!delta.tool_calls) return { ...delta, reasoning_content: delta.role ? "Weather it is." : null };
      return { ...delta, tool_calls: callsIn(delta).map(sign) };
    }, 1),
  ]);
  await view.say("send", { text: "Please use get_weather for Bern", revision: 1 });
  await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && last.calls?.[0]?.state === "asks";
  });
  assert.doesNotMatch(JSON.stringify(view.posted), /AY89a18/);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.until(({ models }) => models.status === "ready");
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  const [call] = again.answer.calls ?? [];
  await again.say("decideCall", { answerId: again.answer.id, callId: call?.id ?? "", decision: "once" });
  const { messages } = JSON.parse((await arrived).bodyText) as { messages: Members[] };
  const made = { name: "get_weather", arguments: call?.arguments };
  assert.deepEqual(messages.at(-2), {
    role: "assistant",
    content: null,
    reasoning_content: "Weather it is.",
    tool_calls: [{ extra_content, thought_signature: "s", id: call?.id, type: "function", function: made }],
  });
  await isOver(again);
});

const chunk = (delta: unknown, more: Members = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const part = (text: string) => ({ type: "text", text, annotations: [] });
const forms: Readonly<Record<string, readonly Members[]>> = {
  "a closing chunk without a delta": [
    chunk({ content: "kept" }),
    { choices: [{ index: 0, finish_reason: "stop", content_filter_results: {} }] },
  ],
  "null for choices": [
    { choices: null, prompt_filter_results: [] },
    chunk({ content: "kept" }),
    { choices: null },
  ],
  "null for a delta": [chunk({ content: "kept" }), chunk(null, { finish_reason: "stop" })],
  "content in parts": [
    chunk({ content: [part("ke"), "p", { type: "image_url" }, null] }),
    chunk({ content: [part("t")] }),
  ],
  "a choice without an index": [{ choices: [{ delta: { content: "kept" } }] }],
  "a message in place of a delta": [{ choices: [{ index: 0, message: { content: "kept" } }] }],
  "odd members beside the words": [
    {
      ...chunk({ content: "kept", role: 3, tool_calls: "none" }),
      id: 7,
      usage: { prompt_tokens: "many" },
      cost: [],
    },
  ],
};

for (const [name, events] of Object.entries(forms)) {
  test(`${name}: the text is read`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response, ...events, "[DONE]");
      response.end();
    });
    const { text, end, error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.deepEqual({ text, end, error }, { text: "kept", end: "done", error: undefined });
  });
}

test("an answer that is not streamed is read in the same forms", async (t) => {
  const replies = [
    { choices: [{ message: { content: "kept" } }] },
    {
      choices: [{ index: 0, message: { content: [part("ke"), part("pt")], refusal: null } }],
      usage: { prompt_tokens: null },
    },
  ];
  for (const reply of replies) {
    const server = await serve(t, (_, response) => sendJson(response, 200, reply));
    const { api } = clientOf(t, server.origin);
    const { text, end, error } = await drain(await api.chat.stream(question));
    assert.deepEqual({ text, end, error }, { text: "kept", end: "done", error: undefined });
    assert.equal((await api.chat.complete(question)).choices[0]?.message.content, "kept");
  }
});

test("reasoning and refusals among content parts are recognised", async (t) => {
  const content = [
    { type: "thinking", thinking: [part("hm")] },
    { type: "text", text: "no" },
    { type: "refusal", refusal: "I can't" },
  ];
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk({ content }), "[DONE]");
    response.end();
  });
  const { events } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  const { content: text, reasoning_content, refusal } = events[0]?.choices[0]?.delta ?? {};
  assert.deepEqual([text, reasoning_content, refusal], ["no", "hm", "I can't"]);
});
