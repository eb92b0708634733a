import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newStringTables, toColumns } from "../../../../../src/account/host/usage/days/dayColumns.ts";
import { tallyDay } from "../../../../../src/account/host/usage/days/dayTally.ts";
import { radixOrder } from "../../../../../src/account/host/usage/days/radixOrder.ts";
import { toUsageRow } from "../../../../../src/account/host/usage/recordRow.ts";
import {
  createRecordTable,
  type RecordQuery,
  type SortColumn,
} from "../../../../../src/account/host/usage/recordTable.ts";
import { productOf } from "../../../../../src/account/host/usage/skuProduct.ts";
import type { UsageRecord } from "../../../../../src/api/endpoints/account/billing.ts";
import { dayMs } from "../../../../../src/shared/time/days.ts";

const all: RecordQuery = { text: "", sort: "time", isDescending: false };

const record: fc.Arbitrary<Omit<UsageRecord, "timestamp"> & { ms: number }> = fc.record({
  ms: fc.integer({ min: 0, max: dayMs - 1 }),
  sku: fc.constantFrom(
    "guide-llm-input-token",
    "Guide-llm-output-token",
    "speaker-tts-char",
    "__proto__",
    "",
  ),
  pricePerUnitUsd: fc.constantFrom(0, 1e-7, 0.5),
  units: fc.integer({ min: 0, max: 50 }),
  amount: fc.constantFrom(-0.5, -1e-7, 0, 0.25, -0.1),
  currency: fc.constantFrom("USD", "DIEM", "STARS", ""),
  notes: fc.constantFrom("API Inference", "Web App", "constructor", null),
  inferenceDetails: fc.constantFrom(
    null,
    { requestId: "REQ-1", inferenceExecutionTime: 12, promptTokens: 3, completionTokens: 4 },
    { requestId: "req-2" },
    { requestId: null, inferenceExecutionTime: 5 },
  ),
});
const records = fc
  .array(record, { maxLength: 40 })
  .map((rows) => rows.map(({ ms, ...rest }) => ({ ...rest, timestamp: new Date(ms).toISOString() })));

function tableOf(days: readonly (readonly UsageRecord[])[]) {
  const words = newStringTables();
  const columns = days.map((rows, day) =>
    toColumns(
      day,
      rows.map((row) => ({
        ...row,
        timestamp: new Date(Date.parse(row.timestamp) + day * dayMs).toISOString(),
      })),
      words,
    ),
  );
  return { table: createRecordTable(columns, words), columns, words };
}

async function rowsOf(days: readonly (readonly UsageRecord[])[], query: RecordQuery) {
  const view = await tableOf(days).table.query(query);
  assert.ok(view);
  return view.rows(0, view.size);
}

test("filters find the same as checking each record", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(records, { maxLength: 3 }),
      fc.constantFrom("", "guide", "REQ", "req-2", "app", "proto", "zzz", " inference "),
      fc.option(fc.constantFrom("guide", "speaker", "__proto__"), { nil: undefined }),
      fc.option(fc.constantFrom("USD", "STARS"), { nil: undefined }),
      async (days, text, model, currency) => {
        const found = await rowsOf(days, { ...all, text, model, currency });
        const every = await rowsOf(days, all);
        const sought = text.trim().toLowerCase();
        const expected = every.filter(
          (row) =>
            (model === undefined || productOf(row.sku).model === model) &&
            (currency === undefined || row.currency === currency) &&
            [row.sku, row.notes ?? "", row.inferenceDetails?.requestId ?? ""].some((one) =>
              one.toLowerCase().includes(sought),
            ),
        );
        assert.deepEqual(found, expected);
      },
    ),
  );
});

