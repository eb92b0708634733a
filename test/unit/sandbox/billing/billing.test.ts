// Billing routes of the sandbox: spec E8, the usage record, and wire.md section 6.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UsageRecord } from "../../../../src/api/endpoints/account/billing.ts";
import { type BillingOptions, createBilling } from "../../../../src/sandbox/billing/billing.ts";
import { csvText } from "../../../../src/sandbox/billing/handlers.ts";
import {
  chatCharge,
  imageCharge,
  requestCharge,
  rpcCharge,
  speechCharge,
} from "../../../../src/sandbox/billing/ledger/charge.ts";
import { nanoNumber } from "../../../../src/sandbox/billing/ledger/decimal.ts";
import { toUsageRecord } from "../../../../src/sandbox/billing/ledger/entry.ts";
import { Refusal } from "../../../../src/sandbox/refusal.ts";
import { createSyntheticHistory } from "../../../serviceKit/syntheticHistory.ts";
import { createClock, dayMs, minuteMs } from "../clock.ts";

const spent = { keyId: "key-1", requestId: "req-1", executionMs: 12.6 };
const chat = chatCharge({
  ...spent,
  model: "guide",
  price: { input: 0.2, output: 0.8, cacheInput: 0.05 },
  promptTokens: 1_000,
  cachedTokens: 400,
  completionTokens: 50,
});
const search = requestCharge({ keyId: "key-1", name: "search", usd: 0.01 });

function open(options: Partial<BillingOptions> = {}) {
  const clock = createClock();
  const billing = createBilling({
    dialect: "standard",
    now: clock.now,
    balances: { usd: 25, diemPerDay: 0 },
    describeKey: () => undefined,
    ...options,
  });
  return { clock, billing };
}

function searches(billing: ReturnType<typeof createBilling>, count: number) {
  for (let n = 0; n < count; n++) billing.charge(search);
}

test("a chat is one entry per side, each with the details of the request", () => {
  const { billing } = open();
  assert.deepEqual(billing.charge(chat), { amount: 180_000, currency: "USD" });
  const records = billing.usage({ sortOrder: "asc" }).entries.map(toUsageRecord);
  const same = {
    timestamp: "2026-08-15T10:00:00.000Z",
    currency: "USD",
    notes: "API Inference",
    inferenceDetails: {
      requestId: "req-1",
      inferenceExecutionTime: 13,
      promptTokens: 1_000,
      completionTokens: 50,
    },
  };
  assert.deepEqual(records, [
    { sku: "guide-llm-input-token", pricePerUnitUsd: 2e-7, units: 600, amount: -0.00012, ...same },
    { sku: "guide-llm-cache-input-token", pricePerUnitUsd: 5e-8, units: 400, amount: -0.00002, ...same },
    { sku: "guide-llm-output-token", pricePerUnitUsd: 8e-7, units: 50, amount: -0.00004, ...same },
  ]);
  for (const record of records) UsageRecord.parse(record);
});

test("every kind of call has its price", () => {
  const { billing } = open();
  const costs = [
    speechCharge({ ...spent, model: "speaker", characters: 4_096, usdPerMillion: 3.5 }),
    imageCharge({ ...spent, model: "canvas", images: 2, usdPerImage: 0.04 }),
    rpcCharge({ keyId: "key-1", network: "base-mainnet", credits: 25, usdPerCredit: 6.25e-7 }),
    search,
  ].map((charge) => nanoNumber(billing.charge(charge)?.amount ?? 0));
  assert.deepEqual(costs, [0.014336, 0.08, 0.000015625, 0.01]);
  const details = billing.usage({}).entries.map(({ inferenceDetails }) => inferenceDetails !== null);
  assert.deepEqual(details, [false, false, true, true]);
});

test("a chat of no tokens has no entry", () => {
  const { billing } = open();
  const none = chatCharge({
    ...spent,
    model: "guide",
    price: { input: 1, output: 1, cacheInput: 1 },
    promptTokens: 0,
    cachedTokens: 0,
    completionTokens: 0,
  });
  assert.equal(billing.charge(none), undefined);
  assert.equal(billing.usage({}).pagination.total, 0);
});

