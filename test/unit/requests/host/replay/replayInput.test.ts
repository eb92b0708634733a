// Which recorded calls can be made again, and with which input.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Called } from "../../../../../src/api/call/record/callRecorder.ts";
import { replayInput } from "../../../../../src/requests/host/replay/replayInput.ts";
import { attemptOf, calledOf } from "../calledOf.ts";

function bodyOf(value: unknown, isChanged = false) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return attemptOf({ request: { type: "application/json", bytes: text.length, text, isChanged } });
}

test("the input has the names of the row, whatever the dialect wrote", () => {
  const body = { query: "x", search_provider: "brave" };
  const called = calledOf({ endpoint: "augment.search", dialect: "venice", attempts: [bodyOf(body)] });
  const restored = replayInput(called);
  assert.ok("input" in restored);
  assert.deepEqual(restored.input, { query: "x", search_provider: "provider_a" });
});

test("a chain call that reads is sent with the same bytes and without its idempotency key", () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
  const restored = replayInput(
    calledOf({ endpoint: "rpc.call", params: { network: "ethereum-mainnet" }, attempts: [bodyOf(text)] }),
  );
  assert.ok("input" in restored);
  assert.equal(restored.bodyText, text);
  assert.deepEqual(Object.keys(restored.input).sort(), ["body", "network"]);
});

const refused: Readonly<Record<string, Partial<Called>>> = {
  "a cut body": { attempts: [bodyOf("{", true)] },
  "a file": { endpoint: "images.edit", attempts: [bodyOf("{}", true)] },
  "no body": { attempts: [] },
  "a new key": { endpoint: "keys.create" },
  "a revoked key": { endpoint: "keys.revoke" },
  "a changed key": { endpoint: "keys.update" },
  "an unknown call": { endpoint: "constructor.name" },
  "a body that is no JSON": { attempts: [bodyOf("{")] },
  "a transaction": {
    endpoint: "rpc.call",
    params: { network: "ethereum-mainnet" },
    attempts: [bodyOf({ jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: ["0x"] })],
  },
  "an unknown method in a batch": {
    endpoint: "rpc.call",
    params: { network: "ethereum-mainnet" },
    attempts: [bodyOf([{ method: "eth_blockNumber" }, { method: "debug_setHead" }])],
  },
};

for (const [name, called] of Object.entries(refused))
  test(`a call of which not all is kept, or that changes something, can't be made again: ${name}`, () => {
    const restored = replayInput(calledOf(called));
    assert.ok("problem" in restored);
    assert.match(restored.problem, /\.$/);
  });
