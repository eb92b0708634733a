import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatCost } from "../../../../../src/chat/page/format.ts";
import type { AnswerUsage } from "../../../../../src/chat/protocol/chatMessages.ts";
import { Counted } from "../../../../../src/shared/money/budgetRule.ts";
import { connection } from "../../../session/budgetWindow.ts";
import { openAgentChat, read } from "./agentChatKit.ts";
import { asks, begins, changes, content, option } from "./agentScript.ts";

test("text, reasoning, steps and the plan of an agent are those of a task; text after steps is another answer", async (t) => {
  const { ask, view } = await openAgentChat(t, {
    steps: [
      { update: { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } } },
      { say: "I look " },
      { say: "around." },
      begins("t1", { title: "Read a.txt", kind: "read", rawInput: { path: "a.txt" } }),
      changes("t1", { status: "completed", content: content("one") }),
      begins("t2", { title: "Run the tests", kind: "execute" }),
      changes("t2", { status: "failed", content: content("exit 1") }),
      { update: { sessionUpdate: "plan", entries: [{ content: "Mend it", status: "completed" }] } },
      { say: "It is mended." },
    ],
  });
  const [first, second, ...others] = await ask("Mend it");
  assert.deepEqual(others, []);
  assert.deepEqual(
    [first?.agent, first?.state, first?.reasoning, first?.text],
    ["OpenCode", "done", "Hm.", "I look around."],
  );
  assert.deepEqual(
    first?.calls?.map(({ name, says, arguments: input, state, result }) => [
      name,
      says,
      input,
      state,
      result,
    ]),
    [
      ["read", "Read a.txt", '{"path":"a.txt"}', "done", "one"],
      ["execute", "Run the tests", "{}", "failed", "exit 1"],
    ],
  );
  assert.deepEqual([second?.agent, second?.text, second?.state], ["OpenCode", "It is mended.", "done"]);
  assert.equal(view.state.plan, "- [x] Mend it");
  assert.equal(view.state.task?.round, 2);
});

test("a conversation has one agent, which knows what it was asked; after another wording a new one is told what came before", async (t) => {
  const { ask, view, started, folder } = await openAgentChat(t, {
    steps: [{ process: true }, { say: "$prompt" }],
  });
  const texts = async (question: string) => (await ask(question)).at(-1)?.text ?? "";
  const processOf = (text: string) => text.slice(0, text.indexOf("["));
  const first = await texts("One?");
  assert.match(first, /^\d+\[\{"type":"text","text":"One\?"\}\]$/);
  const second = await texts("Two?");
  assert.equal(second, `${processOf(first)}[{"type":"text","text":"Two?"}]`);

  const question = view.state.messages.find((message) => message.text === "Two?");
  await view.say("edit", { questionId: question?.id ?? "", text: "Three?" });
  const third =
    (
      await view.until(({ busy, messages }) => !busy && messages.at(-1)?.text.includes("Three?") === true)
    ).messages.at(-1)?.text ?? "";
  assert.notEqual(processOf(third), processOf(first));
  assert.match(third, /User: One\?.*Assistant: .*Three\?/);
  assert.doesNotMatch(third, /Two\?/);
  assert.deepEqual(readdirSync(join(folder, "agents")).length, 1);

  await view.say("pickModel", { modelId: "echo" });
  const fourth = await texts("Four?");
  assert.notEqual(processOf(fourth), processOf(third));
  assert.equal(started.length, 1);
});

test("an agent ends with its conversation, and nothing of it is left", async (t) => {
  const { ask, chat, view, folder } = await openAgentChat(t, { steps: [{ process: true }] });
  const [answer] = await ask("One?");
  const id = Number(answer?.text);
  assert.ok(isAlive(id));
  await chat.controller.newChat();
  await untilGone(id);
  await view.until(({ messages }) => messages.length === 0);
  const [again] = await ask("Two?");
  chat.controller.dispose();
  await untilGone(Number(again?.text));
  while (readdirSync(join(folder, "agents")).length > 0)
    await new Promise((resolve) => setImmediate(resolve));
});

