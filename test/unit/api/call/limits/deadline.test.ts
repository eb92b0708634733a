// The timeouts of one exchange, with mocked timers.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { type TestContext, test } from "node:test";
import { createDeadline } from "../../../../../src/api/call/limits/deadline.ts";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import { clientOf, drain, question, serve, transports } from "../../client.ts";

function deadlineOf(t: TestContext, outer?: AbortSignal) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  return createDeadline("chat.stream", { headersMs: 1000, idleMs: 100 }, outer);
}

function reasonOf(signal: AbortSignal): string {
  assert.ok(isApiError(signal.reason));
  return `${signal.reason.kind}: ${signal.reason.message}`;
}

test("each phase has its own timeout", (t) => {
  const deadline = deadlineOf(t);
  deadline.expect("headersMs");
  t.mock.timers.tick(999);
  deadline.expect("idleMs");
  t.mock.timers.tick(99);
  assert.equal(deadline.signal.aborted, false);
  t.mock.timers.tick(1);
  assert.equal(reasonOf(deadline.signal), "timed-out: the answer stalled for 100 ms");
});

test("missing headers end the wait", (t) => {
  const deadline = deadlineOf(t);
  deadline.expect("headersMs");
  t.mock.timers.tick(1000);
  assert.equal(reasonOf(deadline.signal), "timed-out: no answer within 1 s");
});

test("heartbeats alone keep a stream alive for ten times the idle time, events for ever", (t) => {
  const deadline = deadlineOf(t);
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const hear = (atMs: number, hasEvents: boolean) => {
    nowMs = atMs;
    deadline.heard(hasEvents);
  };
  for (const atMs of [0, 900, 1800, 2700]) hear(atMs, true);
  for (const atMs of [2800, 3200, 3700]) hear(atMs, false);
  assert.equal(deadline.signal.aborted, false);
  hear(3701, false);
  assert.equal(reasonOf(deadline.signal), "timed-out: the answer had only heartbeats for 1 s");
});

test("at its end all timers are cleared and the caller's signal is released", (t) => {
  const outer = new AbortController();
  const deadline = deadlineOf(t, outer.signal);
  deadline.expect("headersMs");
  deadline.end();
  t.mock.timers.tick(5000);
  outer.abort();
  assert.equal(deadline.signal.aborted, false);
  assert.equal(getEventListeners(outer.signal, "abort").length, 0);
});

test("the caller's signal wins, whether it aborts before or later", (t) => {
  const outer = new AbortController();
  const deadline = deadlineOf(t, outer.signal);
  outer.abort();
  assert.equal(reasonOf(deadline.signal), "cancelled: cancelled");
  const late = createDeadline("chat.stream", { headersMs: 1, idleMs: 1 }, outer.signal);
  assert.equal(reasonOf(late.signal), "cancelled: cancelled");
});

for (const { name, create } of transports) {
  test(`${name}: a stream of heartbeats alone ends, and its connection with it`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const beat = setInterval(() => response.write(": heartbeat\n\n"), 2);
      response.on("close", () => clearInterval(beat));
    });
    const timeouts = { headersMs: 30_000, idleMs: 25 };
    const { api } = clientOf(t, server.origin, { transport: create(), timeouts });
    const { error, text } = await drain(await api.chat.stream(question));
    assert.ok(isApiError(error));
    assert.deepEqual([error.kind, error.details.mayHaveArrived, text], ["timed-out", true, ""]);
    await (await server.arrival(0)).closed;
    assert.equal(server.received.length, 1);
  });
}
