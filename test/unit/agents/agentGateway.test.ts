import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type AgentPayer, type AnswerEnded, openAgentGateway } from "../../../src/agents/agentGateway.ts";
import type { ChatChunk } from "../../../src/api/endpoints/chat/chatReply.ts";
import type { SpendSource } from "../../../src/api/money/charge.ts";
import type { EventStream } from "../../../src/api/stream/eventStream.ts";
import type { Session } from "../../../src/session/session.ts";
import { startTestSandbox } from "../../serviceKit/testSandbox.ts";
import { sendRaw, sessionOver } from "../gateway/gatewayKit.ts";
import { connection, openWindow } from "../session/budgetWindow.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const noBudgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
const body = JSON.stringify({ model: "default", messages: [{ role: "user", content: "Hello" }] });

/** An agent that answers a question of a task with this cap; undefined for none. */
async function openFor(t: TestContext, source: () => SpendSource | undefined) {
  const sandbox = await startTestSandbox({ tokensPerSecond: 1e6, limits: "none" });
  t.after(() => sandbox.close());
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: noBudgets });
  let calls = 0;
  const gateway = await openAgentGateway({
    session: sessionOver(window),
    name: "OpenCode",
    payerOf: () => payerFor(source()),
    onCall: () => {
      calls += 1;
    },
  });
  t.after(() => gateway.close());
  const port = Number(new URL(gateway.origin).port);
  return {
    window,
    calls: () => calls,
    ask: (token = gateway.token) => sendRaw({ port, token }, { body }),
  };
}

function payerFor(source: SpendSource | undefined): AgentPayer | undefined {
  return source && { source, onBegun() {}, onEnded() {} };
}

function taskOf(capUsd: number): SpendSource {
  return { kind: "chat", turn: "q1", task: { id: "q1", round: 1, capUsd, refusal: () => undefined } };
}

test("a call of the agent is recorded as one of the question that it answers, and counts for its task", async (t) => {
  const { window, ask, calls } = await openFor(t, () => taskOf(100));
  assert.equal((await ask()).status, 200);
  const [entry] = await window.spend.entries(connection);
  assert.equal(entry?.source?.kind, "chat");
  assert.equal(entry?.source?.task, "q1");
  assert.equal(calls(), 2);
});

test("a call that could exceed the cap of the task is refused, with the reason", async (t) => {
  const { window, ask } = await openFor(t, () => taskOf(0.000_000_1));
  const { status, text } = await ask();
  assert.notEqual(status, 200);
  assert.match(text, /cap/);
  assert.deepEqual(await window.spend.entries(connection), []);
});

test("the question is told what each answer has cost, and that it is not known if the service does not tell it", async (t) => {
  const sandbox = await startTestSandbox({ tokensPerSecond: 1e6, limits: "none" });
  t.after(() => sandbox.close());
  const window = openWindow({ ...sandbox, folder: temporaryFolder(), budgets: noBudgets });
  const { client } = sessionOver(window);
  const ended: AnswerEnded[] = [];
  for (const tells of [true, false]) {
    const session: Pick<Session, "client"> = {
      async client(source) {
        const opened = await client(source);
        const { chat } = opened.api;
        const stream: typeof chat.stream = async (...given) => {
          const answer = await chat.stream(...given);
          return tells ? answer : withoutPrice(answer);
        };
        return { ...opened, api: { ...opened.api, chat: { ...chat, stream } } };
      },
    };
    const payer = { source: taskOf(100), onBegun() {}, onEnded: (one: AnswerEnded) => void ended.push(one) };
    const gateway = await openAgentGateway({ session, name: "OpenCode", payerOf: () => payer, onCall() {} });
    t.after(() => gateway.close());
    const port = Number(new URL(gateway.origin).port);
    assert.equal((await sendRaw({ port, token: gateway.token }, { body })).status, 200);
  }
  const [told, untold] = ended;
  assert.ok((told?.usage?.prompt_tokens ?? 0) > 0);
  assert.deepEqual(untold, { model: "default", hasTools: false });
});

function withoutPrice(answer: EventStream<ChatChunk>): EventStream<ChatChunk> {
  const batches = async function* () {
    for await (const batch of answer.batches())
      yield batch.map(({ usage: _, cost: __, ...chunk }): ChatChunk => ({ ...chunk }));
  };
  return { ...answer, batches };
}

test("without a question, and with another token, nothing is sent", async (t) => {
  const { window, ask } = await openFor(t, () => undefined);
  assert.equal((await ask()).status, 403);
  assert.equal((await ask(`gw-${"a".repeat(43)}`)).status, 401);
  assert.deepEqual(await window.spend.entries(connection), []);
});
