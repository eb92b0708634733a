// The documented codes in replies, in each shape of body and without the code: one kind, and a message with the reason
// and the next step.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { classifyReply } from "../../../../src/api/errors/classify.ts";
import type { ApiError } from "../../../../src/api/errors/errors.ts";
import { serviceErrors } from "../../../../src/api/errors/serviceErrors.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import { documentedErrors } from "../documentedErrors.ts";

const nowMs = 1_000_000;

function refused(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  secrets = ["key-000000"],
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return classifyReply({
    endpoint: "chat.complete",
    status,
    headers: new Headers(headers),
    text,
    nowMs,
    secrets,
  });
}

function words(error: ApiError): string {
  return explain(error, { service: "api.example" }).sentence;
}

test("the table contains exactly the documented codes", () => {
  assert.equal(documentedErrors.length, 40);
  assert.deepEqual(documentedErrors.map(({ code }) => code).sort(), Object.keys(serviceErrors).sort());
});

for (const { code, status, kind, message, step } of documentedErrors) {
  describe(`${status} ${code}`, () => {
    const bodies = {
      "the message only": { error: message },
      "code and message": { code, error: message },
      "a nested code": { error: { message, type: "error", code: code.toLowerCase() } },
      "the code only": { error: code },
    };
    for (const [shape, body] of Object.entries(bodies)) {
      test(`${shape}: ${kind}, with the reason and the next step`, () => {
        const error = refused(status, body);
        assert.equal(error.kind, kind);
        assert.equal(error.message, shape === "the code only" ? code : message);
        const sentence = words(error);
        assert.ok(sentence.includes(error.message), sentence);
        assert.match(sentence, new RegExp(`${step}.*\\.$`));
      });
    }
  });
}

test("a code never overrules a status of another class", () => {
  assert.equal(refused(503, { code: "INVALID_MODEL", error: "down" }).kind, "unavailable");
  assert.equal(refused(403, { code: "INVALID_REQUEST", error: "no" }).kind, "forbidden");
  assert.equal(refused(400, { code: "RATE_LIMIT_EXCEEDED", error: "no" }).kind, "rate-limited");
  for (const code of ["constructor", "__proto__", "toString", 7, null]) {
    assert.equal(refused(400, { code, error: "no" }).kind, "invalid-request");
  }
});

test("a refusal's wait is read in any form", () => {
  const budget =
    "Too many failed attempts (> 20) resulting in a non-success status code. Please wait 30s and try again.";
  const window = { "x-ratelimit-remaining-requests": "10", "x-ratelimit-reset-requests": "50" };
  for (const text of [budget, "Too many failed requests. Please wait 30 seconds before trying again."]) {
    const error = refused(429, { error: text }, window);
    assert.equal(error.kind, "failure-budget");
    assert.equal(error.details.retryAtMs, nowMs + 30_000);
  }
  const spelled = {
    "wait 30 sec": 30,
    "wait for 2 minutes": 120,
    "wait 1.5s": 1.5,
    "try again in 5 min": 300,
  };
  for (const [text, seconds] of Object.entries(spelled)) {
    assert.equal(refused(429, { error: text }).details.retryAtMs, nowMs + seconds * 1000, text);
  }
  for (const text of ["wait 30 moons", "wait", "await 30s", "wait 30 metres"]) {
    assert.equal(refused(429, { error: text }).details.retryAtMs, undefined, text);
  }
  const header = refused(429, { error: "wait 30s" }, { "retry-after": "7" });
  assert.equal(header.details.retryAtMs, nowMs + 7000);
});

test("a 402 without a key asks for a key, not for money", () => {
  const body = { x402Version: 1, error: "Payment required", accepts: [], authOptions: [] };
  const anonymous = refused(402, body, {}, []);
  assert.equal(anonymous.details.source, "credential");
  assert.match(words(anonymous), /Payment required.*Set a key/);
  assert.equal(refused(402, body).details.source, "wallet");
});

test("includes a wallet's top-up steps", () => {
  const topUpInstructions = { step1: "Send USDC on Base", step2: "Sign the receipt", step3: 7 };
  const sentence = words(refused(402, { error: "Insufficient balance", topUpInstructions }));
  assert.match(sentence, /Insufficient balance.*Send USDC on Base; Sign the receipt/);
});

describe("a 400 names the field and the rule", () => {
  const rule = "Number must be at most 2";
  const bodies = {
    issues: {
      error: "Invalid request parameters",
      issues: [{ path: ["messages", 0, "n"], message: rule, code: "x" }],
    },
    "details as a tree": {
      error: "Invalid request parameters",
      details: { messages: { 0: { n: { _errors: [rule] } } } },
    },
    "details as messages by field": {
      error: "Invalid request parameters",
      details: { "messages.0.n": [rule] },
    },
  };
  for (const [shape, body] of Object.entries(bodies)) {
    test(shape, () => {
      const error = refused(400, body);
      assert.deepEqual(error.details.issues, [{ field: "messages.0.n", message: rule }]);
      assert.match(
        words(error),
        /Invalid request parameters \(messages\.0\.n: Number must be at most 2\)\. Change/,
      );
    });
  }
  test("from text in details", () => {
    const sentence = words(refused(400, { error: "Request failed", details: "the prompt is too odd" }));
    assert.match(sentence, /Request failed \(the prompt is too odd\)\. Change/);
  });
  test("once, not twice", () => {
    const sentence = words(refused(400, { error: [{ path: ["n"], message: rule }] }));
    assert.equal(sentence.split(rule).length, 2, sentence);
  });
});

describe("the service's text", () => {
  const long = "x".repeat(200_000);
  const bodies: readonly unknown[] = [
    { error: long },
    {
      error: "a",
      issues: Array.from({ length: 10_000 }, (_, i) => ({ path: [i, long.slice(0, 999)], message: `m${i}` })),
    },
    { error: "a", details: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, "bad"])) },
    { error: "a", details: JSON.parse(`${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`) },
    { error: "failed ".repeat(9000) },
    { error: "a", topUpInstructions: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i, "pay"])) },
  ];
  for (const [index, body] of bodies.entries()) {
    for (const status of [400, 402, 429]) {
      test(`is limited (${index}, ${status})`, () => {
        const error = refused(status, body);
        assert.ok(words(error).length < 1200);
        assert.ok(error.message.length <= 2000 && (error.details.issues?.length ?? 0) <= 50);
      });
    }
  }

  test("makes no link, anywhere in the body", () => {
    const text = "[Sign in](command:workbench.action.terminal.sendSequence)";
    const steps = { step1: text };
    const all = [
      { error: text },
      { error: "a", issues: [{ path: [text], message: text }] },
      { error: "a", issues: [{ path: ["[Sign in]"], message: "(command:x)" }] },
      { error: "a", details: text },
      { error: "a", topUpInstructions: steps },
      ...documentedErrors.map(({ code }) => ({ code, error: text })),
    ];
    for (const body of all) {
      for (const status of [400, 401, 402, 404, 422, 429, 503]) {
        assert.doesNotMatch(words(refused(status, body)), /\]\(/);
      }
    }
  });
});
