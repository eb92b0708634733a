// A body under HTTP 200 that is no stream: its error, its words, or its answer is read, whatever its type says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { isApiError } from "../../../../src/api/errors/errors.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import { completion } from "../../../loopback/answers.ts";
import { clientOf, drain, question, serve, transports } from "../client.ts";

const types = ["text/event-stream", "application/json", "text/plain", "application/x-ndjson", undefined];
const failure = { error: { message: "The model is overloaded", code: 503 } };
const page = "<!doctype html><html><head><title>Sign in to Wi-Fi</title></head><body>…</body></html>";

interface Said {
  readonly body: string;
  readonly kind: string;
  readonly words: RegExp;
}
const errors: Readonly<Record<string, Said>> = {
  "an error as JSON": { body: JSON.stringify(failure), kind: "unavailable", words: /model is overloaded/ },
  "an error as pretty JSON": {
    body: `\uFEFF${JSON.stringify(failure, null, 2)}\n`,
    kind: "unavailable",
    words: /model is overloaded/,
  },
  "a list of errors": { body: JSON.stringify([failure]), kind: "unavailable", words: /model is overloaded/ },
  "a bare error": {
    body: JSON.stringify({ object: "error", message: "No such model: m", code: 404 }),
    kind: "not-found",
    words: /No such model: m/,
  },
  "words of a gateway": {
    body: "upstream connect error or disconnect/reset before headers. reset reason: overflow",
    kind: "unavailable",
    words: /upstream connect error or disconnect\/reset before headers/,
  },
  "words about a limit": {
    body: "Rate limit exceeded\n",
    kind: "rate-limited",
    words: /Rate limit exceeded/,
  },
  "other words, with colours": {
    body: "\u001b[31mHello\u001b[0m from\r\nthe router",
    kind: "malformed-response",
    words: /“Hello from the router”/,
  },
  "long words": { body: "word ".repeat(100_000), kind: "malformed-response", words: /“(word ){10,70}…?/ },
  "words as an event": {
    body: "data: upstream connect error\n\n",
    kind: "unavailable",
    words: /upstream connect error/,
  },
  "a page": { body: page, kind: "malformed-response", words: /HTML page, not JSON: “Sign in to Wi-Fi”/ },
  "JSON of something else": {
    body: '{"detail": "Not here"}',
    kind: "malformed-response",
    words: /has no choices: .*Not here/,
  },
};

const whole = completion("Hello");
const chunk = (content: string, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] });
const answers: Readonly<Record<string, readonly [body: string, end: string]>> = {
  "a complete answer": [JSON.stringify(whole), "done"],
  "a complete answer as pretty JSON": [JSON.stringify(whole, null, 2), "done"],
  "chunks, one on each line": [`${chunk("Hel")}\n${chunk("lo")}\n${chunk("", "stop")}\n`, "done"],
  "chunks on lines that break off": [`${chunk("Hel")}\n${chunk("lo")}\n`, "truncated"],
};

for (const { name, create } of transports) {
  for (const [what, { body, kind, words }] of Object.entries(errors)) {
    test(`${name}: ${what} in place of a stream is said, and nothing is asked twice`, async (t) => {
      let type: string | undefined;
      const server = await serve(t, (_, response) => {
        response.writeHead(200, type === undefined ? {} : { "content-type": type });
        response.end(body);
      });
      for (const dialect of Object.values(dialects)) {
        const { api } = clientOf(t, server.origin, { transport: create(), dialect });
        for (type of types) {
          const before = server.received.length;
          const { text, error } = await drain(await api.chat.stream(question));
          assert.equal(text, "");
          assert.ok(isApiError(error), `${type}: ${error}`);
          assert.equal(error.kind, kind, `${type}: ${error.message}`);
          assert.match(explain(error, { service: "Test" }).sentence, words);
          assert.ok(error.message.length <= 500);
          assert.equal(error.details.mayHaveArrived, true);
          assert.equal(server.received.length, before + 1);
        }
      }
    });
  }

  for (const [what, [body, end]] of Object.entries(answers)) {
    test(`${name}: ${what} in place of a stream is one answer`, async (t) => {
      let type: string | undefined;
      const server = await serve(t, (_, response) => {
        response.writeHead(200, type === undefined ? {} : { "content-type": type });
        response.end(body);
      });
      const { api } = clientOf(t, server.origin, { transport: create() });
      for (type of types) {
        const drained = await drain(await api.chat.stream(question));
        assert.deepEqual([drained.text, drained.end, drained.error], ["Hello", end, undefined], type);
      }
    });
  }
}

test("an event stream without an event has broken off; an empty body has, too", async (t) => {
  for (const body of ["", "\n\n", ": ping\n\n: ping\n\n", 'event: message\ndata: {"choices":[{"ind']) {
    const server = await serve(t, (_, response) => response.end(body));
    const { end, error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.deepEqual([end, error], ["truncated", undefined], body);
  }
});