test("Stop ends the turn and not the agent, and no later event of it is shown", async (t) => {
  const { begin, ask, view, untilEnded } = await openAgentChat(t, {
    turns: [
      [{ process: true }, begins("t1", { title: "Wait", kind: "execute" }), { hang: true }],
      [{ process: true }],
    ],
  });
  await begin("Go");
  await view.until(
    ({ messages }) => messages.at(-1)?.role === "assistant" && view.answer.calls !== undefined,
  );
  await view.say("stop", {});
  const [stopped] = await untilEnded();
  assert.deepEqual([stopped?.state, stopped?.calls?.[0]?.state], ["stopped", "stopped"]);
  const answers = await ask("Again");
  assert.equal(answers.at(-1)?.text, stopped?.text);
});

test("an agent that ends in the middle leaves what it has said, with the reason; Continue starts it anew", async (t) => {
  const { ask, view, untilEnded } = await openAgentChat(t, {
    steps: [{ say: "Half" }, { onceFile: "crashed" }, { error: "out of memory\n" }, { exit: 3 }],
  });
  const [cut] = await ask("Go");
  assert.deepEqual([cut?.text, cut?.state], ["Half", "cut-off"]);
  assert.match(cut?.problem?.sentence ?? "", /^OpenCode stopped: it ended with code 3: out of memory\./);
  await view.say("goOn", { answerId: cut?.id ?? "" });
  const [whole] = await untilEnded();
  assert.deepEqual([whole?.text, whole?.state], ["HalfHalf", "done"]);
});

test("what keeps an agent from starting is one sentence with the next step, and the question goes back into the prompt", async (t) => {
  for (const [fake, options, sentence] of [
    [{}, { isMissing: true }, /^OpenCode was not found: .*PATH.* Install it /],
    [{}, { mayStart: false }, /^OpenCode was not allowed to start in this folder/],
    [{ start: { exit: 2 } }, {}, /^OpenCode could not be started: it ended with code 2: no licence\./],
    [{ start: { version: 9 } }, {}, /^OpenCode could not be started: .*version 9.* Update this extension/],
    [{ start: { version: 0 } }, {}, /^OpenCode could not be started: .*version 0.* Update OpenCode/],
    [
      { start: { error: "Please log in" } },
      {},
      /^OpenCode asks you to sign in: Please log in\. Start it in a terminal/,
    ],
  ] as const) {
    const { ask, view, folder } = await openAgentChat(t, fake, options);
    assert.deepEqual(await ask("Rename it"), []);
    const { problem, draft } = view.state;
    assert.match(problem?.explanation.sentence ?? "", sentence);
    assert.equal(draft.text, "Rename it");
    const left = join(folder, "agents");
    assert.deepEqual(existsSync(left) ? readdirSync(left) : [], []);
  }
});

test("its calls are those of its task: they are in the ledger, and one that exceeds the cap is refused with the way on", async (t) => {
  const within = await openAgentChat(t, { steps: [{ call: "Hello" }] });
  const [answer] = await within.ask("Go");
  assert.ok((answer?.text ?? "").length > 0);
  const [entry] = await within.money.spend.entries(connection);
  const [question] = within.view.state.messages;
  assert.equal(entry?.source?.task, question?.id);

  const beyond = await openAgentChat(
    t,
    { steps: [{ say: "I ask. " }, { call: "Hello" }] },
    { settings: { mode: "agent", agent: "OpenCode", task: { capUsd: 0.000_000_1 } } },
  );
  const [refused] = await beyond.ask("Go");
  assert.equal(refused?.state, "cut-off");
  assert.match(
    refused?.problem?.sentence ?? "",
    /^The task has stopped: nothing was sent, because .*cap.* Raise the cap/,
  );
  assert.match(refused?.text ?? "", /402 The task has stopped/);
  assert.deepEqual(await beyond.money.spend.entries(connection), []);
});

test("an answer has the tokens and the cost of all its calls, once, as the ledger has them; so has the conversation", async (t) => {
  const { ask, view, money } = await openAgentChat(t, {
    turns: [
      [
        { call: "Hello" },
        begins("t1", { title: "Look", status: "completed" }),
        { call: "And more" },
        { say: "." },
        { call: { question: "A title", tools: [] } },
      ],
      [{ call: "Hello" }],
    ],
  });
  await ask("Go");
  const answers = await ask("On");
  const sum = (numberOf: (usage: AnswerUsage) => number | undefined) =>
    answers.reduce((total, { usage }) => total + (usage ? (numberOf(usage) ?? Number.NaN) : Number.NaN), 0);
  const usd = Counted.of((await money.spend.totals(connection)).month).toNumber();
  assert.equal((await money.spend.entries(connection)).length, 4);
  assert.ok(usd > 0);
  const isBilled = (shown: number) => assert.ok(Math.abs(shown - usd) < usd / 1e6, `${shown} is not ${usd}`);
  isBilled(sum(({ costUsd }) => costUsd));
  const { spent } = view.state;
  isBilled(spent.usd);
  assert.equal(
    spent.promptTokens,
    sum(({ promptTokens }) => promptTokens),
  );
  assert.equal(spent.isPartial, undefined);
  assert.match(formatCost(answers.at(-1) ?? {}), /^(?:≈ )?\$0\.\d+/);
});

