// Times in replies: text as the specification has it, or a Unix time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageRecord } from "../../../../../src/api/endpoints/account/billing.ts";
import { ApiKey } from "../../../../../src/api/endpoints/account/keys.ts";
import { Timestamp } from "../../../../../src/api/endpoints/account/timestamp.ts";

const iso = "2026-10-01T12:00:00.000Z";
const ms = Date.parse(iso);

test("a Unix time in seconds or milliseconds becomes text, and text stays", () => {
  for (const value of [ms, ms / 1000, iso]) assert.equal(Timestamp.parse(value), iso);
  assert.equal(Timestamp.parse("yesterday"), "yesterday");
  assert.equal(Timestamp.parse(0), "1970-01-01T00:00:00.000Z");
});

test("a number that is no time is refused", () => {
  for (const value of [-1, 1e300, Number.POSITIVE_INFINITY, Number.NaN, null, {}])
    assert.equal(Timestamp.safeParse(value).success, false, String(value));
});

test("a record of the bill and a key are read with a numeric time", () => {
  const record = { sku: "m", pricePerUnitUsd: 1, units: 1, amount: -1, currency: "USD", notes: null };
  assert.equal(UsageRecord.parse({ ...record, timestamp: ms }).timestamp, iso);
  const key = ApiKey.parse({ id: "k", createdAt: ms, lastUsedAt: ms / 1000, expiresAt: null });
  assert.deepEqual([key.createdAt, key.lastUsedAt, key.expiresAt], [iso, iso, null]);
});