test("every column sorts both ways, with missing values last in ascending order", async () => {
  const keys: Readonly<Record<SortColumn, (row: UsageRecord) => number | string>> = {
    time: ({ timestamp }) => timestamp,
    sku: ({ sku }) => sku,
    units: ({ units }) => units,
    price: ({ pricePerUnitUsd }) => pricePerUnitUsd,
    amount: ({ amount }) => amount,
    currency: ({ currency }) => currency,
    notes: ({ notes }) => notes ?? "",
    tokens: ({ inferenceDetails: d }) =>
      d?.promptTokens === null || d?.promptTokens === undefined
        ? Number.POSITIVE_INFINITY
        : d.promptTokens + (d.completionTokens ?? 0),
    duration: ({ inferenceDetails }) => inferenceDetails?.inferenceExecutionTime ?? Number.POSITIVE_INFINITY,
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(records, { maxLength: 3 }),
      fc.constantFrom(...(Object.keys(keys) as SortColumn[])),
      async (days, sort) => {
        const rising = (await rowsOf(days, { ...all, sort })).map(keys[sort]);
        assert.deepEqual(
          rising,
          rising.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
        );
        const falling = (await rowsOf(days, { ...all, sort, isDescending: true })).map(keys[sort]);
        assert.deepEqual(falling, rising.toReversed());
      },
    ),
  );
});

test("sorts numbers of all signs and sizes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.double({ noNaN: true })), async (values) => {
      const order = await radixOrder(Float64Array.from(values), async () => {});
      const sorted = Array.from(order, (row) => values[row] ?? 0);
      assert.deepEqual(
        sorted.map((value) => value + 0),
        values.toSorted((a, b) => a - b).map((value) => value + 0),
      );
    }),
  );
});

test("a window is a slice of the complete view, and a request's records are adjacent", async () => {
  const rows = Array.from(
    { length: 10 },
    (_, index): UsageRecord => ({
      timestamp: new Date(index * 1000).toISOString(),
      sku: "guide-llm-input-token",
      pricePerUnitUsd: 1e-7,
      units: index,
      amount: -index,
      currency: "USD",
      notes: null,
      inferenceDetails: { requestId: `r-${index % 3}` },
    }),
  );
  const { table } = tableOf([rows, rows]);
  const view = await table.query({ ...all, sort: "units", isDescending: true });
  assert.deepEqual(
    view?.rows(1, 3).map(({ units }) => units),
    [9, 8, 8],
  );
  assert.deepEqual(view?.rows(18, 9).length, 2);
  assert.equal(table.ofRequest("r-1").length, 6);
  assert.deepEqual([table.ofRequest(""), table.ofRequest("r-9")], [[], []]);
});

test("an obsolete query stops", async () => {
  const one = {
    sku: "x",
    pricePerUnitUsd: 1,
    units: 1,
    amount: -1,
    currency: "USD",
    notes: null,
    inferenceDetails: null,
  };
  const rows = Array.from({ length: 110_000 }, () => ({ ...one, timestamp: "1970-01-01T00:00:00.000Z" }));
  const { table } = tableOf([rows, rows]);
  let asked = 0;
  assert.equal(await table.query(all, () => ++asked < 2), undefined);
  assert.equal(asked, 2);
});

test("sums unknown currencies, refunds and unusual names correctly", () => {
  const at = "1970-01-01T00:00:00.000Z";
  const base = { timestamp: at, pricePerUnitUsd: 0.1, units: 3, notes: null, inferenceDetails: null };
  const { columns, words } = tableOf([
    [
      { ...base, sku: "constructor", amount: -0.3, currency: "STARS" },
      { ...base, sku: "constructor", amount: 0.1, units: 1, currency: "STARS" },
      {
        ...base,
        sku: "m-llm-output-mtoken",
        amount: -0.3,
        currency: "__proto__",
        pricePerUnitUsd: Number.NaN,
      },
    ],
  ]);
  const tally = tallyDay(columns[0] ?? assert.fail(), words);
  assert.deepEqual(
    [...tally.total.spend].map((money) => [money.currency, money.digits()]),
    [
      ["STARS", "0.2"],
      ["__proto__", "0.3"],
    ],
  );
  assert.equal(tally.total.usdValue.digits(), "0.2", "a price that is no number is worth nothing known");
  assert.equal(tally.models.get("m")?.tokens, 3_000_000);
});

test("units, prices and amounts of a record are grouped as its tokens are", () => {
  const row = toUsageRow({
    timestamp: "2026-08-15T10:00:00.000Z",
    sku: "guide-llm-input-token",
    pricePerUnitUsd: 1234.5,
    units: 2704,
    amount: -3_338_088.25,
    currency: "USD",
    notes: "",
    inferenceDetails: { promptTokens: 5871 },
  });
  assert.deepEqual(
    [row.units, row.price, row.amount, row.tokens],
    ["2,704", "1,234.5", "3,338,088.25", "5,871"],
  );
});
