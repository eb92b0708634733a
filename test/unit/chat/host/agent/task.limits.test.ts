// The limits of a task: a call that waits is judged by those that are valid when it is admitted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SpendTask } from "../../../../../src/api/money/charge.ts";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import { createToolRounds } from "../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { ChatSettings } from "../../../../../src/chat/protocol/chatSettings.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { answerWith, silent } from "../../answerMessage.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";
import { noResults } from "../../noResults.ts";
import { weather } from "../../weatherTool.ts";

/** A tool that asks in the mode Agent. */
const command: ChatTool = { ...weather(), kind: "command" };

type Limits = NonNullable<ChatSettings["task"]>;

/** A task in its third round with two paid calls: the first one runs until `release`, the second one waits for its turn. */
async function waitingCall(limits: Limits = {}) {
  const chat = createLiveChat(silent);
  const setLimits = (task: Limits) => chat.set({ settings: { mode: "agent", tools: ["search_web"], task } });
  setLimits({ capUsd: 5, rounds: 9, ...limits });
  const tasks: SpendTask[] = [];
  const first = Promise.withResolvers<string>();
  const search: ChatTool = {
    name: "search_web",
    kind: "network",
    title: "Search",
    description: "Searches",
    parameters: { type: "object" },
    origin: "built-in",
    price: "$0.01 a call",
    fingerprint: async () => "search",
    summary: () => "Search",
    run: (_, __, { source }) => {
      tasks.push(source.task ?? assert.fail("no task"));
      return tasks.length === 1 ? first.promise : Promise.resolve("found");
    },
  };
  const approvals = {
    mayRunUnasked: () => true,
    isAllowed: () => true,
    consents: openConsents(),
    runFileChanges: () => 0,
  };
  const rounds = createToolRounds({
    chat,
    results: noResults,
    tools: () => [search],
    approvals,
    connectionId: () => "c",
    next() {},
  });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  const usage = { promptTokens: 1000, completionTokens: 100 };
  for (const [id, parent] of [
    ["a1", "q"],
    ["a2", "a1"],
    ["a3", "a2"],
  ] as const)
    chat.add(answerWith(id, { startedAtMs: Date.now() - 5 * 60_000, usage }), parent);
  const calls = ["c1", "c2"].map((id) => ({ id, name: "search_web", arguments: "{}" }));
  rounds.begin("a3", calls, ["search_web"]);
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assert.equal(tasks.length, 1);
  const release = async () => {
    first.resolve("found");
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    return tasks[1] ?? assert.fail("the second call did not get its turn");
  };
  return { chat, setLimits, release };
}

test("a paid call that waits for its turn has the cap that the user set meanwhile", async () => {
  for (const capUsd of [0.5, 7]) {
    const { setLimits, release } = await waitingCall();
    setLimits({ capUsd, rounds: 9 });
    assert.equal((await release()).capUsd, capUsd);
  }
});

test("rounds, time and tokens that were lowered meanwhile refuse it, and unchanged ones don't", async () => {
  const refusals: (string | undefined)[] = [];
  const lowered: readonly Limits[] = [{}, { rounds: 3 }, { rounds: 2 }, { minutes: 4 }, { tokens: 3000 }];
  for (const limits of lowered) {
    const { setLimits, release } = await waitingCall();
    setLimits(limits);
    refusals.push((await release()).refusal?.());
  }
  assert.deepEqual(refusals, [
    undefined,
    undefined,
    "the task has had 2 rounds",
    "the task has run for 4 minutes",
    "the task has used 3,300 of its 3,000 tokens",
  ]);
});

test("another conversation that was opened meanwhile does not lend its cap", async () => {
  const { chat, release } = await waitingCall();
  const { settings } = chat.state;
  chat.open({
    ...{ id: "other", createdAtMs: 0, updatedAtMs: 0, nodes: new Map(), leafId: null, seen: new Map() },
    ...{ meta: { settings: { ...settings, task: { capUsd: 9 } } }, draft: { text: "", revision: 0 } },
    writers: new Map(),
  });
  assert.equal((await release()).capUsd, 5);
});

test("a limit that was reached before stays the user's decision: Allow and Continue go on", async () => {
  const { release } = await waitingCall({ minutes: 4 });
  assert.equal((await release()).refusal?.(), undefined);
});

test("a limit that was lowered while a question about the budget was open stops the task before its next request", async (t) => {
  const service = await serveChat(t);
  let view: TestView | undefined;
  const limits: ChatSettings = { mode: "agent", tools: ["get_weather"], budgetUsd: 1e-9 };
  const { controller, questions } = openChat(t, service, {
    tools: [command],
    onConfirm: async () => {
      await view?.say("setSettings", { settings: { ...limits, task: { rounds: 1 } } });
    },
  });
  view = await openViewWith(controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent", tools: ["get_weather"] } });
  await view.say("send", { text: "Please use get_weather for Bern", revision: 1 });
  await view.until((state) => ended(state) && state.messages.length === 2 && !state.busy);
  await view.say("setSettings", { settings: limits });
  const [call] = view.answer.calls ?? [];
  await view.say("decideCall", { answerId: view.answer.id, callId: call?.id ?? "", decision: "once" });
  await view.until(({ notice }) => notice !== null);
  assert.match(view.state.notice?.text ?? "", /^The task has had 1 round\. Raise the limit/);
  assert.deepEqual([questions.length, view.state.messages.length], [1, 2]);
});

test("a task that has stopped says why after a reload, too, and tells a user who works elsewhere", async (t) => {
  const service = await serveChat(t);
  const stopped: string[] = [];
  const options = { tools: [command], onWaiting: (reason: string) => void stopped.push(reason) };
  const chat = openChat(t, service, options);
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent", task: { rounds: 1 } } });
  await view.say("send", { text: "Please use get_weather for Bern", revision: 1 });
  await view.until((state) => ended(state) && state.messages.length === 2 && !state.busy);
  const { id, calls } = view.answer;
  await view.say("decideCall", { answerId: id, callId: calls?.[0]?.id ?? "", decision: "once" });
  await view.until(({ notice }) => notice !== null);
  assert.equal(stopped.at(-1), view.state.notice?.text);
  chat.controller.dispose();
  const again = chat.reopen();
  const next = await openViewWith(again.controller, "guide");
  assert.deepEqual(next.answer.notes, ["The task has had 1 round. It stopped here."]);
  service.sandbox.setFaults([
    { kind: "status", status: 402, message: "Empty", match: { path: "/chat/completions" } },
  ]);
  await next.say("goOn", { answerId: id });
  await next.until(({ messages }) => messages.length === 3 && ended(next.state));
  assert.match(stopped.at(-1) ?? "", /asks for payment/);
});

test("the rounds to which the user agreed are stored: Continue counts after a reload, too", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service, { tools: [command] });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent", tools: ["get_weather"], task: { rounds: 1 } } });
  await view.say("send", { text: "Please use get_weather for Bern", revision: 1 });
  await view.until((state) => ended(state) && state.messages.length === 2 && !state.busy);
  const { id, calls } = view.answer;
  await view.say("decideCall", { answerId: id, callId: calls?.[0]?.id ?? "", decision: "once" });
  await view.until(({ notice }) => notice !== null);
  await view.say("goOn", { answerId: id });
  await view.until((state) => ended(state) && state.messages.length === 3 && !state.busy);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  const answer = again.state.messages[1];
  assert.ok(answer?.role === "assistant" && answer.isContinued);
});
