import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange } from "../../../src/api/exchange.ts";
import { createGovernor } from "../../../src/api/governor.ts";

const exchange = (facts: Partial<Exchange>): Exchange => ({
  type: "exchange",
  endpoint: "chat.complete",
  method: "POST",
  path: "/chat/completions",
  attempt: 0,
  ms: 1,
  limits: {},
  ...facts,
});

test("a spent window holds back its own model alone, and until it opens", () => {
  let now = 1_000_000;
  const governor = createGovernor(() => now);
  const limits = { requests: { limit: 50, remaining: 0, resetAtMs: now + 12_000 } };
  governor.record(exchange({ model: "m", limits, status: 200 }));
  const gate = governor.admit("chat.complete", "m");
  assert.equal(gate?.ms, 12_000);
  assert.equal(gate.because.kind, "rate-limited");
  assert.equal(gate.because.message, "50 requests/min, model m");
  assert.equal(governor.admit("chat.complete", "other"), undefined);
  assert.equal(governor.admit("models.list", undefined), undefined);
  now += 12_000;
  assert.equal(governor.admit("chat.complete", "m"), undefined);
});

test("a burst does not leave before the first answer: each request let through is counted", () => {
  const governor = createGovernor(() => 0);
  const limits = { requests: { limit: 2, remaining: 2, resetAtMs: 30_000 } };
  governor.record(exchange({ model: "m", limits, status: 200 }));
  const gates = [1, 2, 3].map(() => governor.admit("chat.complete", "m")?.ms);
  assert.deepEqual(gates, [undefined, undefined, 30_000]);
});

test("a window that opens in more than a minute is an error with its time, not a wait", () => {
  const governor = createGovernor(() => 0);
  const limits = { tokens: { limit: 9, remaining: 0, resetAtMs: 3_600_000 } };
  governor.record(exchange({ limits, status: 200 }));
  const gate = governor.admit("chat.complete", undefined);
  assert.equal(gate?.ms, undefined);
  assert.equal(gate?.because.details.retryAtMs, 3_600_000);
  assert.equal(gate?.because.details.limit, "tokens");
});

test("15 failures within 30 seconds stop every call, and it says when calls open again", () => {
  let now = 0;
  const governor = createGovernor(() => now);
  for (let i = 0; i < 15; i++) {
    assert.equal(governor.admit("chat.complete", "m"), undefined);
    governor.record(exchange({ status: 400 }));
    now += 1000;
  }
  const gate = governor.admit("models.list", undefined);
  assert.deepEqual([gate?.ms, gate?.because.kind], [undefined, "failure-budget"]);
  assert.equal(gate?.because.details.retryAtMs, 30_000);
  now = 30_001;
  assert.equal(governor.admit("models.list", undefined), undefined);
});

test("key creation and chain calls keep to their requests per minute", () => {
  let now = 0;
  const governor = createGovernor(() => now);
  for (const [endpoint, limit] of [
    ["keys.create", 20],
    ["rpc.call", 100],
  ] as const) {
    for (let i = 0; i < limit; i++) assert.equal(governor.admit(endpoint, undefined), undefined);
    assert.equal(governor.admit(endpoint, undefined)?.ms, 60_000);
  }
  now = 60_000;
  assert.equal(governor.admit("rpc.call", undefined), undefined);
});
