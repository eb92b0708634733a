import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { ToolCallCard } from "../../../../../src/chat/protocol/chatMessages.ts";
import { listen } from "../../../../loopback/server.ts";
import type { TestSandbox } from "../../../../serviceKit/testSandbox.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";
import { tool, weather } from "../../weatherTool.ts";

async function ask(view: TestView, tools: readonly string[] = ["get_weather"]): Promise<ToolCallCard> {
  await view.say("setSettings", { settings: { tools: [...tools] } });
  await view.say("send", { text: "Please use get_weather for Bern", revision: Date.now() });
  const state = await view.until(({ messages }) => hasCalls(messages.at(-1)));
  const last = state.messages.at(-1);
  const [call] = (last?.role === "assistant" && last.calls) || [];
  if (!call) throw new Error("no call");
  return call;
}

const hasCalls = (message: unknown) =>
  typeof message === "object" && message !== null && "calls" in message && Array.isArray(message.calls);
const callsOver = (view: TestView) =>
  view.until((state) => ended(state) && !hasCalls(state.messages.at(-1)) && !state.busy);

test("a call is shown, waits for approval, runs once approved, and its result is returned", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service, { tools: [weather()] }).controller, "guide");
  const call = await ask(view);
  assert.equal(call.state, "asks");
  assert.match(call.says, /^get_weather of /);
  const answerId = view.answer.id;
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("decideCall", { answerId, callId: call.id, decision: "once" });
  const body = JSON.parse((await arrived).bodyText);
  assert.deepEqual(body.messages.slice(-2), [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: call.id, type: "function", function: { name: "get_weather", arguments: call.arguments } },
      ],
    },
    { role: "tool", tool_call_id: call.id, content: "Sunny." },
  ]);
  assert.equal(body.tools[0].function.name, "get_weather");
  await callsOver(view);
  assert.match(view.answer.text, /Sunny\./);
});

test("Continue after stopped calls asks once about the budget, and pressing twice sends once", async (t) => {
  for (const budgetUsd of [undefined, 0]) {
    const chat = openChat(t, await serveChat(t), { tools: [weather()] });
    const view = await openViewWith(chat.controller, "guide");
    await ask(view);
    await view.say("stop", {});
    const answerId = view.answer.id;
    if (budgetUsd !== undefined) await view.say("setSettings", { settings: { budgetUsd } });
    const continueAnswer = () => view.say("goOn", { answerId });
    await (budgetUsd === undefined ? Promise.all([continueAnswer(), continueAnswer()]) : continueAnswer());
    await view.until((state) => ended(state) && state.messages.length > 2);
    assert.equal(chat.questions.length, budgetUsd === undefined ? 0 : 1);
    assert.deepEqual(view.state.branches, {});
  }
});

test("the model is told of a refusal, and nothing runs", async (t) => {
  let runs = 0;
  const counted = tool("get_weather", async () => String(++runs));
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service, { tools: [counted] }).controller, "guide");
  const call = await ask(view);
  await view.say("decideCall", { answerId: view.answer.id, callId: call.id, decision: "skip" });
  await callsOver(view);
  assert.equal(runs, 0);
  assert.match(view.answer.text, /The user skipped this call/);
});

test("the model goes on by the reason of a skip, which is kept with its call", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service, { tools: [weather()] });
  const view = await openViewWith(chat.controller, "guide");
  const call = await ask(view);
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  const answerId = view.answer.id;
  await view.say("decideCall", { answerId, callId: call.id, decision: "skip", reason: " Look out first. " });
  const { messages } = JSON.parse((await arrived).bodyText);
  const told =
    "The user skipped this call: nothing was done. The user's reason, by which you go on: Look out first.";
  assert.equal(messages.at(-1).content, told);
  await view.until((state) => ended(state) && state.messages.length > 2);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  const kept = again.state.messages.flatMap((one) => (one.role === "assistant" ? (one.calls ?? []) : []));
  assert.deepEqual(
    kept.map(({ state, skipReason }) => [state, skipReason]),
    [["refused", "Look out first."]],
  );
});

