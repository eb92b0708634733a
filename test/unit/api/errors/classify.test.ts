// Every known error body of a service (wire.md section 8), through the complete client.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorKind, FieldIssue } from "../../../../src/api/errors/errors.ts";
import { sendText } from "../../../loopback/answers.ts";
import { clientOf, failureOf, question, serve } from "../client.ts";

interface Case {
  readonly shape: string;
  readonly status: number;
  readonly body: unknown;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly issues?: readonly FieldIssue[];
  readonly details?: Readonly<Record<string, unknown>>;
}

const cases: readonly Case[] = [
  {
    shape: "error text",
    status: 404,
    body: { error: "Model not found" },
    kind: "not-found",
    message: "Model not found",
  },
  ...[400, 409, 422].map((status) => ({
    shape: `a reused idempotency key with ${status}`,
    status,
    body: { error: "Idempotency-Key was already used with a different body" },
    kind: "invalid-request" as const,
    message: "Idempotency-Key was already used with a different body",
    details: { isKeyReused: true },
  })),
  {
    shape: "a malformed idempotency key",
    status: 400,
    body: { error: "Idempotency-Key must be 1 to 255 of A-Z" },
    kind: "invalid-request",
    message: "Idempotency-Key must be 1 to 255 of A-Z",
    details: { isKeyReused: undefined },
  },
  {
    shape: "details tree",
    status: 400,
    body: {
      error: "Invalid request parameters",
      details: {
        _errors: ["too odd"],
        messages: { _errors: ["Required"], 0: { content: { _errors: ["Bad"] } } },
      },
    },
    kind: "invalid-request",
    message: "Invalid request parameters",
    issues: [
      { field: "", message: "too odd" },
      { field: "messages", message: "Required" },
      { field: "messages.0.content", message: "Bad" },
    ],
  },
  {
    shape: "details tree only",
    status: 400,
    body: { details: { top_p: { _errors: ["must be at most 1"] } } },
    kind: "invalid-request",
    message: "top_p: must be at most 1",
    issues: [{ field: "top_p", message: "must be at most 1" }],
  },
  {
    shape: "details text",
    status: 400,
    body: { details: "the body is empty" },
    kind: "invalid-request",
    message: "the body is empty",
    issues: [{ field: "", message: "the body is empty" }],
  },
  {
    shape: "details text with an error",
    status: 400,
    body: { error: "Invalid request", details: "the body is empty" },
    kind: "invalid-request",
    message: "Invalid request",
    issues: [{ field: "", message: "the body is empty" }],
  },
  {
    shape: "details with messages by field",
    status: 400,
    body: {
      error: "Invalid request",
      details: { top_p: ["is too large"], n: "is too small", __proto__x: 7 },
    },
    kind: "invalid-request",
    message: "Invalid request",
    issues: [
      { field: "top_p", message: "is too large" },
      { field: "n", message: "is too small" },
    ],
  },
  {
    shape: "issues list",
    status: 400,
    body: { error: "Invalid", issues: [{ code: "too_big", path: ["messages", 0], message: "too long" }] },
    kind: "invalid-request",
    message: "Invalid",
    issues: [{ field: "messages.0", message: "too long" }],
  },
  {
    shape: "error object",
    status: 400,
    body: { error: { message: "bad top_k", type: "invalid_request_error", param: "top_k", code: null } },
    kind: "invalid-request",
    message: "bad top_k",
    issues: [{ field: "top_k", message: "bad top_k" }],
  },
  {
    shape: "request id in the body",
    status: 500,
    body: { error: "Inference failed", request_id: "req-7" },
    kind: "unavailable",
    message: "Inference failed",
    details: { requestId: "req-7" },
  },
  {
    shape: "suggested prompt",
    status: 422,
    body: { error: "Your prompt violates the content policy", suggested_prompt: "a kitten" },
    kind: "refused-content",
    message: "Your prompt violates the content policy",
  },
  {
    shape: "code and error",
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE", error: "Body over 35 MB" },
    kind: "too-large",
    message: "Body over 35 MB",
  },
  {
    shape: "error is the issues list",
    status: 400,
    body: { error: [{ code: "invalid_type", path: ["model"], message: "Required" }, "odd"] },
    kind: "invalid-request",
    message: "model: Required",
    issues: [{ field: "model", message: "Required" }],
  },
  {
    shape: "credits refunded",
    status: 500,
    body: { error: "Upstream node failed", credits_refunded: 20 },
    kind: "unavailable",
    message: "Upstream node failed",
  },
  {
    shape: "customMessage flat",
    status: 429,
    body: { error: "Too many requests", customMessage: "Your credits cap of 10,000,000 is used up" },
    kind: "rate-limited",
    message: "Your credits cap of 10,000,000 is used up",
    details: { limit: "credits" },
  },
  {
    shape: "customMessage nested",
    status: 429,
    body: { error: { message: "Too many requests", customMessage: "A request is in flight" } },
    kind: "rate-limited",
    message: "A request is in flight",
    details: { limit: "in flight" },
  },
  {
    shape: "wallet, payment terms",
    status: 402,
    body: { x402Version: 1, error: "Payment required", accepts: [{ scheme: "exact", network: "base" }] },
    kind: "payment-required",
    message: "Payment required",
    details: { source: "wallet" },
  },
  {
    shape: "wallet, top-up instructions",
    status: 402,
    body: {
      error: "Insufficient balance",
      code: "INSUFFICIENT_BALANCE",
      currentBalanceUsd: 0.01,
      topUpInstructions: { step1: "Send USDC" },
    },
    kind: "payment-required",
    message: "Insufficient balance",
    details: { source: "wallet" },
  },
  {
    shape: "the key's own spend limit",
    status: 402,
    body: { error: "API key spend limit exceeded" },
    kind: "payment-required",
    message: "API key spend limit exceeded",
    details: { source: "key-limit" },
  },
  {
    shape: "empty account",
    status: 402,
    body: { error: "Insufficient USD or Diem balance to complete request" },
    kind: "payment-required",
    message: "Insufficient USD or Diem balance to complete request",
    details: { source: "account" },
  },
  {
    shape: "HTML page with a title",
    status: 502,
    body: "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
    kind: "unavailable",
    message: 'HTML page "502 Bad Gateway"',
  },
  {
    shape: "HTML page without a title",
    status: 403,
    body: "\n<html><body>blocked</body></html>",
    kind: "forbidden",
    message: "an HTML page",
  },
  {
    shape: "text",
    status: 503,
    body: "upstream connect error\nreset reason: overflow",
    kind: "unavailable",
    message: "upstream connect error",
  },
  { shape: "empty body", status: 504, body: "", kind: "unavailable", message: "HTTP 504" },
  { shape: "JSON without a message", status: 400, body: {}, kind: "invalid-request", message: "HTTP 400" },
  { shape: "JSON null", status: 400, body: null, kind: "invalid-request", message: "HTTP 400" },
];

for (const { shape, status, body, kind, message, issues, details } of cases) {
  test(`${status} ${shape}`, async (t) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/html" : "application/json";
    const server = await serve(t, (_, response) => sendText(response, status, type, text));
    const error = await failureOf(clientOf(t, server.origin).api.chat.complete(question));
    assert.equal(error.kind, kind);
    assert.equal(error.message, message);
    assert.deepEqual(error.details.issues, issues ?? []);
    assert.equal(error.details.raw, text);
    assert.equal(error.details.endpoint, "chat.complete");
    assert.equal(error.details.status, status);
    for (const [name, value] of Object.entries(details ?? {})) {
      assert.deepEqual(error.details[name as keyof typeof error.details], value, name);
    }
  });
}