test("a call beside the task that is refused, such as one for a title, does not cut the answer off", async (t) => {
  const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
  const ofTask = { call: { question: "Hello", tools } };
  const refused = { model: "no-such-model", question: "Hello" };
  for (const [steps, state] of [
    [[ofTask, { call: refused }], "done"],
    [[{ call: refused }, ofTask], "done"],
    [[ofTask, { call: { ...refused, tools } }, { call: "A title" }], "cut-off"],
    [[{ call: refused }], "cut-off"],
  ] as const) {
    const { ask } = await openAgentChat(t, { steps });
    const answers = await ask("Go");
    assert.deepEqual(answers.at(-1)?.state, state, JSON.stringify([steps, answers.at(-1)]));
  }
});

test("an agent that sends 100,000 pieces of text is heard to the end, in few writes", async (t) => {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
  const { ask, chat } = await openAgentChat(t, { steps: [{ many: [100_000, update] }] });
  const [answer] = await ask("Go");
  assert.deepEqual([answer?.text.length, answer?.state], [100_000, "done"]);
  chat.controller.dispose();
  const [log = ""] = Object.values(chat.files());
  assert.ok(log.length < 2_000_000, `${log.length} characters`);
});

test("a limit of rounds refuses the next call, also after the user has chosen another mode", async (t) => {
  const { begin, view, untilEnded, untilAsked } = await openAgentChat(
    t,
    {
      steps: [
        ...[1, 2, 3].flatMap((round) => [
          begins(`t${round}`, { title: "Look", status: "completed" }),
          { say: `Round ${round}. ` },
        ]),
        asks("t9", "Go on", option("allow_once")),
        { call: "Hello" },
      ],
    },
    { settings: { mode: "agent", agent: "OpenCode", task: { rounds: 2 } } },
  );
  await begin("Go");
  const { answerId, card } = await untilAsked();
  await view.say("setSettings", { settings: { mode: "ask", task: { rounds: 2 } } });
  await view.say("decideCall", { answerId, callId: card.id, decision: "once" });
  const answers = await untilEnded();
  assert.match(answers.at(-1)?.problem?.sentence ?? "", /the task has had \d+ rounds/);
});

test("an agent gets its token, and no key of this extension", async (t) => {
  const env = { INFERENCE_API_KEY: "secret-key", INFERENCE_GATEWAY_TOKEN: "token of a terminal" };
  const { ask } = await openAgentChat(
    t,
    { steps: [{ variable: "INFERENCE_API_KEY" }, { say: " " }, { variable: "INFERENCE_GATEWAY_TOKEN" }] },
    { env },
  );
  const [answer] = await ask("Go");
  assert.match(answer?.text ?? "", /^undefined gw-/);
});

test("a step of an agent has the name of a tool here, and no decision about it runs that tool", async (t) => {
  const { begin, view, chat, untilAsked } = await openAgentChat(t, {
    steps: [asks("t1", "Write b.txt", option("allow_once")), { hang: true }],
  });
  await begin("Go");
  const { answerId, card } = await untilAsked();
  chat.controller.dispose();
  const isStored = (log: string) => log.includes(card.id) && log.includes('"state":"refused"');
  // The end of the agent ends its question, which is stored then.
  while (!isStored(Object.values(chat.files()).join("")))
    await new Promise((resolve) => setImmediate(resolve));
  const again = chat.reopen();
  await again.controller.toldText();
  const message = again.controller.answer(answerId);
  assert.equal(message?.calls?.[0]?.state, "refused");
  await view.say("decideCall", { answerId, callId: card.id, decision: "once" });
  assert.equal(read("b.txt"), "b\n");
});

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

async function untilGone(id: number): Promise<void> {
  while (isAlive(id)) await new Promise((resolve) => setImmediate(resolve));
}