describe("the account", () => {
  test("spends the day's DIEM first, then USD, one request from one currency", () => {
    const { billing, clock } = open({ balances: { usd: 1, diemPerDay: 0.015 } });
    assert.equal(billing.charge(search)?.currency, "DIEM");
    // 0.005 DIEM are left, which is not enough.
    assert.equal(billing.charge(search)?.currency, "USD");
    assert.deepEqual(billing.account.balances(), { usd: 990_000_000, diem: 5_000_000 });
    clock.advance(dayMs);
    assert.deepEqual(billing.account.balances(), { usd: 990_000_000, diem: 15_000_000 });
    assert.equal(billing.charge(search)?.currency, "DIEM");
  });

  test("refuses once nothing is left", () => {
    const { billing, clock } = open({ balances: { usd: 0.01, diemPerDay: 0.01 } });
    for (let n = 0; n < 2; n++) {
      billing.account.check();
      billing.charge(search);
    }
    assert.throws(
      () => billing.account.check(),
      (error) => error instanceof Refusal && error.status === 402 && /balance/.test(error.message),
    );
    clock.advance(dayMs);
    billing.account.check();
  });
});

describe("usage pages", () => {
  test("newest first and 200 at a time by default", () => {
    const { billing, clock } = open();
    for (let n = 0; n < 205; n++) {
      searches(billing, 1);
      clock.advance(1_000);
    }
    const page = billing.usage({});
    assert.deepEqual(page.pagination, { limit: 200, page: 1, total: 205, totalPages: 2 });
    const times = page.entries.map(({ atMs }) => atMs);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    assert.equal(billing.usage({ page: 2 }).entries.length, 5);
    assert.equal(billing.usage({ page: 3 }).entries.length, 0);
    assert.equal(billing.usage({ sortOrder: "asc" }).entries[0]?.atMs, times[0] && times[0] - 204_000);
  });

  test("from the start of a range, included, to its end, excluded", () => {
    const { billing, clock } = open();
    for (let n = 0; n < 3; n++) {
      searches(billing, 1);
      clock.advance(minuteMs);
    }
    const total = (startDate?: string, endDate?: string) =>
      billing.usage({ startDate, endDate }).pagination.total;
    assert.equal(total("2026-08-15T10:01:00Z"), 2);
    assert.equal(total(undefined, "2026-08-15T10:01:00Z"), 1);
    assert.equal(total("2026-08-15T12:01:00+02:00", "2026-08-15T10:02:00Z"), 1);
    assert.equal(total("2026-08-16T00:00:00Z", "2026-08-15T00:00:00Z"), 0);
  });

  test("by currency, with a notice about the meaning of DIEM", () => {
    const { billing } = open({ balances: { usd: 1, diemPerDay: 0.01 } });
    searches(billing, 3);
    const of = (currency: "USD" | "DIEM" | "VCU") => billing.usage({ currency });
    assert.deepEqual(
      [of("USD"), of("DIEM"), of("VCU")].map(({ pagination }) => pagination.total),
      [2, 1, 0],
    );
    assert.match(of("DIEM").warningMessage ?? "", /formerly VCU/);
    assert.match(of("VCU").warningMessage ?? "", /formerly VCU/);
    assert.equal(of("USD").warningMessage, undefined);
    assert.equal(billing.usage({}).warningMessage, undefined);
  });

  test("entries keep their order, whatever the clock does", () => {
    const { billing, clock } = open();
    searches(billing, 1);
    clock.set("2020-01-01T00:00:00Z");
    searches(billing, 1);
    const [newest, oldest] = billing.usage({}).entries;
    assert.equal(newest?.atMs, oldest?.atMs);
  });
});

