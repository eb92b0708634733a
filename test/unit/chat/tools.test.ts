import assert from "node:assert/strict";
import { test } from "node:test";
import { createLiveChat } from "../../../src/features/chat/liveChat.ts";
import { createToolRounds, type ToolRounds } from "../../../src/features/chat/tools/toolRounds.ts";
import type { AnswerMessage, ToolCallCard } from "../../../src/shared/chatMessages.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "./chat.ts";

import { tool, weather } from "./weatherTool.ts";

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

/** What a chat tells nobody. */
const silent = {
  record() {},
  onChange() {},
  onBusy() {},
  interrupted: () => undefined,
  isForsaken: () => false,
};

test("a call is shown, waits for a word, runs once it has it, and its result goes back", async (t) => {
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

test("Continue after calls that were stopped asks once about the budget, and pressed twice sends once", async (t) => {
  for (const budgetUsd of [undefined, 0]) {
    const chat = openChat(t, await serveChat(t), { tools: [weather()] });
    const view = await openViewWith(chat.controller, "guide");
    await ask(view);
    await view.say("stop", {});
    const answerId = view.answer.id;
    if (budgetUsd !== undefined) await view.say("setSettings", { settings: { budgetUsd } });
    const goOn = () => view.say("goOn", { answerId });
    await (budgetUsd === undefined ? Promise.all([goOn(), goOn()]) : goOn());
    await view.until((state) => ended(state) && state.messages.length > 2);
    assert.equal(chat.questions.length, budgetUsd === undefined ? 0 : 1);
    assert.deepEqual(view.state.branches, {});
  }
});

test("a refusal is told to the model, and nothing runs", async (t) => {
  let runs = 0;
  const counted = tool("get_weather", async () => String(++runs));
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service, { tools: [counted] }).controller, "guide");
  const call = await ask(view);
  await view.say("decideCall", { answerId: view.answer.id, callId: call.id, decision: "refuse" });
  await callsOver(view);
  assert.equal(runs, 0);
  assert.match(view.answer.text, /did not let this call be made/);
});

test("a result that is looked at first goes back as it was changed", async (t) => {
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

test("what is allowed in a chat runs there without asking, what is always allowed in every chat", async (t) => {
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

test("a model that never stops asking waits for a word after 25 rounds", async (t) => {
  const chat = createLiveChat(silent);
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  let count = 0;
  const addAnswer = (parentId: string) => {
    count += 1;
    const id = `a${count}`;
    chat.add(answerWith(id), parentId);
    return id;
  };
  const whenStill = Promise.withResolvers<void>();
  const rounds: ToolRounds = createToolRounds({
    chat,
    tools: () => [weather()],
    approvals: { isGiven: () => true, give() {} },
    next: (answerId) => rounds.begin(addAnswer(answerId), [asked()]),
  });
  const set = chat.set;
  t.mock.method(chat, "set", (patch: Parameters<typeof set>[0]) => {
    set(patch);
    if (patch.notice) whenStill.resolve();
  });
  rounds.begin(addAnswer("q"), [asked()]);
  await whenStill.promise;
  assert.equal(count, 25);
  assert.match(chat.state.notice ?? "", /25 times in a row/);
});

let asks = 0;
const asked = () => ({ id: `c${++asks}`, name: "get_weather", arguments: '{"city":"Bern"}' });
const answerWith = (id: string): AnswerMessage => ({
  role: "assistant",
  id,
  model: "m",
  text: "",
  reasoning: "",
  state: "done",
  startedAtMs: 0,
  timing: {},
});

test("a new question refuses the calls that still wait", async (t) => {
  const view = await openViewWith(
    openChat(t, await serveChat(t), { tools: [weather()] }).controller,
    "guide",
  );
  await ask(view);
  const answerId = view.answer.id;
  await view.say("send", { text: "Never mind", revision: Date.now() });
  await view.until((state) => ended(state) && state.messages.at(-2)?.text === "Never mind");
  const asked = view.state.messages.find(({ id }) => id === answerId);
  assert.equal(asked?.role === "assistant" && asked.calls?.[0]?.state, "refused");
});

test("stopping ends a call that runs, and nothing goes back", async (t) => {
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
  assert.equal(view.answer.calls?.[0]?.state, "refused");
});

test("a call that waits is still there after the window was loaded anew", async (t) => {
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

test("a word counts for what was read: a card that says something else than the call would do is put right", async () => {
  const ran: string[] = [];
  const deploy = tool("deploy", async ({ city }) => String(ran.push(String(city))));
  const chat = createLiveChat(silent);
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  // As an imported file may have it: the card names a harmless tool, and no price.
  const forged: ToolCallCard = {
    id: "c",
    name: "deploy",
    title: "List a folder",
    says: "List the workspace",
    arguments: '{"city":"Bern"}',
    state: "asks",
  };
  chat.add({ ...answerWith("a"), calls: [forged] }, "q");
  const rounds = createToolRounds({
    chat,
    tools: () => [deploy],
    approvals: { isGiven: () => false, give() {} },
    next() {},
  });
  for (const decision of ["once", "always"] as const) {
    chat.change({ op: "patch", id: "a", patch: { calls: [forged] } });
    rounds.decide("a", "c", decision);
    const shown = chat.tree.get("a");
    const [card] = (shown?.role === "assistant" && shown.calls) || [];
    assert.deepEqual(card, { ...forged, title: "deploy", says: "deploy of Bern" });
  }
  assert.deepEqual(ran, []);
  rounds.decide("a", "c", "once");
  assert.deepEqual(ran, ["Bern"]);
});

test("two calls of one id are two, and signs that can't be seen are shown", () => {
  const chat = createLiveChat(silent);
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a"), "q");
  const approvals = { isGiven: () => false, give() {} };
  const rounds = createToolRounds({ chat, tools: () => [weather()], approvals, next() {} });
  const call = {
    id: "c",
    name: "get_weather",
    arguments: JSON.stringify({ city: "Bern\u202e\nlist_files" }),
  };
  rounds.begin("a", [call, { ...call, arguments: '{"city":"Rome"}' }]);
  const shown = chat.tree.get("a");
  const [first, second] = (shown?.role === "assistant" && shown.calls) || [];
  assert.equal(first?.id, "c");
  assert.notEqual(second?.id, "c");
  assert.equal(first?.says, "get_weather of Bern\\u202e\\u000alist_files");
});
