import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolCallCard } from "../../../../../src/chat/protocol/chatMessages.ts";
import { openAgentChat } from "./agentChatKit.ts";
import { asks, begins, changes, content, option } from "./agentScript.ts";

const all = ["allow_once", "allow_always", "reject_once"].map((kind) => option(kind, `Name of ${kind}`));
const chosen = (id: string) => JSON.stringify({ outcome: { outcome: "selected", optionId: id } });
const cancelled = JSON.stringify({ outcome: { outcome: "cancelled" } });
const seen = ({ says, state }: ToolCallCard) => [says, state];

test("a step waits for the user, with the options as the agent names them, and gets the chosen one", async (t) => {
  for (const [decision, optionId, state] of [
    ["once", "id of allow_once", "done"],
    ["always", "id of allow_always", "done"],
    ["skip", "id of reject_once", "refused"],
  ] as const) {
    const { begin, view, untilAsked, untilEnded, waiting } = await openAgentChat(t, {
      steps: [asks("t1", "Run npm test", ...all)],
    });
    await begin("Test it");
    const { answerId, card } = await untilAsked();
    assert.deepEqual(seen(card), ["Run npm test", "asks"]);
    assert.deepEqual(card.options, [
      { decision: "once", name: "Name of allow_once" },
      { decision: "always", name: "Name of allow_always" },
      { decision: "skip", name: "Name of reject_once" },
    ]);
    assert.deepEqual(waiting, ["Run npm test"]);
    await view.say("decideCall", { answerId, callId: card.id, decision });
    const [first, second] = await untilEnded();
    assert.equal(second?.text, chosen(optionId));
    assert.deepEqual(first?.calls?.map(seen), [["Run npm test", state]]);
    assert.equal(first?.calls?.[0]?.options, undefined);
  }
});

test("a decision that the agent does not offer chooses nothing, and a lasting one is never made of another", async (t) => {
  const { begin, view, untilAsked, untilEnded } = await openAgentChat(t, {
    steps: [asks("t1", "Run it", option("allow_always"))],
  });
  await begin("Do it");
  const { answerId, card } = await untilAsked();
  const decide = (decision: "once" | "review" | "task" | "kind" | "conversation" | "alwaysRule" | "skip") =>
    view.say("decideCall", { answerId, callId: card.id, decision });
  for (const decision of ["once", "review", "task", "kind", "conversation", "alwaysRule"] as const)
    await decide(decision);
  assert.deepEqual((await untilAsked()).card, card);
  assert.deepEqual(card.options, [
    { decision: "always", name: "allow_always" },
    { decision: "skip", name: "Skip" },
  ]);
  await decide("skip");
  const answers = await untilEnded();
  assert.equal(answers.at(-1)?.text, cancelled);
});

test("of two options with the same id none can be chosen", async (t) => {
  const twice = [option("reject_once", "No", "x"), option("allow_once", "Yes", "x")];
  const { begin, view, untilAsked, untilEnded } = await openAgentChat(t, {
    steps: [asks("t1", "Run it", ...twice)],
  });
  await begin("Do it");
  const { answerId, card } = await untilAsked();
  assert.deepEqual(card.options, [{ decision: "skip", name: "Skip" }]);
  await view.say("decideCall", { answerId, callId: card.id, decision: "once" });
  await view.say("decideCall", { answerId, callId: card.id, decision: "skip" });
  const answers = await untilEnded();
  assert.equal(answers.at(-1)?.text, cancelled);
});

test("what an agent says is no approval: neither a title, nor a state, nor the name of an option", async (t) => {
  const { begin, view, untilAsked, untilEnded } = await openAgentChat(t, {
    steps: [
      begins("t1", { title: "approved", kind: "execute", status: "completed" }),
      asks(
        "t1",
        "approved by the user",
        option("reject_once", "Allow", "no"),
        option("allow_once", "Skip", "yes"),
      ),
    ],
  });
  await begin("Do it");
  const { answerId, card } = await untilAsked();
  assert.deepEqual(seen(card), ["approved by the user", "asks"]);
  await view.say("decideCall", { answerId, callId: card.id, decision: "skip" });
  const answers = await untilEnded();
  assert.equal(answers.at(-1)?.text, chosen("no"));
});

test("a card says what the user has decided about, whatever the agent tells of its step meanwhile and later", async (t) => {
  const { begin, view, untilAsked, untilEnded } = await openAgentChat(t, {
    steps: [
      begins("t1", { title: "List files", kind: "execute", rawInput: { command: "ls" } }),
      {
        both: [
          asks("t1", "List files", ...all),
          changes("t1", { title: "Remove files", rawInput: { command: "rm -rf ." }, status: "completed" }),
          { say: "Wait." },
        ],
      },
    ],
  });
  await begin("Do it");
  const { answerId, card } = await untilAsked();
  await view.until(({ messages }) => messages.some((message) => message.text.includes("Wait.")));
  const now = (await untilAsked()).card;
  assert.deepEqual([now.says, now.arguments], ["List files", '{"command":"ls"}']);
  await view.say("decideCall", { answerId, callId: card.id, decision: "once" });
  const [first] = await untilEnded();
  assert.deepEqual(first?.calls?.map(seen), [["List files", "done"]]);
});

test("a decision is for one question: the next one about the same step has a card of its own", async (t) => {
  const { begin, view, untilAsked, untilEnded } = await openAgentChat(t, {
    steps: [asks("t1", "List files", ...all), asks("t1", "Remove files", ...all)],
  });
  await begin("Do it");
  const { answerId, card } = await untilAsked();
  const decision = { answerId, callId: card.id, decision: "once" } as const;
  await view.say("decideCall", decision);
  const second = await untilAsked(({ says }) => says === "Remove files");
  assert.notEqual(second.card.id, card.id);
  await view.say("decideCall", decision);
  assert.equal((await untilAsked()).card.id, second.card.id);
  await view.say("decideCall", { answerId: second.answerId, callId: second.card.id, decision: "skip" });
  const answers = await untilEnded();
  assert.deepEqual(
    answers.flatMap(({ calls = [] }) => calls.map(seen)),
    [
      ["List files", "done"],
      ["Remove files", "refused"],
    ],
  );
});

test("a card that asks when the window is closed is closed with it, and decides nothing afterwards", async (t) => {
  const { begin, chat, untilAsked } = await openAgentChat(t, {
    steps: [asks("t1", "Run it", ...all)],
  });
  await begin("Do it");
  const { answerId, card } = await untilAsked();
  chat.controller.dispose();
  const answer = chat.controller.answer(answerId);
  assert.deepEqual(answer?.calls?.map(seen), [["Run it", "refused"]]);
  assert.equal(answer?.state, "cut-off");
  assert.ok(card);
});

test("thousands of messages about a step are few changes of the conversation, and its last state is shown", async (t) => {
  const { update } = changes("t1", { title: "Part", content: content("x".repeat(1_000)) });
  const { ask, chat } = await openAgentChat(t, {
    steps: [
      begins("t1", { title: "Part", kind: "search" }),
      { many: [3_000, update] },
      changes("t1", { status: "completed" }),
    ],
  });
  const [first] = await ask("Look");
  assert.deepEqual(first?.calls?.map(seen), [["Part 2999", "done"]]);
  chat.controller.dispose();
  const [log = ""] = Object.values(chat.files());
  assert.ok(log.length < 300_000, `${log.length} characters`);
});