describe("usage history", () => {
  test("oldest first, by a cursor that contains the filters", () => {
    const { billing, clock } = open();
    for (let n = 0; n < 35; n++) {
      searches(billing, 1);
      clock.advance(1_000);
    }
    const first = billing.history({ pageSize: 10, startTimestamp: "2026-08-15T10:00:05Z", currency: "USD" });
    const times = first.entries.map(({ atMs }) => atMs);
    let cursor = first.nextCursor;
    let pages = 1;
    for (; cursor !== null; pages++) {
      const page = billing.history({ cursor });
      times.push(...page.entries.map(({ atMs }) => atMs));
      cursor = page.nextCursor;
    }
    assert.equal(pages, 3);
    const from = Date.parse("2026-08-15T10:00:05Z");
    assert.deepEqual(
      times,
      Array.from({ length: 30 }, (_, n) => from + n * 1_000),
    );
  });

  test("an entry added meanwhile is at the end", () => {
    const { billing } = open();
    searches(billing, 11);
    const { nextCursor } = billing.history({ pageSize: 10 });
    searches(billing, 4);
    const rest = billing.history({ cursor: nextCursor ?? "" });
    assert.equal(rest.entries.length, 5);
    assert.equal(rest.nextCursor, null);
  });

  test("a cursor is the only parameter, and must be one that was issued", () => {
    const { billing } = open();
    const bad = (error: unknown) => error instanceof Refusal && error.status === 400;
    assert.throws(() => billing.history({ cursor: "abc", pageSize: 10 }), bad);
    const foreign = [{}, { read: -1 }, { read: 1, pageSize: 5000 }, { read: 1, more: 1 }, null, []];
    for (const value of foreign) {
      const cursor = Buffer.from(JSON.stringify(value)).toString("base64url");
      assert.throws(() => billing.history({ cursor }), bad, cursor);
    }
    assert.throws(() => billing.history({ cursor: "%%%" }), bad);
  });
});

test("CSV has a header row, plain digits, and quotes where needed", () => {
  const { billing } = open();
  billing.charge({ ...chat, lines: chat.lines.map((line) => ({ ...line, sku: 'a "b",\nc' })).slice(0, 1) });
  billing.charge(search);
  const text = csvText(billing.usage({ sortOrder: "asc" }).entries);
  const columns =
    "timestamp,sku,pricePerUnitUsd,units,amount,currency,notes,inferenceDetails.requestId," +
    "inferenceDetails.inferenceExecutionTime,inferenceDetails.promptTokens,inferenceDetails.completionTokens";
  const when = "2026-08-15T10:00:00.000Z";
  assert.equal(
    text,
    `${columns}\r\n` +
      `${when},"a ""b"",\nc",0.0000002,600,-0.00012,USD,API Inference,req-1,13,1000,50\r\n` +
      `${when},augment-search-request,0.01,1,-0.01,USD,API Inference,,,,\r\n`,
  );
  assert.equal(csvText([]), `${columns}\r\n`);
});

test("a generated history of a million entries is computed page by page", () => {
  const endMs = Date.parse("2026-08-15T00:00:00Z");
  const { billing } = open({ past: createSyntheticHistory({ count: 1_000_000, endMs, days: 60 }) });
  const { pagination, entries } = billing.usage({ limit: 500, page: 2_000, sortOrder: "asc" });
  assert.deepEqual(pagination, { limit: 500, page: 2_000, total: 1_000_000, totalPages: 2_000 });
  assert.equal(entries.length, 500);
  assert.ok(entries.every(({ atMs }) => atMs < endMs && atMs > endMs - dayMs));
  // The same seed gives the same history, another seed another one.
  const again = open({ past: createSyntheticHistory({ count: 1_000_000, endMs, days: 60 }) }).billing;
  assert.deepEqual(again.usage({ limit: 500, page: 2_000, sortOrder: "asc" }).entries, entries);
  const other = open({
    past: createSyntheticHistory({ count: 1_000_000, endMs, days: 60, seed: 2 }),
  }).billing;
  assert.notDeepEqual(other.usage({ limit: 500, page: 2_000, sortOrder: "asc" }).entries, entries);
  // The next charge follows it.
  billing.charge(search);
  assert.equal(billing.usage({ limit: 1 }).entries[0]?.sku, "augment-search-request");
});
