import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange } from "../../../../../src/api/call/attempt.ts";
import { createRateLimiter } from "../../../../../src/api/call/limits/rateLimiter.ts";

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
  const rateLimiter = createRateLimiter(() => now);
  const limits = { requests: { limit: 50, remaining: 0, resetAtMs: now + 12_000 } };
  rateLimiter.record(exchange({ model: "m", limits, status: 200 }));
  const gate = rateLimiter.admit("chat.complete", "m");
  assert.equal(gate?.ms, 12_000);
  assert.equal(gate.because.kind, "rate-limited");
  assert.equal(gate.because.message, "50 requests/min, model m");
  assert.equal(rateLimiter.admit("chat.complete", "other"), undefined);
  assert.equal(rateLimiter.admit("models.list", undefined), undefined);
  now += 12_000;
  assert.equal(rateLimiter.admit("chat.complete", "m"), undefined);
});

test("a burst does not leave before the first answer: each request let through is counted", () => {
  const rateLimiter = createRateLimiter(() => 0);
  const limits = { requests: { limit: 2, remaining: 2, resetAtMs: 30_000 } };
  rateLimiter.record(exchange({ model: "m", limits, status: 200 }));
  const gates = [1, 2, 3].map(() => rateLimiter.admit("chat.complete", "m")?.ms);
  assert.deepEqual(gates, [undefined, undefined, 30_000]);
});

test("a window that opens in more than a minute is an error with its time, not a wait", () => {
  const rateLimiter = createRateLimiter(() => 0);
  const limits = { tokens: { limit: 9, remaining: 0, resetAtMs: 3_600_000 } };
  rateLimiter.record(exchange({ limits, status: 200 }));
  const gate = rateLimiter.admit("chat.complete", undefined);
  assert.equal(gate?.ms, undefined);
  assert.equal(gate?.because.details.retryAtMs, 3_600_000);
  assert.equal(gate?.because.details.limit, "tokens");
});

test("15 failures within 30 seconds stop every call, and it says when calls open again", () => {
  let now = 0;
  const rateLimiter = createRateLimiter(() => now);
  for (let i = 0; i < 15; i++) {
    assert.equal(rateLimiter.admit("chat.complete", "m"), undefined);
    rateLimiter.record(exchange({ status: 400 }));
    now += 1000;
  }
  const gate = rateLimiter.admit("models.list", undefined);
  assert.deepEqual([gate?.ms, gate?.because.kind], [undefined, "failure-budget"]);
  assert.equal(gate?.because.details.retryAtMs, 30_000);
  now = 30_001;
  assert.equal(rateLimiter.admit("models.list", undefined), undefined);
});

test("key creation keeps to its requests per minute", () => {
  let now = 0;
  const rateLimiter = createRateLimiter(() => now);
  for (let i = 0; i < 20; i++) assert.equal(rateLimiter.admit("keys.create", undefined), undefined);
  assert.equal(rateLimiter.admit("keys.create", undefined)?.ms, 60_000);
  now = 60_000;
  assert.equal(rateLimiter.admit("keys.create", undefined), undefined);
});

test("chain calls keep to the limit that a refusal named, whatever the caller's tier", () => {
  let now = 0;
  const rateLimiter = createRateLimiter(() => now);
  const admitted = (most: number) => {
    let count = 0;
    while (count < most && rateLimiter.admit("rpc.call", undefined) === undefined) count++;
    return count;
  };
  assert.equal(admitted(1500), 1500, "nothing is known yet");
  const refused = (limit: number, resetAtMs: number) =>
    rateLimiter.record(
      exchange({
        endpoint: "rpc.call",
        status: 429,
        limits: { requests: { limit, remaining: 0, resetAtMs } },
      }),
    );
  refused(1000, now + 60_000);
  now += 60_000;
  assert.equal(admitted(1500), 1000);
  // The cap of a day's credits is no number of requests.
  refused(10_000_000, now + 86_400_000);
  now += 86_400_000;
  assert.equal(admitted(1500), 1000);
});
