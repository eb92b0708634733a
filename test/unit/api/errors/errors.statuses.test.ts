// The kind of each status, whatever its body says (wire.md section 8), and which are resent.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorKind } from "../../../../src/api/errors/errors.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { clientOf, failureOf, question, serve } from "../client.ts";

interface Case {
  readonly status: number;
  readonly error?: string;
  readonly kind: ErrorKind;
  /** Number of requests that reach the service: for a read, and for chat, which may be billed. */
  readonly reading: number;
  readonly chat: number;
}

const never = { reading: 1, chat: 1 };
const cases: readonly Case[] = [
  { status: 400, kind: "invalid-request", ...never },
  { status: 401, kind: "unauthorized", ...never },
  { status: 401, error: "Admin API key required", kind: "admin-key-required", ...never },
  { status: 402, kind: "payment-required", ...never },
  { status: 403, kind: "forbidden", ...never },
  { status: 404, kind: "not-found", ...never },
  { status: 405, kind: "not-found", ...never },
  { status: 408, kind: "timed-out", reading: 3, chat: 1 },
  { status: 409, kind: "invalid-request", ...never },
  { status: 410, kind: "gone", ...never },
  { status: 413, kind: "too-large", ...never },
  { status: 415, kind: "invalid-request", ...never },
  { status: 422, kind: "refused-content", ...never },
  { status: 429, kind: "rate-limited", reading: 3, chat: 3 },
  { status: 429, error: "Too many failed attempts", kind: "failure-budget", ...never },
  {
    status: 403,
    error: "Too many failed requests, please wait 30 seconds",
    kind: "failure-budget",
    ...never,
  },
  { status: 500, kind: "unavailable", reading: 3, chat: 3 },
  { status: 501, kind: "unavailable", ...never },
  { status: 502, kind: "unavailable", reading: 3, chat: 1 },
  { status: 503, kind: "unavailable", reading: 3, chat: 3 },
  { status: 504, kind: "unavailable", reading: 3, chat: 1 },
  { status: 520, kind: "unavailable", reading: 3, chat: 1 },
];

for (const { status, error: text = "no", kind, reading, chat } of cases) {
  test(`${status} "${text}" is ${kind}; ${reading} and ${chat} requests`, async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, status, { error: text }));
    const { api } = clientOf(t, server.origin);
    const first = await failureOf(api.account.rateLimits({}));
    assert.equal(first.kind, kind);
    assert.equal(first.message, text);
    assert.equal(first.details.status, status);
    assert.equal(server.received.length, reading);
    for (const call of [api.chat.complete, api.chat.stream]) {
      const before = server.received.length;
      const failed = await failureOf(call(question));
      assert.equal(failed.kind, kind);
      assert.equal(server.received.length - before, chat);
    }
  });
}

test("a 403 of a route for ADMIN keys means such a key, unless the service documents another reason", async (t) => {
  let error: object = { error: "Forbidden" };
  const server = await serve(t, (_, response) => sendJson(response, 403, error));
  const { api } = clientOf(t, server.origin);
  const reads = [
    () => api.billing.balance({}),
    () => api.billing.analytics({}),
    () => api.keys.list({}),
    () => api.keys.revoke({ id: "k" }),
  ];
  for (const read of reads) assert.equal((await failureOf(read())).kind, "admin-key-required");
  error = { error: "API access has been disabled for this account" };
  for (const read of reads) assert.equal((await failureOf(read())).kind, "forbidden");
  error = { error: "Forbidden" };
  assert.equal((await failureOf(api.account.rateLimits({}))).kind, "forbidden");
});
