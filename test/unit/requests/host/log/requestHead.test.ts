// What the list knows of a call: its price as the ledger computes it, tokens, the agent apart from the chat.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Charged } from "../../../../../src/api/money/charge.ts";
import { headOf, parseHead } from "../../../../../src/requests/host/log/requestHead.ts";
import { noNames } from "../../../../../src/shared/chat/modelNames.ts";
import { attemptOf, calledOf } from "../calledOf.ts";

const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] as const };
const live = { id: "live", name: "Live", kind: "live" } as const;
const charge: Charged = {
  type: "charged",
  endpoint: "chat.complete",
  model: "echo",
  fact: {
    by: "tokens",
    usage: {
      prompt_tokens: 12,
      completion_tokens: 3,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 8 },
    },
    cost: { diem: 0.25 },
  },
};

test("has the price in its own currency, the tokens, and the times", async () => {
  const called = calledOf({ charge, attempts: [attemptOf({ firstTokenMs: 1_200 })] });
  const head = await headOf(live, called, prices);
  assert.deepEqual(head.cost, { DIEM: "0.25" });
  assert.deepEqual([head.promptTokens, head.completionTokens, head.cachedTokens], [12, 3, 8]);
  assert.deepEqual([head.ms, head.firstMs], [510, 210]);
  assert.deepEqual(parseHead(JSON.stringify(head)), head);
});

test("a price that is not known is unknown, one that is not charged is none, and the sandbox has play money", async () => {
  const fact = { by: "tokens" } as const;
  const unknown = await headOf(live, calledOf({ charge: { ...charge, fact } }), prices);
  assert.deepEqual([unknown.cost, unknown.isCostUnknown], [undefined, true]);
  const free = await headOf(live, calledOf(), prices);
  assert.deepEqual([free.cost, free.isCostUnknown], [undefined, undefined]);
  const sandbox = await headOf({ ...live, kind: "sandbox" }, calledOf({ charge }), prices);
  assert.equal(sandbox.isPlayMoney, true);
});

test("names an agent, and the call that a replay repeats", async () => {
  const task = { id: "t", round: 1, capUsd: 1 };
  const agent = await headOf(live, calledOf({ source: { kind: "chat", task } }), prices);
  assert.equal(agent.source, "agent");
  const again = await headOf(live, calledOf({ source: { kind: "replay" }, caller: "replay:call-0" }), prices);
  assert.deepEqual([again.source, again.replayOf], ["replay", "call-0"]);
});

test("a line that is no head is left out", () => {
  for (const line of ["", "{", "null", "[]", '{"id":1}', '{"__proto__":{}}'])
    assert.equal(parseHead(line), undefined);
});
