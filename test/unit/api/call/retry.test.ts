// Which calls are resent, when, and how often (wire.md section 8).
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maxResends, maxWaitMs, mayResend, resendDelayMs } from "../../../../src/api/call/retry.ts";
import type { Resend } from "../../../../src/api/endpoint.ts";
import { ApiError, errorKinds, type NetworkReason } from "../../../../src/api/errors/errors.ts";
import { completion, sendJson } from "../../../loopback/answers.ts";
import { clientOf, failureOf, question, serve } from "../client.ts";

const classes: readonly Resend[] = ["reading", "unanswered", "keyed", "billed"];

const resentAfter: Readonly<Record<number, readonly Resend[]>> = {
  408: ["reading", "keyed"],
  429: classes,
  500: ["reading", "unanswered", "keyed"],
  502: ["reading", "keyed"],
  503: classes,
  504: ["reading", "keyed"],
  ...Object.fromEntries([520, 521, 522, 523, 524, 525, 526, 527, 530].map((status) => [status, ["reading"]])),
};

test("each status is resent only by classes that it can't charge twice", () => {
  for (let status = 300; status < 600; status++) {
    const error = new ApiError("unavailable", "", { status, mayHaveArrived: true });
    const allowed = classes.filter((resend) => mayResend(resend, error));
    assert.deepEqual(allowed, resentAfter[status] ?? [], String(status));
  }
});

test("every class resends a request that was not sent; only reads resend one that may have arrived", () => {
  for (const kind of ["network", "timed-out"] as const) {
    const unsent = new ApiError(kind, "", { reason: "refused", mayHaveArrived: false });
    const unclear = new ApiError(kind, "", { reason: "reset", mayHaveArrived: true });
    assert.deepEqual(
      classes.filter((resend) => mayResend(resend, unsent)),
      classes,
    );
    assert.deepEqual(
      classes.filter((resend) => mayResend(resend, unclear)),
      ["reading", "keyed"],
    );
  }
});

test("does not resend after a permanent failure", () => {
  const reasons: readonly NetworkReason[] = [
    ...(["certificate", "tls", "proxy", "redirect", "name-not-found"] as const),
    ...(["plain-http", "tls-needed", "http2-only", "challenge", "portal"] as const),
  ];
  for (const reason of reasons) {
    const error = new ApiError("network", "", { reason, mayHaveArrived: false });
    assert.deepEqual(
      classes.filter((resend) => mayResend(resend, error)),
      [],
    );
  }
  for (const kind of errorKinds.filter((kind) => kind !== "network" && kind !== "timed-out")) {
    const error = new ApiError(kind, "", { mayHaveArrived: false });
    assert.deepEqual(
      classes.filter((resend) => mayResend(resend, error)),
      [],
      kind,
    );
  }
});

test("a delay is never negative, longer than the maximum, or beyond the given time", () => {
  const error = fc.record({
    status: fc.constantFrom(429, 503),
    retryAtMs: fc.option(fc.integer({ min: -1e9, max: 1e9 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(error, fc.nat(4), fc.double({ min: 0, max: 1, noNaN: true }), (details, attempt, random) => {
      const { retryAtMs, status } = details;
      const failed = new ApiError("unavailable", "", { status, ...(retryAtMs ? { retryAtMs } : {}) });
      const ms = resendDelayMs("reading", failed, attempt, 0, () => random);
      if (attempt >= maxResends) assert.equal(ms, undefined);
      if (ms === undefined) return;
      assert.ok(ms >= 0 && ms <= maxWaitMs, String(ms));
      assert.equal(ms, retryAtMs ? Math.max(0, retryAtMs) : random * 500 * 2 ** attempt);
    }),
  );
});

test("a call that succeeds the second time returns, and reports both tries", async (t) => {
  const server = await serve(t, (_, response) => {
    if (server.received.length === 1) return sendJson(response, 503, { error: "busy" });
    sendJson(response, 200, completion("there"));
  });
  const { api, events } = clientOf(t, server.origin);
  const reply = await api.chat.complete(question);
  assert.equal(reply.choices[0]?.message.content, "there");
  assert.equal(server.received[0]?.body, server.received[1]?.body);
  const exchanges = events.filter((event) => event.type === "exchange");
  assert.deepEqual(
    exchanges.map(({ attempt, status }) => [attempt, status]),
    [
      [0, 503],
      [1, 200],
    ],
  );
});

test("waits the rest of Retry-After", async (t) => {
  const server = await serve(t, (_, response) => {
    if (server.received.length > 1) return sendJson(response, 200, completion("there"));
    sendJson(response, 429, { error: "slow down" }, { "retry-after": "20" });
  });
  // On this clock, 19.98 seconds pass between the answer and the decision.
  let nowMs = 5_000_000;
  const { api, events } = clientOf(t, server.origin, {
    random: () => assert.fail("a named time leaves nothing to chance"),
    now: () => (server.received.length === 1 ? clock() : nowMs),
  });
  const clock = () => {
    const read = nowMs;
    nowMs = 5_019_980;
    return read;
  };
  await api.chat.complete(question);
  const waiting = events.find((event) => event.type === "waiting");
  assert.equal(waiting?.type === "waiting" && waiting.ms, 20);
  assert.equal(waiting?.because.details.retryAtMs, 5_020_000);
});

test("a retry time beyond the maximum delay fails at once", async (t) => {
  const server = await serve(t, (_, response) => {
    sendJson(response, 429, { error: "slow down" }, { "retry-after": "3600" });
  });
  const { api } = clientOf(t, server.origin, { now: () => 7_000_000 });
  const error = await failureOf(api.chat.complete(question));
  assert.equal(error.kind, "rate-limited");
  assert.equal(error.details.retryAtMs, 10_600_000);
  assert.equal(server.received.length, 1);
});
