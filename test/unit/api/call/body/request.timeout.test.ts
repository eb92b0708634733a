// Timeouts for the headers and for the next piece of the body (wire.md section 8 specifies neither).
import assert from "node:assert/strict";
import { test } from "node:test";
import { beginEvents, chunk, frame } from "../../../../loopback/answers.ts";
import { clientOf, drain, failureOf, question, serve, transports } from "../../client.ts";

for (const { name, create } of transports) {
  test(`${name}: missing headers close the socket; a call that may be billed is not resent`, async (t) => {
    const server = await serve(t, () => {});
    const timeouts = { headersMs: 1_000, idleMs: 30_000 };
    const { api } = clientOf(t, server.origin, { transport: create(), timeouts });
    const error = await failureOf(api.chat.complete(question));
    assert.equal(error.kind, "timed-out");
    assert.equal(error.message, "no answer within 1 s");
    assert.equal(error.details.mayHaveArrived, true);
    await server.received[0]?.closed;
    assert.equal(server.received.length, 1);
    await failureOf(api.account.rateLimits({}));
    assert.equal(server.received.length, 4, "a call that reads is tried three times");
  });

  test(`${name}: ends a complete answer that stalls`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    });
    const timeouts = { headersMs: 30_000, idleMs: 40 };
    const { api } = clientOf(t, server.origin, { transport: create(), timeouts });
    const error = await failureOf(api.chat.complete(question));
    assert.equal(error.kind, "timed-out");
    assert.equal(error.message, "the answer stalled for 40 ms");
    await server.received[0]?.closed;
    assert.equal(server.received.length, 1);
  });

  test(`${name}: a stalled stream keeps its events`, async (t) => {
    const server = await serve(t, (_, response) => beginEvents(response, chunk("so "), chunk("far")));
    const timeouts = { headersMs: 30_000, idleMs: 200 };
    const { api } = clientOf(t, server.origin, { transport: create(), timeouts });
    const result = await drain(await api.chat.stream(question));
    assert.equal(result.text, "so far");
    assert.equal((await failureOf(Promise.reject(result.error))).kind, "timed-out");
    await server.received[0]?.closed;
  });
}

test("releases a stream that nobody reads", async (t) => {
  const server = await serve(t, (_, response) => beginEvents(response, chunk("a")));
  const { api } = clientOf(t, server.origin, { timeouts: { headersMs: 30_000, idleMs: 40 } });
  await api.chat.stream(question);
  await server.received[0]?.closed;
});

test("a steady answer may take longer than either timeout", async (t) => {
  const pieces = 30;
  const everyMs = 50;
  const server = await serve(t, (_, response) => {
    beginEvents(response);
    let sent = 0;
    const timer = setInterval(() => {
      response.write(frame(chunk("x")));
      if (++sent < pieces) return;
      clearInterval(timer);
      response.end(frame("[DONE]"));
    }, everyMs);
  });
  const limitMs = (pieces * everyMs) / 2;
  const { api } = clientOf(t, server.origin, { timeouts: { headersMs: limitMs, idleMs: limitMs } });
  const result = await drain(await api.chat.stream(question));
  assert.equal(result.end, "done", String(result.error));
  assert.equal(result.text.length, pieces);
});