test("a result that is reviewed first is returned as edited", async (t) => {
  const view = await openViewWith(
    openChat(t, await serveChat(t), { tools: [weather()] }).controller,
    "guide",
  );
  const call = await ask(view);
  const answerId = view.answer.id;
  await view.say("decideCall", { answerId, callId: call.id, decision: "review" });
  await view.until(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "assistant" && last.calls?.[0]?.state === "review";
  });
  await view.say("giveResult", { answerId, callId: call.id, result: "Rain." });
  await callsOver(view);
  assert.match(view.answer.text, /Rain\./);
});

test("an approval for the chat runs there without asking, a permanent one in every chat", async (t) => {
  const service = await serveChat(t);
  for (const decision of ["conversation", "always"] as const) {
    const chat = openChat(t, service, { tools: [weather()] });
    const view = await openViewWith(chat.controller, "guide");
    const call = await ask(view);
    await view.say("decideCall", { answerId: view.answer.id, callId: call.id, decision });
    await callsOver(view);
    await view.say("send", { text: "get_weather again", revision: Date.now() });
    await view.until(({ messages, busy }) => messages.length === 6 && !busy);
    assert.match(view.answer.text, /Sunny/);
    await view.say("newChat", {});
    await view.say("send", { text: "get_weather once more", revision: Date.now() });
    if (decision === "conversation") {
      const state = await view.until(({ messages }) => hasCalls(messages.at(-1)));
      const last = state.messages.at(-1);
      assert.equal(last?.role === "assistant" && last.calls?.[0]?.state, "asks");
    } else {
      await view.until(({ messages, busy }) => messages.length === 3 && !busy);
      assert.match(view.answer.text, /Sunny/);
    }
    chat.controller.dispose();
  }
});

test("a new question refuses the waiting calls", async (t) => {
  const view = await openViewWith(
    openChat(t, await serveChat(t), { tools: [weather()] }).controller,
    "guide",
  );
  await ask(view);
  const answerId = view.answer.id;
  await view.say("send", { text: "Chat, instead", revision: Date.now() });
  await view.until((state) => ended(state) && state.messages.at(-2)?.text === "Chat, instead");
  const asked = view.state.messages.find(({ id }) => id === answerId);
  assert.equal(asked?.role === "assistant" && asked.calls?.[0]?.state, "refused");
});

test("stopping ends a running call, and nothing is returned", async (t) => {
  let isAborted = false;
  const endless = tool(
    "get_weather",
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          isAborted = true;
          reject(signal.reason);
        });
      }),
  );
  const view = await openViewWith(openChat(t, await serveChat(t), { tools: [endless] }).controller, "guide");
  const call = await ask(view);
  await view.say("decideCall", { answerId: view.answer.id, callId: call.id, decision: "once" });
  await view.until(({ busy }) => busy);
  await view.say("stop", {});
  assert.ok(isAborted);
  assert.equal(view.state.busy, false);
  assert.equal(view.answer.calls?.[0]?.state, "stopped");
});

test("a waiting call is still there after a reload", async (t) => {
  const chat = openChat(t, await serveChat(t), { tools: [weather()] });
  const view = await openViewWith(chat.controller, "guide");
  const call = await ask(view);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.until(({ tools, models }) => tools.length > 0 && models.status === "ready");
  assert.equal(again.answer.calls?.[0]?.state, "asks");
  await again.say("decideCall", { answerId: again.answer.id, callId: call.id, decision: "once" });
  await callsOver(again);
  assert.match(again.answer.text, /Sunny/);
});

