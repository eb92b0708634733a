import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLiveChat, type LiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import type { Approvals } from "../../../../../../src/chat/host/tools/permits.ts";
import {
  createToolRounds,
  type ToolRounds,
} from "../../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { isCallOver, type ToolCallCard } from "../../../../../../src/chat/protocol/chatMessages.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { answerWith, silent } from "../../../answerMessage.ts";
import { noResults } from "../../../noResults.ts";
import { tool, weather } from "../../../weatherTool.ts";

const noneApproved: Approvals = {
  mayRunUnasked: () => true,
  isAllowed: () => false,
  consents: openConsents(),
  runFileChanges: () => 0,
};
const allApproved: Approvals = { ...noneApproved, isAllowed: () => true };

const roundsOf = (
  chat: LiveChat,
  tools: readonly ChatTool[],
  approvals: Approvals,
  connectionId = () => "c",
) => createToolRounds({ chat, results: noResults, tools: () => tools, approvals, connectionId, next() {} });

let asks = 0;
const asked = (more: object = {}) => ({
  id: `c${++asks}`,
  name: "get_weather",
  arguments: JSON.stringify({ city: "Bern", ...more }),
});

/** A chat with one answer without calls. */
function chatWithAnswer(): LiveChat {
  const chat = createLiveChat(silent);
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a"), "q");
  return chat;
}

const callsOf = (chat: LiveChat, id = "a") => {
  const answer = chat.tree.get(id);
  return (answer?.role === "assistant" && answer.calls) || [];
};

/** Resolves once the calls of an answer match. */
const untilCalls = (t: TestContext, chat: LiveChat, isSo: (calls: readonly ToolCallCard[]) => boolean) =>
  new Promise<void>((resolve) => {
    const change = chat.change.bind(chat);
    const look = () => isSo(callsOf(chat)) && resolve();
    t.mock.method(chat, "change", (...changed: Parameters<typeof change>) => {
      change(...changed);
      look();
    });
    look();
  });

test("a model that never stops calling tools needs an approval after 25 rounds", async (t) => {
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
    results: noResults,
    tools: () => [weather()],
    approvals: allApproved,
    connectionId: () => "c",
    next: (answerId) => rounds.begin(addAnswer(answerId), [asked()], ["get_weather"]),
  });
  const set = chat.set.bind(chat);
  t.mock.method(chat, "set", (patch: Parameters<typeof set>[0]) => {
    set(patch);
    if (patch.notice) whenStill.resolve();
  });
  rounds.begin(addAnswer("q"), [asked()], ["get_weather"]);
  await whenStill.promise;
  assert.equal(count, 25);
  assert.match(chat.state.notice?.text ?? "", /25 times in a row/);
});

test("an approval covers what was displayed: a card that differs from the call is corrected", async () => {
  const ran: string[] = [];
  const deploy = tool("deploy", async ({ city }) => String(ran.push(String(city))));
  const chat = createLiveChat(silent);
  chat.set({ settings: { tools: ["deploy"] } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  // As in an imported file: the card names a harmless tool, and no price.
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
    results: noResults,
    tools: () => [deploy],
    approvals: noneApproved,
    connectionId: () => "c",
    next() {},
  });
  for (const decision of ["once", "always"] as const) {
    chat.change({ op: "patch", id: "a", patch: { calls: [forged] } });
    rounds.decide("a", "c", decision);
    const shown = chat.tree.get("a");
    const [card] = (shown?.role === "assistant" && shown.calls) || [];
    assert.deepEqual(card, { ...forged, title: "deploy", says: "deploy of Bern", kind: "read" });
  }
  assert.deepEqual(ran, []);
  rounds.decide("a", "c", "once");
  assert.deepEqual(ran, ["Bern"]);
});

test("two calls with one id are separate, and hidden characters are shown", () => {
  const chat = createLiveChat(silent);
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a"), "q");
  const rounds = roundsOf(chat, [weather()], noneApproved);
  const call = {
    id: "c",
    name: "get_weather",
    arguments: JSON.stringify({ city: "Bern\u202e\nlist_files" }),
  };
  rounds.begin("a", [call, { ...call, arguments: '{"city":"Rome"}' }], ["get_weather"]);
  const shown = chat.tree.get("a");
  const [first, second] = (shown?.role === "assistant" && shown.calls) || [];
  assert.equal(first?.id, "c");
  assert.notEqual(second?.id, "c");
  assert.equal(first?.says, "get_weather of Bern⟨U+202E⟩⟨U+000A⟩list_files");
});

