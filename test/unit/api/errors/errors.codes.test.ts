// Every documented error code (wire.md sections 8 and 11): the same kind in a reply and in a stream, in each form.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyReply } from "../../../../src/api/errors/classify.ts";
import type { ErrorKind } from "../../../../src/api/errors/errors.ts";
import { statusNamed } from "../../../../src/api/errors/serviceErrors.ts";
import { beginEvents, chunk, frame } from "../../../loopback/answers.ts";
import { clientOf, drain, failureOf, question, serve } from "../client.ts";
import { documentedErrors } from "../documentedErrors.ts";

/** Undocumented names that similar services use. */
const others: readonly (readonly [code: string, status: number, kind: ErrorKind, message: string])[] = [
  ["INVALID_API_KEY", 401, "unauthorized", "Invalid API key provided"],
  ["MODEL_PRIVACY_RESTRICTED", 403, "forbidden", "This key is not allowed to use this model"],
  ["INVALID_IMAGE_FORMAT", 400, "invalid-request", "Invalid image format"],
  ["context_length_exceeded", 400, "too-large", "Your request exceeds the model's maximum context."],
  ["INVALID_FILE_SIZE", 413, "too-large", "The file is too large"],
];
const documented = [
  ...documentedErrors.map(({ code, status, kind, message }) => [code, status, kind, message] as const),
  ...others,
];

/** The forms of a code in a reply and in a stream event. */
const bodies: Readonly<Record<string, (code: string, message: string) => unknown>> = {
  "next to the message": (code, message) => ({ code, error: message }),
  "within the error": (code, message) => ({ error: { message, code } }),
  "with a general type": (code, message) => ({ error: { message, type: "invalid_request_error", code } }),
  "within the error, as the type": (code, message) => ({ error: { message, type: code } }),
  "next to the error": (code, message) => ({ code, error: { message } }),
  "within the error, in another case": (code, message) => ({
    error: { message, code: code.toLowerCase().replaceAll("_", "-") },
  }),
};

const streamed: Readonly<Record<string, (code: string, message: string) => string>> = {
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [
      name,
      (code: string, message: string) => frame(body(code, message)),
    ]),
  ),
  "at the top of an event named error": (code, message) => `event: error\n${frame({ message, code })}`,
  "within an error, in an event named error": (code, message) =>
    `event: error\n${frame({ error: { message, code } })}`,
  "at the top of any event": (code, message) => frame({ object: "error", message, code }),
  "in a chunk with text": (code, message) => frame({ ...chunk(""), error: { message, code } }),
};

for (const [code, status, kind, message] of documented) {
  test(`${code} is ${kind} in a reply`, () => {
    assert.equal(statusNamed(code), status);
    for (const [form, body] of Object.entries(bodies)) {
      const error = classifyReply({
        endpoint: "chat.stream",
        status,
        headers: new Headers(),
        text: JSON.stringify(body(code, message)),
        nowMs: 0,
        secrets: [],
      });
      assert.equal(error.kind, kind, form);
      assert.equal(error.message, message, form);
    }
  });

  test(`${code} is ${kind} in a stream`, async (t) => {
    const events = Object.entries(streamed);
    let next = 0;
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("kept"));
      response.end(events[next++]?.[1](code, message));
    });
    const { api } = clientOf(t, server.origin);
    for (const [form] of events) {
      const { text, error } = await drain(await api.chat.stream(question));
      const failure = await failureOf(Promise.reject(error));
      assert.deepEqual([failure.kind, failure.details.status], [kind, status], form);
      assert.equal(failure.message, message, form);
      assert.equal(text, "kept", form);
    }
  });

  test(`"${message}" without a code means ${code} in a stream`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response, { error: message });
      response.end();
    });
    const { error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.equal((await failureOf(Promise.reject(error))).kind, kind);
  });
}

test("keeps text that comes with an error", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("all "), { ...chunk("of it"), error: { code: "INFERENCE_FAILED" } });
    response.end();
  });
  const { text, error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(text, "all of it");
  assert.equal((await failureOf(Promise.reject(error))).kind, "unavailable");
});

test("an event named error is an error, whatever it contains", async (t) => {
  for (const data of ["boom", "null", "{}", "[]", '""', "503", '{"error":null}', "[DONE]"]) {
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("kept"));
      response.end(`event: error\ndata: ${data}\n\n`);
    });
    const { text, error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.equal(text, "kept", data);
    assert.equal((await failureOf(Promise.reject(error))).kind, "unavailable", data);
  }
});

test("a member of Object.prototype is no code", () => {
  for (const name of ["constructor", "__proto__", "toString", "", "x".repeat(100_000), 42, null])
    assert.equal(statusNamed(name), undefined);
});
