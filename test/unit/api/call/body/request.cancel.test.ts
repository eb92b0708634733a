// One abort signal from the caller to the socket, in every phase of a call.
import assert from "node:assert/strict";
import { EventEmitter, getEventListeners, once } from "node:events";
import { test } from "node:test";
import { beginEvents, chunk, completion, frame, sendJson } from "../../../../loopback/answers.ts";
import { clientOf, drain, failureOf, question, serve, transports } from "../../client.ts";

for (const { name, create } of transports) {
  test(`${name}: an aborted signal sends nothing`, async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, 200, completion("no")));
    const { api } = clientOf(t, server.origin, { transport: create() });
    const error = await failureOf(api.chat.complete(question, { signal: AbortSignal.abort() }));
    assert.equal(error.kind, "cancelled");
    assert.equal(server.connections, 0);
  });

  test(`${name}: aborted while the key is read, it sends nothing`, async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, 200, completion("no")));
    const controller = new AbortController();
    const apiKey = async () => {
      controller.abort();
      return "key";
    };
    const { api } = clientOf(t, server.origin, { transport: create(), apiKey });
    const error = await failureOf(api.chat.complete(question, { signal: controller.signal }));
    assert.equal(error.kind, "cancelled");
    assert.equal(server.connections, 0);
  });

  test(`${name}: aborted before the headers, it closes the socket without a resend`, async (t) => {
    const server = await serve(t, () => {});
    const { api } = clientOf(t, server.origin, { transport: create() });
    const calls = [
      (signal: AbortSignal) => api.account.rateLimits({}, { signal }),
      (signal: AbortSignal) => api.chat.stream(question, { signal }),
    ];
    for (const [index, call] of calls.entries()) {
      const controller = new AbortController();
      const failed = failureOf(call(controller.signal));
      const request = await server.arrival(index);
      controller.abort();
      assert.equal((await failed).kind, "cancelled");
      await request.closed;
      assert.equal(server.received.length, index + 1);
    }
  });

  test(`${name}: aborted inside a body, it closes the socket`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"id":');
    });
    const controller = new AbortController();
    const { api } = clientOf(t, server.origin, { transport: create() });
    const failed = failureOf(api.chat.complete(question, { signal: controller.signal }));
    const request = await server.arrival(0);
    controller.abort();
    assert.equal((await failed).kind, "cancelled");
    await request.closed;
  });

  test(`${name}: aborted mid-stream, it keeps earlier events, closes the socket and emits no more`, async (t) => {
    const server = await serve(t, (_, response) => beginEvents(response, chunk("a"), chunk("b")));
    const controller = new AbortController();
    const { api } = clientOf(t, server.origin, { transport: create() });
    const stream = await api.chat.stream(question, { signal: controller.signal });
    const request = await server.arrival(0);
    let text = "";
    const reading = (async () => {
      for await (const event of stream) {
        text += event.choices[0]?.delta.content;
        if (text === "ab") controller.abort();
      }
    })();
    assert.equal((await failureOf(reading)).kind, "cancelled");
    await request.closed;
    assert.equal(text, "ab");
    assert.equal(stream.end, undefined);
  });

  test(`${name}: aborted between two events of one packet, it emits no more`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response);
      response.write([chunk("a"), chunk("b"), chunk("c"), "[DONE]"].map(frame).join(""));
    });
    const controller = new AbortController();
    const { api } = clientOf(t, server.origin, { transport: create() });
    const stream = await api.chat.stream(question, { signal: controller.signal });
    let text = "";
    const reading = (async () => {
      for await (const event of stream) {
        text += event.choices[0]?.delta.content;
        controller.abort();
      }
    })();
    assert.equal((await failureOf(reading)).kind, "cancelled");
    assert.equal(text, "a");
  });

  test(`${name}: aborted between two batches, it emits no more, though they have arrived`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response);
      for (let n = 0; n < 5000; n++) response.write(frame(chunk(`${n} `)));
      response.end(frame("[DONE]"));
    });
    const controller = new AbortController();
    const { api } = clientOf(t, server.origin, { transport: create() });
    const stream = await api.chat.stream(question, { signal: controller.signal });
    let batches = 0;
    const reading = (async () => {
      for await (const _ of stream.batches()) {
        batches += 1;
        controller.abort();
      }
    })();
    assert.equal((await failureOf(reading)).kind, "cancelled");
    assert.equal(batches, 1);
  });

  test(`${name}: aborted before the stream is read, it closes the socket`, async (t) => {
    const server = await serve(t, (_, response) => beginEvents(response, chunk("a")));
    const controller = new AbortController();
    const { api } = clientOf(t, server.origin, { transport: create() });
    const stream = await api.chat.stream(question, { signal: controller.signal });
    const request = await server.arrival(0);
    controller.abort();
    await request.closed;
    const error = await failureOf(Promise.reject((await drain(stream)).error));
    assert.equal(error.kind, "cancelled");
  });
}

test("aborted while a resend waits, it ends the wait at once", async (t) => {
  const server = await serve(t, (_, response) => {
    sendJson(response, 429, { error: "Too many requests" }, { "retry-after": "50" });
  });
  const controller = new AbortController();
  const { api } = clientOf(t, server.origin);
  const waiting = new EventEmitter();
  const due = once(waiting, "due");
  const failed = failureOf(
    api.chat.complete(question, {
      signal: controller.signal,
      observe: ({ type }) => {
        if (type === "waiting") waiting.emit("due");
      },
    }),
  );
  await due;
  controller.abort();
  assert.equal((await failed).kind, "cancelled");
  assert.equal(server.received.length, 1);
});

test("a completed call removes its abort listener", async (t) => {
  const server = await serve(t, ({ url }, response) => {
    if (url.includes("rate_limits")) return sendJson(response, 503, { error: "no" });
    beginEvents(response, chunk("a"), "[DONE]");
    response.end();
  });
  const { signal } = new AbortController();
  const { api } = clientOf(t, server.origin);
  await failureOf(api.account.rateLimits({}, { signal }));
  await drain(await api.chat.stream(question, { signal }));
  for await (const _ of await api.chat.stream(question, { signal })) break;
  assert.equal(getEventListeners(signal, "abort").length, 0);
});