test("a tool that the request did not offer never runs", async (t) => {
  const ran: string[] = [];
  const spy = (name: string) => tool(name, async () => String(ran.push(name)));
  const chat = chatWithAnswer();
  const rounds = roundsOf(chat, [spy("offered"), spy("other")], allApproved);
  const call = (name: string) => ({ id: name, name, arguments: '{"city":"Bern"}' });
  const over = untilCalls(t, chat, (calls) => calls.length === 4 && calls.every(isCallOver));
  rounds.begin("a", ["offered", "other", "unheard\u202eof", "constructor"].map(call), ["offered"]);
  await over;
  assert.deepEqual(ran, ["offered"]);
  assert.deepEqual(
    callsOf(chat).map(({ state }) => state),
    ["done", "failed", "failed", "failed"],
  );
  assert.match(callsOf(chat)[1]?.result ?? "", /The tool other is not selected/);
  assert.match(callsOf(chat)[2]?.says ?? "", /no tool unheard⟨U\+202E⟩of/);
  rounds.decide("a", "other", "always");
  assert.deepEqual(ran, ["offered"]);
});

test("a permanent approval asks again for another connection, another price, or if each price is asked about", async (t) => {
  const consents = openConsents();
  let mayRunUnasked = true;
  const approvals: Approvals = {
    mayRunUnasked: () => mayRunUnasked,
    isAllowed: () => false,
    consents,
    runFileChanges: () => 0,
  };
  let connection = "one";
  let paid: ChatTool = { ...weather(), price: "$0.01" };
  const stateAfter = async () => {
    const chat = chatWithAnswer();
    const rounds = createToolRounds({
      chat,
      results: noResults,
      tools: () => [paid],
      approvals,
      connectionId: () => connection,
      next() {},
    });
    const ended = untilCalls(t, chat, ([call]) => call?.state === "done");
    rounds.begin("a", [asked()], ["get_weather"]);
    await Promise.race([ended, new Promise((resolve) => setImmediate(resolve))]);
    return { chat, rounds, state: callsOf(chat)[0]?.state };
  };
  const { chat, rounds, state } = await stateAfter();
  assert.equal(state, "asks");
  rounds.decide("a", callsOf(chat)[0]?.id ?? "", "always");
  await untilCalls(t, chat, () => consents.all().length > 0 && callsOf(chat)[0]?.state === "done");
  assert.equal((await stateAfter()).state, "done");
  connection = "two";
  assert.equal((await stateAfter()).state, "asks");
  connection = "one";
  paid = { ...paid, price: "$0.02" };
  assert.equal((await stateAfter()).state, "asks");
  paid = { ...paid, price: "$0.01", fingerprint: async () => "changed" };
  assert.equal((await stateAfter()).state, "asks");
  paid = { ...paid, fingerprint: async () => "get_weather", scopes: () => ["https://a.example"] };
  assert.equal((await stateAfter()).state, "asks");
  paid = { ...weather(), price: "$0.01", fingerprint: () => Promise.reject(new Error("gone")) };
  assert.equal((await stateAfter()).state, "asks");
  paid = { ...weather(), price: "$0.01" };
  assert.equal((await stateAfter()).state, "done");
  mayRunUnasked = false;
  assert.equal((await stateAfter()).state, "asks");
});

test("paid calls run one by one, free ones concurrently", async (t) => {
  for (const price of ["$0.01", undefined]) {
    let [open, most] = [0, 0];
    const gates: (() => void)[] = [];
    const slow: ChatTool = {
      ...tool("get_weather", async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise<void>((resolve) => gates.push(resolve));
        open -= 1;
        return "Sunny.";
      }),
      ...(price ? { price } : {}),
    };
    const chat = chatWithAnswer();
    const isOver = untilCalls(
      t,
      chat,
      (calls) => calls.length === 4 && calls.every(({ state }) => state === "done"),
    );
    roundsOf(chat, [slow], allApproved).begin("a", [asked(), asked(), asked(), asked()], ["get_weather"]);
    let over = false;
    void isOver.then(() => {
      over = true;
    });
    while (!over) {
      await new Promise((resolve) => setImmediate(resolve));
      gates.shift()?.();
    }
    assert.equal(most, price ? 1 : 4);
  }
});

