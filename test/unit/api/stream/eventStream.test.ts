// Streamed answers: their events, their order, and how each stream ends (wire.md section 5).
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { beginEvents, chunk, completion, frame, sendJson, sendText } from "../../../loopback/answers.ts";
import { clientOf, drain, failureOf, question, serve, transports } from "../client.ts";

for (const { name, create } of transports) {
  test(`${name}: emits events as they are sent, and the stream is done`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("Hel"), chunk("lo", "stop"), "[DONE]");
      response.end();
    });
    const { api, events } = clientOf(t, server.origin, { transport: create() });
    const stream = await api.chat.stream(question);
    assert.equal(stream.end, undefined);
    const { text, end, error } = await drain(stream);
    assert.deepEqual({ text, end, error }, { text: "Hello", end: "done", error: undefined });
    assert.equal(JSON.parse(server.received[0]?.body ?? "").stream, true);
    assert.equal(events.filter(({ type }) => type === "exchange").length, 1);
  });

  test(`${name}: emits the first event before the second is sent`, async (t) => {
    let sendMore = () => {};
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("first"));
      sendMore = () => response.end(frame(chunk("second")) + frame("[DONE]"));
    });
    const stream = await clientOf(t, server.origin, { transport: create() }).api.chat.stream(question);
    const contents: unknown[] = [];
    for await (const batch of stream.batches()) {
      contents.push(...batch.map((event) => event.choices[0]?.delta.content));
      sendMore();
    }
    assert.deepEqual(contents, ["first", "second"]);
  });

  test(`${name}: leaving the loop ends the request on the wire`, async (t) => {
    const server = await serve(t, (_, response) => beginEvents(response, chunk("a"), chunk("b")));
    const stream = await clientOf(t, server.origin, { transport: create() }).api.chat.stream(question);
    for await (const _ of stream) break;
    await server.received[0]?.closed;
    assert.equal(stream.end, undefined);
  });
}

test("a body without [DONE] is truncated, and its text kept", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("so "), chunk("far"));
    response.end();
  });
  const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(result.text, "so far");
  assert.equal(result.end, "truncated");
  assert.equal(result.error, undefined);
});

test("a body that ends inside an event is truncated, not malformed", async (t) => {
  for (const rest of ['data: {"choices":[{"ind', "data: [DO", "da", `data: {"choices":[{"x":"é`]) {
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("kept"));
      response.end(rest === "" ? rest : Buffer.from(rest).subarray(0, -1));
    });
    const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.equal(result.error, undefined, rest);
    assert.equal(result.text, "kept");
    assert.equal(result.end, "truncated");
  }
});

test("a last event without its blank line still counts", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("a"));
    response.end(frame("[DONE]").trimEnd());
  });
  const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(result.text, "a");
  assert.equal(result.end, "done");
});

test("ignores everything after [DONE]", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("a"), "[DONE]", chunk("late"), "not JSON");
  });
  const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(result.text, "a");
  assert.equal(result.end, "done");
  await server.received[0]?.closed;
});

test("ignores comments, event names and ids", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response);
    response.end(`: keep-alive\n\nevent: message\nid: 7\nretry: 10\n${frame(chunk("a"))}${frame("[DONE]")}`);
  });
  const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(result.text, "a");
  assert.equal(result.end, "done");
});

test("an event with invalid JSON is malformed, and earlier events are kept", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("a"), "oops", "[DONE]");
    response.end();
  });
  const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(result.text, "a");
  assert.equal((result.error as Error & { kind: string }).kind, "malformed-response");
});

test("an event that does not match the schema is malformed and names the path", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("a"), { choices: [{ index: 0, delta: { content: 5 } }] });
    response.end();
  });
  const stream = await clientOf(t, server.origin).api.chat.stream(question);
  const result = await drain(stream);
  assert.equal(result.text, "a");
  const error = await failureOf(Promise.reject(result.error));
  assert.equal(error.kind, "malformed-response");
  assert.equal(error.details.issues?.[0]?.field, "choices.0.delta.content");
});

test("a JSON answer to a streaming call is the stream's only event", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, completion("whole")));
  const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(result.text, "whole");
  assert.equal(result.end, "done");
  assert.equal(result.events[0]?.usage?.total_tokens, 5);
  assert.equal(result.events[0]?.choices[0]?.finish_reason, "stop");
});

test("a JSON answer that is neither answer nor error is malformed", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, { choices: [{ delta: "no" }] }));
  const { error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal((error as Error & { kind: string }).kind, "malformed-response");
});

test("an HTML page under 200 is no answer, streamed or not", async (t) => {
  const page = "<!doctype html><title>Sign in to the network</title><p>Welcome";
  const server = await serve(t, (_, response) => sendText(response, 200, "text/html; charset=utf-8", page));
  const { api } = clientOf(t, server.origin);
  const streamed = await drain(await api.chat.stream(question));
  assert.ok(streamed.error instanceof ApiError);
  for (const error of [await failureOf(api.chat.complete(question)), streamed.error]) {
    assert.equal(error.kind, "malformed-response");
    assert.match(error.message, /HTML page/);
    assert.equal(error.details.status, 200);
    assert.equal(error.details.raw, page);
  }
  assert.equal(server.received.length, 2);
});
