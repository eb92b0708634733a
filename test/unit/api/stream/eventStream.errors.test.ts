// An error inside a stream under HTTP 200 (wire.md section 5).
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorKind } from "../../../../src/api/errors/errors.ts";
import { beginEvents, chunk, sendJson } from "../../../loopback/answers.ts";
import { clientOf, drain, failureOf, question, serve } from "../client.ts";

interface Case {
  readonly error: unknown;
  readonly kind: ErrorKind;
  readonly message: string;
}

const cases: readonly Case[] = [
  {
    error: { message: "Rate limit hit", type: "rate_limit_error", code: "rate_limited", retry_after: 7 },
    kind: "rate-limited",
    message: "Rate limit hit",
  },
  {
    error: { message: "The model is overloaded", type: null, code: null },
    kind: "rate-limited",
    message: "The model is overloaded",
  },
  {
    error: { message: "Inference failed", type: "server_error", code: 500 },
    kind: "unavailable",
    message: "Inference failed",
  },
  { error: { message: "Gone away", code: "503" }, kind: "unavailable", message: "Gone away" },
  { error: { message: "No balance", code: 402 }, kind: "payment-required", message: "No balance" },
  {
    error: { message: "Blocked", type: "content_policy_violation" },
    kind: "refused-content",
    message: "Blocked",
  },
  {
    error: { message: "Bad top_p", type: "invalid_request_error", param: "top_p" },
    kind: "invalid-request",
    message: "Bad top_p",
  },
  { error: "boom", kind: "unavailable", message: "boom" },
  { error: { type: "server_error" }, kind: "unavailable", message: "HTTP 500" },
];

for (const { error, kind, message } of cases) {
  test(`${JSON.stringify(error)} ends the stream as ${kind}`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("kept "), chunk("text"), { error }, "[DONE]");
      response.end();
    });
    const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.equal(result.text, "kept text");
    assert.equal(result.end, undefined);
    const failure = await failureOf(Promise.reject(result.error));
    assert.equal(failure.kind, kind);
    assert.equal(failure.message, message);
    assert.equal(failure.details.mayHaveArrived, true);
    assert.equal(server.received.length, 1, "an answer that began is never asked for again");
  });
}

test("retry_after of an error event counts seconds from the answer", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, { error: { message: "Rate limit", type: "rate_limit", retry_after: 7 } });
    response.end();
  });
  const { api } = clientOf(t, server.origin, { now: () => 1_000_000 });
  const { error } = await drain(await api.chat.stream(question));
  const failure = await failureOf(Promise.reject(error));
  assert.equal(failure.details.retryAtMs, 1_007_000);
});

test("an error as a JSON answer to a streaming call is that error", async (t) => {
  const server = await serve(t, (_, response) =>
    sendJson(response, 200, { error: { message: "no", code: 503 } }),
  );
  const { error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  const failure = await failureOf(Promise.reject(error));
  assert.equal(failure.kind, "unavailable");
  assert.equal(failure.message, "no");
});

test("a null error member is no error", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, { ...chunk("fine"), error: null }, "[DONE]");
    response.end();
  });
  const result = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(result.text, "fine");
  assert.equal(result.end, "done");
});