test("what follows an edit begins once it has written, while its problems are looked at; the round waits for both", async (t) => {
  const looked = Promise.withResolvers<string>();
  const edit: ChatTool = {
    ...tool("edit"),
    kind: "edit",
    async run(_, __, context) {
      context.written();
      return looked.promise;
    },
  };
  const command: ChatTool = { ...tool("command", async () => "Exit code 0."), kind: "command" };
  const chat = createLiveChat(silent);
  chat.set({ settings: { mode: "agent" } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add({ ...answerWith("a"), startedAtMs: Date.now() }, "q");
  const next = Promise.withResolvers<void>();
  let isNext = false;
  const calls = createToolRounds({
    chat,
    results: noResults,
    tools: () => [edit, command],
    approvals: allApproved,
    connectionId: () => "c",
    next() {
      isNext = true;
      next.resolve();
    },
  });
  const both = ["edit", "command"];
  calls.begin(
    "a",
    both.map((name) => ({ id: name, name, arguments: '{"city":"Bern"}' })),
    both,
  );
  await untilCalls(t, chat, ([, second]) => second?.state === "done");
  assert.equal(callsOf(chat)[0]?.state, "runs");
  assert.equal(isNext, false);
  looked.resolve("Changed. No new problems.");
  await next.promise;
  assert.deepEqual(
    callsOf(chat).map(({ result }) => result),
    ["Changed. No new problems.", "Exit code 0."],
  );
});

test("an answer with many calls asks about each, whatever is allowed", async (t) => {
  let runs = 0;
  const counted = tool("get_weather", async () => String(++runs));
  const chat = chatWithAnswer();
  const rounds = roundsOf(chat, [counted], allApproved);
  rounds.begin("a", Array.from({ length: 9 }, asked), ["get_weather"]);
  const [first] = callsOf(chat);
  const isOver = untilCalls(t, chat, ([call]) => call?.state === "done");
  rounds.decide("a", first?.id ?? "", "always");
  await isOver;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 1);
  assert.deepEqual(
    callsOf(chat).map(({ state }) => state),
    ["done", ...Array<string>(8).fill("asks")],
  );
});

test("calls with one id in two answers end separately", async (t) => {
  const chat = chatWithAnswer();
  chat.addAlternative(answerWith("b"), "a");
  const rounds = roundsOf(chat, [weather()], allApproved);
  const isOver = untilCalls(t, chat, () => ["a", "b"].every((id) => callsOf(chat, id)[0]?.state === "done"));
  for (const id of ["a", "b"])
    rounds.begin(id, [{ id: "call_0", name: "get_weather", arguments: '{"city":"Bern"}' }], ["get_weather"]);
  await isOver;
});

test("a card says what its tool looks up, also for a decision right after a reload; a tool that says something else asks again", async (t) => {
  let line = "make";
  const known = new Map<string, string>();
  const approvals = { ...noneApproved, consents: openConsents() };
  const looking = (): ChatTool => ({
    ...tool("get_weather", async () => "Built."),
    prepare: async () => void known.set("Bern", line),
    summary: () => `Run ${known.get("Bern") ?? "it"}`,
  });
  const chat = chatWithAnswer();
  chat.set({ settings: { ...chat.state.settings, tools: ["get_weather"] } });
  roundsOf(chat, [looking()], approvals).begin("a", [asked()], ["get_weather"]);
  await untilCalls(t, chat, ([call]) => call?.says === "Run make");
  assert.equal(callsOf(chat)[0]?.state, "asks");
  known.clear();
  const again = roundsOf(chat, [looking()], approvals);
  const id = callsOf(chat)[0]?.id ?? "";
  line = "make install";
  again.decide("a", id, "once");
  await untilCalls(t, chat, ([call]) => call?.says === "Run make install");
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(callsOf(chat)[0]?.state, "asks", "the user has not seen this");
  again.decide("a", id, "once");
  await untilCalls(t, chat, ([call]) => call?.state === "done");
  assert.equal(callsOf(chat)[0]?.result, "Built.");
});

test("an approval while its tool looks up what the card says counts for nothing: the user has not seen it", async (t) => {
  let found = () => {};
  let line = "something";
  const looking: ChatTool = {
    ...tool("get_weather", async () => "Built."),
    prepare: () =>
      new Promise<void>((resolve) => {
        found = () => {
          line = "make install";
          resolve();
        };
      }),
    summary: () => `Run ${line}`,
  };
  const chat = chatWithAnswer();
  chat.set({ settings: { ...chat.state.settings, tools: ["get_weather"] } });
  const rounds = roundsOf(chat, [looking], noneApproved);
  rounds.begin("a", [asked()], ["get_weather"]);
  await untilCalls(t, chat, ([call]) => call?.says === "Run something");
  const id = callsOf(chat)[0]?.id ?? "";
  rounds.decide("a", id, "once");
  found();
  await untilCalls(t, chat, ([call]) => call?.says === "Run make install");
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(callsOf(chat)[0]?.state, "asks");
  rounds.decide("a", id, "once");
  await untilCalls(t, chat, ([call]) => call?.state === "done");
});

test("the user's choice of the network changes what runs and what is approved, and the call waits on", async (t) => {
  const inputs: unknown[] = [];
  const online: ChatTool = {
    ...tool("get_weather", async (input) => `${inputs.push(input)}`),
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, network: { type: "boolean" } },
      required: ["city"],
    },
    network: (input) => input.network === true,
    scopes: (input) => [`weather${input.network === true ? " (with network)" : ""}`],
    question: (input) => (input.network === true ? "It asks because it may use the network." : undefined),
  };
  const approvals = { ...noneApproved, mayRunUnasked: () => true, consents: openConsents() };
  const chat = chatWithAnswer();
  chat.set({ settings: { ...chat.state.settings, tools: ["get_weather"] } });
  const rounds = roundsOf(chat, [online], approvals);
  const call = () => callsOf(chat)[0] ?? assert.fail();
  rounds.begin("a", [asked()], ["get_weather"]);
  await untilCalls(t, chat, ([first]) => first?.network === false);
  rounds.decide("a", call().id, "conversation");
  await untilCalls(t, chat, ([first]) => first?.state === "done");
  // The same with network asks, and a choice that makes it what is allowed does not run it.
  rounds.begin("a", [asked({ network: true })], ["get_weather"]);
  await untilCalls(t, chat, ([first]) => first?.network === true);
  rounds.chooseNetwork("a", call().id, false);
  assert.deepEqual([call().network, call().question, call().scope], [false, undefined, "weather"]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(call().state, "asks");
  rounds.chooseNetwork("a", call().id, true);
  rounds.chooseNetwork("a", call().id, false);
  rounds.decide("a", call().id, "once");
  await untilCalls(t, chat, ([first]) => first?.state === "done");
  assert.match(call().result ?? "", /The user let it run without network only\./);
  assert.deepEqual(inputs, [{ city: "Bern" }, { city: "Bern", network: false }]);
});

test("how often the calls of a reply are read does not grow with their number squared: reading one takes milliseconds", async (t) => {
  const readsOf = async (count: number) => {
    let reads = 0;
    const called: ChatTool = {
      ...tool("deploy", async () => "done"),
      kind: "command",
      accept(given) {
        reads += 1;
        return { input: given, notes: [] };
      },
    };
    const chat = chatWithAnswer();
    chat.set({ settings: { mode: "agent" } });
    const rounds = roundsOf(chat, [called], noneApproved);
    const ids = Array.from({ length: count }, (_, index) => `c${index}`);
    rounds.begin(
      "a",
      ids.map((id) => ({ id, name: "deploy", arguments: '{"city":"Bern"}' })),
      ["deploy"],
    );
    const over = untilCalls(t, chat, (calls) => calls.every(isCallOver));
    for (const id of ids) rounds.decide("a", id, "once");
    await over;
    return reads / count;
  };
  const [few, many] = [await readsOf(4), await readsOf(16)];
  assert.ok(many <= 5 * few, `${few} reads of each of 4 calls, ${many} of each of 16`);
});
