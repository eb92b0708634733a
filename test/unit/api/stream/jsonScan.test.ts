import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitItems } from "../../../../src/api/stream/jsonScan.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { clientOf, failureOf, serve } from "../client.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function joined(json: Uint8Array): unknown {
  const { rest, items } = splitItems(json, "data");
  const value = JSON.parse(rest) as { data?: unknown };
  const parsed = [...items].map((item) => JSON.parse(item) as unknown);
  return Array.isArray(value.data) ? { ...value, data: parsed } : value;
}

test("splitting and joining a text in any form is lossless", () => {
  const nested = fc
    .jsonValue({ maxDepth: 3 })
    .map((value) => ({ data: value, 'a"data': ["data", { data: [1] }] }));
  const member = fc.oneof(fc.array(fc.jsonValue()), fc.array(nested), fc.jsonValue());
  const reply = fc.record(
    { before: fc.jsonValue(), text: fc.string({ unit: "grapheme" }), data: member, after: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const space = fc.constantFrom(undefined, 1, "\t", "\n \r");
  fc.assert(
    fc.property(reply, space, (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assert.deepEqual(joined(bytesOf(text)), JSON.parse(text));
      assert.deepEqual(joined(bytesOf(`\uFEFF${text}`)), JSON.parse(text));
    }),
  );
});

test("finds a member with an escaped name, but not a nested one of that name", () => {
  const { rest, items } = splitItems(
    bytesOf('{"in":{"data":[1]},"d\\u0061ta":[ {"data":[2]} , 3 ]}'),
    "data",
  );
  assert.equal(rest, '{"in":{"data":[1]},"d\\u0061ta":[]}');
  assert.deepEqual([...items], [' {"data":[2]} ', " 3 "]);
});

test("invalid JSON has an invalid part", () => {
  for (const text of [
    "",
    "<html>",
    '{"data":[1',
    '{"data":[1,]}',
    '{"data":[1}',
    '{"data":["x]}',
    '{"data":[,1]}',
  ])
    assert.throws(() => joined(bytesOf(text)), SyntaxError, text);
});

const record = {
  timestamp: "2026-08-15T10:00:00Z",
  sku: "guide",
  pricePerUnitUsd: 1,
  units: 1,
  amount: -1,
  currency: "USD",
};
const pagination = { limit: 500, page: 1, total: 2, totalPages: 1 };

test("emits the elements of the list and keeps the rest of the reply", async (t) => {
  const server = await serve(t, (_, response) => {
    sendJson(response, 200, { data: [record, { ...record, units: 2, more: 1 }], pagination });
  });
  const items: unknown[] = [];
  const reply = await clientOf(t, server.origin).api.billing.usage(
    {},
    { onItem: (item) => items.push(item) },
  );
  assert.deepEqual(items, [record, { ...record, units: 2 }]);
  assert.deepEqual(reply, { data: [], pagination });
});

test("an invalid element fails the call, and an invalid reply emits nothing", async (t) => {
  const replies = [
    { data: [record, { ...record, amount: "1" }], pagination },
    { data: [record] },
    { pagination },
  ];
  const counts = [];
  for (const body of replies) {
    const server = await serve(t, (_, response) => sendJson(response, 200, body));
    let count = 0;
    const { api } = clientOf(t, server.origin);
    const failure = await failureOf(api.billing.usage({}, { onItem: () => count++ }));
    assert.equal(failure.kind, "malformed-response");
    counts.push(count);
  }
  assert.deepEqual(counts, [1, 0, 0]);
});