/** A service whose model calls a tool once, whatever was offered. */
async function serveHostile(t: TestContext) {
  const model = {
    id: "m",
    type: "text",
    model_spec: { capabilities: { supportsFunctionCalling: true }, availableContextTokens: 9000 },
  };
  const chunk = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
  };
  const call = {
    index: 0,
    id: "c",
    type: "function",
    function: { name: "get_weather", arguments: '{"city":"Bern"}' },
  };
  const server = await listen(({ url, body }, response) => {
    if (!url.includes("/chat/completions"))
      return response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ object: "list", data: [model] }));
    response.setHeader("content-type", "text/event-stream");
    const said = body.includes('"role":"tool"')
      ? chunk({ content: "Sorry." }, "stop")
      : chunk({ tool_calls: [call] }, "tool_calls");
    return response.end(`${said}data: [DONE]\n\n`);
  });
  t.after(() => server.close());
  const sandbox = { baseUrl: `${server.origin}/api/v1`, apiKey: "key" } as TestSandbox;
  const remembered = new Map<string, string>();
  return { server, service: { sandbox, remembered, consents: openConsents() } };
}

test("a service that calls a tool in a chat without tools is told so, and nothing runs", async (t) => {
  let runs = 0;
  const counted = tool("get_weather", async () => String(++runs));
  const { server, service } = await serveHostile(t);
  const chat = openChat(t, service, { tools: [counted] });
  const view = await openViewWith(chat.controller, "m");
  await view.say("send", { text: "Hello", revision: Date.now() });
  await view.until(({ messages, busy }) => messages.length === 3 && !busy);
  assert.equal(runs, 0);
  assert.equal(view.answer.text, "Sorry.");
  const [asking] = view.state.messages.slice(1);
  assert.equal(asking?.role === "assistant" && asking.calls?.[0]?.state, "failed");
  const requests = server.received.filter(({ url }) => url.includes("/chat/completions"));
  const last = JSON.parse(requests.at(-1)?.body ?? "{}").messages.at(-1);
  assert.deepEqual([last.role, last.tool_call_id], ["tool", "c"]);
  assert.match(last.content, /The tool get_weather is not selected/);
});

/** A chat in the mode Agent whose tool has begun to change a file, and ends when `written` resolves. */
async function whileWriting(t: TestContext) {
  const written = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const change = { uri: "file:///w/a.txt", before: "old", after: "new" };
  const writing: ChatTool = {
    ...tool("get_weather"),
    kind: "edit",
    async run(_, __, context) {
      begun.resolve();
      await written.promise;
      context.changed([change]);
      return "Written.";
    },
  };
  const { server, service } = await serveHostile(t);
  const chat = openChat(t, service, { tools: [writing] });
  const view = await openViewWith(chat.controller, "m");
  await view.say("setSettings", { settings: { mode: "agent" } });
  await view.say("send", { text: "Hello", revision: Date.now() });
  await begun.promise;
  const asked = () => server.received.filter(({ url }) => url.includes("/chat/completions")).length;
  return { chat, view, written, change, asked };
}

test("a chat that is closed while a call changes a file sends nothing more, and its log has the change", async (t) => {
  const { chat, written, change, asked } = await whileWriting(t);
  chat.controller.dispose();
  written.resolve();
  const again = await openView(chat.reopen().controller);
  assert.deepEqual(again.answer.changes, [change]);
  assert.equal(again.answer.calls?.[0]?.state, "stopped");
  assert.equal(asked(), 1);
});

test("another conversation opens once the file is written, and the first one has the change", async (t) => {
  const { chat, view, written, change, asked } = await whileWriting(t);
  const { conversationId } = view.state;
  const opened = chat.controller.newChat();
  await nextTurn();
  assert.equal(view.state.conversationId, conversationId);
  written.resolve();
  await opened;
  assert.notEqual(view.state.conversationId, conversationId);
  await chat.controller.openChat(conversationId);
  assert.deepEqual(view.answer.changes, [change]);
  assert.equal(asked(), 1);
});
