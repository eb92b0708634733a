// The key is in one header and nowhere else, even if the service repeats it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { type ApiError, isApiError } from "../../../../src/api/errors/errors.ts";
import { rawLimit, redact } from "../../../../src/api/errors/redact.ts";
import { beginEvents, sendJson, sendText } from "../../../loopback/answers.ts";
import type { Answer } from "../../../loopback/server.ts";
import { canary, clientOf, drain, failureOf, question, serve, transports } from "../client.ts";

/** All parts of an error that a log or a view could show. */
function shown(error: unknown): string {
  const details = isApiError(error) ? JSON.stringify(error.details) : "";
  const { message, stack } = error as Error;
  return [inspect(error, { depth: 9, showHidden: true }), message, stack, details].join("\n");
}

function assertStored(error: unknown): asserts error is ApiError {
  assert.ok(isApiError(error));
  assert.equal(containsPart(shown(error)), false, shown(error));
}

/** Eight consecutive characters would help to guess the rest. */
function containsPart(text: string): boolean {
  return [...canary].some((_, at) => at + 8 <= canary.length && text.includes(canary.slice(at, at + 8)));
}

const key = canary;
const leaks: Readonly<Record<string, Answer>> = {
  "an error text": (_, response) => sendJson(response, 401, { error: `bad key ${key}` }),
  "an issues list": (_, response) =>
    sendJson(response, 400, { error: [{ path: [key], message: `no ${key}` }] }),
  "a details tree": (_, response) => sendJson(response, 400, { details: { [key]: { _errors: [key] } } }),
  "an echo of the headers": ({ headers }, response) => sendJson(response, 500, { error: { headers } }),
  "an HTML page": (_, response) => sendText(response, 502, "text/html", `<!doctype html><title>${key}`),
  "a request id": (_, response) => sendJson(response, 400, {}, { "x-request-id": key }),
  "a request id in the body": (_, response) => sendJson(response, 400, { request_id: key }),
  "a successor": (_, response) =>
    sendJson(response, 410, {}, { link: `</x?key=${key}>; rel="successor-version"` }),
  "text where JSON should be": (_, response) => sendText(response, 200, "application/json", key),
  "a value of the wrong type": (_, response) => sendJson(response, 200, { data: key, choices: key }),
  "a redirect": (_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:9/?key=${key}` }).end();
  },
};

for (const [name, answer] of Object.entries(leaks)) {
  test(`${name} that repeats the key does not leak it into the error`, async (t) => {
    const server = await serve(t, answer);
    const { api } = clientOf(t, server.origin);
    assertStored(await failureOf(api.chat.complete(question)));
    const streamed = api.chat.stream(question).then(drain);
    assertStored(await failureOf(streamed.then(({ error }) => Promise.reject(error))));
    assert.equal(server.received[0]?.headers.authorization, `Bearer ${key}`);
  });
}

for (const [name, event] of Object.entries({
  "an error event": { error: { message: `no ${key}`, code: key } },
  "an event with invalid JSON": key,
  "an event that begins with the key": `${key} {`,
  "an event that does not match the schema": { choices: [{ index: 0, delta: key }] },
})) {
  test(`${name} that repeats the key does not leak it into the error`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response, event);
      response.end(": end\n\n");
    });
    const { error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assertStored(error);
  });
}

for (const { name, create } of transports) {
  for (const bad of [
    `${key}\n`,
    `${key}\r\nx-evil: 1`,
    ` ${key}`,
    `${key}é`,
    `${key}\u0000`,
    `${key} two`,
    "",
  ]) {
    test(`${name}: ${JSON.stringify(bad.replace(key, "key"))} is no key: nothing is sent`, async (t) => {
      const server = await serve(t, (_, response) => response.end());
      const { api } = clientOf(t, server.origin, { transport: create(), apiKey: async () => bad });
      const error = await failureOf(api.account.rateLimits({}));
      assert.equal(error.kind, "unauthorized");
      assertStored(error);
      assert.equal(server.connections, 0);
    });
  }
}

test("the body in an error is limited, and its end splits no key", () => {
  for (let into = 0; into <= key.length + 1; into++) {
    const text = redact("x".repeat(rawLimit - into) + key + "y".repeat(100), [key]);
    assert.ok(text.length <= rawLimit, String(text.length));
    assert.ok(!containsPart(text), `${into}: ${text.slice(-40)}`);
  }
});

test("a body that is cut off inside the key shows no part of it", async (t) => {
  const server = await serve(t, (_, response) => {
    response.writeHead(401, { "content-type": "text/plain", "content-length": 900 });
    response.write(`bad key ${key.slice(0, -2)}`, () => response.socket?.destroy());
  });
  const error = await failureOf(clientOf(t, server.origin).api.account.rateLimits({}));
  assertStored(error);
});

test("redacts any text after Bearer", () => {
  assert.equal(redact('{"authorization":"Bearer abc.def-1"}', []), '{"authorization":"Bearer ***"}');
  assert.equal(redact("bearer tok, next", []), "Bearer ***, next");
});
