// Replays and rate limits of the chain proxy: spec E3, Chain-RPC limits; wire.md sections 2 and 9.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dayMs, minuteMs } from "../clock.ts";
import { item, openProxy, refusal, refusedWith } from "./rpcProxy.ts";

const head = item("eth_blockNumber");
const bad = item("eth_getBalance", ["0x1", "latest"]);

describe("the idempotency cache", () => {
  const idempotencyKey = "run-1";

  test("replays the same body, free and without the node, for 24 hours", async () => {
    const { call, reached, spent, clock } = openProxy();
    const first = await call([head, { ...bad, id: 2 }], { idempotencyKey });
    clock.advance(dayMs - 1);
    const again = await call([head, { ...bad, id: 2 }], { idempotencyKey });
    assert.deepEqual(again, { ...first, replayed: true });
    assert.deepEqual([reached(), spent.length], [1, 1]);
    clock.advance(1);
    assert.equal((await call(head, { idempotencyKey })).replayed, false);
  });

  test("refuses another body under the same key of the same user", async () => {
    const { call } = openProxy();
    await call(head, { idempotencyKey });
    await refusedWith(400, call(item("eth_chainId"), { idempotencyKey }), /Idempotency-Key/);
    const other = await call(item("eth_chainId"), { idempotencyKey, userId: "another" });
    assert.equal(other.replayed, false);
    // Another key of that user is the same user.
    assert.equal((await call(head, { idempotencyKey, callerId: "another" })).replayed, true);
  });

  test("lets concurrent requests wait for the one result", async () => {
    const { call, reached, hold } = openProxy();
    const release = hold();
    const both = [call(head, { idempotencyKey }), call(head, { idempotencyKey })];
    release();
    const [first, second] = await Promise.all(both);
    assert.deepEqual([first?.replayed, second?.replayed, reached()], [false, true, 1]);
  });

  test("stores nothing of a request that failed", async () => {
    const { call, reached, spent, hold } = openProxy();
    const release = hold();
    const hungUp = new AbortController();
    const failing = call(head, { idempotencyKey, signal: hungUp.signal });
    const waiting = call(head, { idempotencyKey });
    hungUp.abort(new Error("gone"));
    release();
    await assert.rejects(failing, /gone/);
    assert.equal((await waiting).replayed, false);
    assert.deepEqual([reached(), spent.length], [2, 1]);
  });

  test("a malformed key is refused, but not on venice", async () => {
    for (const key of ["", "a b", "ä", "x".repeat(256)]) {
      const { call } = openProxy();
      await refusedWith(400, call(head, { idempotencyKey: key }), /Idempotency-Key/);
      const venice = openProxy({ dialect: "venice" });
      await venice.call(head, { idempotencyKey: key });
      assert.equal((await venice.call(head, { idempotencyKey: key })).replayed, false);
    }
    assert.equal((await openProxy().call(head, { idempotencyKey: "x".repeat(255) })).replayed, false);
  });
});

describe("rate limits", () => {
  test("100 requests a minute per caller, including replays", async () => {
    const { call, clock, spent } = openProxy();
    const at = clock.now();
    for (let n = 0; n < 60; n++) await call(head, { idempotencyKey: "k" });
    clock.advance(10_500);
    for (let n = 0; n < 40; n++) await call(head);
    const { status, details } = await refusal(call(head));
    assert.equal(status, 429);
    assert.deepEqual(details.headers, {
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String((at + minuteMs) / 1000),
    });
    assert.match(String(details.members?.customMessage), /100 requests per minute/);
    await call(head, { callerId: "another" });
    clock.set(new Date(at + minuteMs).toISOString());
    for (let n = 0; n < 60; n++) await call(head);
    await refusedWith(429, call(head));
    assert.equal(spent.length, 1 + 40 + 1 + 60);
  });

  test("10,000,000 credits in 24 hours", async () => {
    const { call, clock } = openProxy({ dialect: "venice" });
    const network = "solana-mainnet";
    // 12,000 credits each.
    const batch = Array.from({ length: 100 }, (_, id) => item("getSupply", [], id));
    const start = clock.now();
    for (let n = 0; n < 833; n++) {
      await call(batch, { network });
      clock.advance(1_000);
    }
    const { status, details } = await refusal(call(batch, { network }));
    assert.equal(status, 429);
    assert.deepEqual(details.headers, {
      "x-ratelimit-limit": "10000000",
      "x-ratelimit-remaining": "4000",
      "x-ratelimit-reset": String((start + dayMs) / 1000),
    });
    const nested = details.members?.error as { customMessage: string };
    assert.match(nested.customMessage, /10000000 credits per 24 hours/);
    // What fits is served.
    await call(head, { network: "ethereum-mainnet" });
    clock.set(new Date(start + dayMs).toISOString());
    await call(batch, { network });
  });

  test("without enforcement all requests pass", async () => {
    const free = openProxy({ enforced: false });
    for (let n = 0; n < 1_001; n++) await free.call(head);
  });

  test("one at a time per caller on venice", async () => {
    const { call, hold } = openProxy({ dialect: "venice" });
    const release = hold();
    const first = call(head);
    const { status, details } = await refusal(call(head));
    assert.equal(status, 429);
    assert.deepEqual(details.headers, { "retry-after": "1" });
    assert.match(JSON.stringify(details.members), /in flight/);
    const other = call(head, { callerId: "another" });
    release();
    await Promise.all([first, other]);
    await call(head);
  });

  test("no limit of concurrency on standard", async () => {
    const { call, hold } = openProxy();
    const release = hold();
    const all = [call(head), call(head), call(head)];
    release();
    await Promise.all(all);
  });
});

test("every eth_sendRawTransaction is recorded by its hash, without its payload", async () => {
  const { call, proxy } = openProxy();
  const payload = "0xdeadbeef";
  await call([item("eth_sendRawTransaction", [payload], 1), item("eth_chainId", [], 2)]);
  assert.deepEqual(proxy.sentTransactions(), [
    {
      transactionHash: "0xd4fd4e189132273036449fc9e11198c739161b4c0116a9a2dccdfa1c492006f1",
      network: "ethereum-mainnet",
      requestId: "request",
      callerId: "caller",
    },
  ]);
  assert.ok(!JSON.stringify(proxy.sentTransactions()).includes(payload));
});
