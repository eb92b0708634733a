// Replies are read leniently: invalid rows don't fail a list, unknown members are kept, and read members are checked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { completion, sendJson } from "../../../../loopback/answers.ts";
import { clientOf, failureOf, question, serve } from "../../client.ts";

test("omits invalid rows of the models list and keeps the others with all members", async (t) => {
  const good = {
    id: "m1",
    object: "model",
    type: "hologram",
    novelty: { a: 1 },
    model_spec: {
      name: "M",
      privacy: "odd word",
      pricing: { input: { usd: 1, eur: 2 } },
      capabilities: { supportsX: 1 },
    },
  };
  const invalid = [null, 7, "m2", [], {}, { id: "" }, { id: 3 }, { id: "m4", model_spec: { name: 5 } }];
  const server = await serve(t, (_, response) => {
    sendJson(response, 200, {
      object: "list",
      type: "text",
      data: [...invalid, good, { id: "m5" }],
      more: true,
    });
  });
  const reply = await clientOf(t, server.origin).api.models.list({});
  assert.deepEqual(reply, { object: "list", type: "text", data: [good, { id: "m5" }], more: true });
});

test("omits invalid rows of the rate limits at both levels", async (t) => {
  const amount = { amount: 20, type: "RPM", window: "x" };
  const server = await serve(t, (_, response) => {
    const rateLimits = [
      { apiModelId: "a", rateLimits: [amount, { amount: "many" }] },
      { rateLimits: [] },
      null,
    ];
    sendJson(response, 200, {
      data: { accessPermitted: true, balances: { USD: 1.5, DIEM: null }, rateLimits },
    });
  });
  const { data } = await clientOf(t, server.origin).api.account.rateLimits({});
  assert.deepEqual(data.rateLimits, [{ apiModelId: "a", rateLimits: [amount] }]);
  assert.deepEqual(data.balances, { USD: 1.5, DIEM: null });
});

test("keeps unknown members of an answer, especially of its message, to be echoed", async (t) => {
  const message = {
    role: "assistant",
    content: null,
    reasoning_details: [{ type: "x" }],
    thought_signature: "s",
    tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" }, extra: 1 }],
  };
  const server = await serve(t, (_, response) => {
    sendJson(response, 200, {
      ...completion(""),
      choices: [{ index: 0, finish_reason: "odd", message }],
      x: 1,
    });
  });
  const reply = await clientOf(t, server.origin).api.chat.complete(question);
  assert.deepEqual(reply.choices[0]?.message, message);
  assert.equal((reply as { x?: unknown }).x, 1);
});

test("an answer without choices has none (spec E10)", async (t) => {
  const { choices: _, ...rest } = completion("");
  const server = await serve(t, (_, response) => sendJson(response, 200, rest));
  assert.deepEqual((await clientOf(t, server.origin).api.chat.complete(question)).choices, []);
});

test("an invalid reply is malformed; the error names the path, not the value", async (t) => {
  const server = await serve(t, (_, response) =>
    sendJson(response, 200, { data: { apiTier: { id: 5 } } }, { "x-request-id": "r1" }),
  );
  const { api } = clientOf(t, server.origin);
  const error = await failureOf(api.account.rateLimits({}));
  assert.equal(error.kind, "malformed-response");
  assert.match(error.message, /^data\.apiTier\.id: /);
  assert.equal(error.details.requestId, "r1");
  assert.equal(error.details.status, 200);
  assert.equal(server.received.length, 1);
});
