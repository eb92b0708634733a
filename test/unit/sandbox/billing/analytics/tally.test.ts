// For any charges, pages, CSV, history, analytics and usage of keys equal the ledger to the last digit.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { UsageAnalytics } from "../../../../../src/api/endpoints/account/billing.ts";
import { type Billing, createBilling } from "../../../../../src/sandbox/billing/billing.ts";
import { csvText } from "../../../../../src/sandbox/billing/handlers.ts";
import {
  type Charge,
  chatCharge,
  requestCharge,
  rpcCharge,
  speechCharge,
} from "../../../../../src/sandbox/billing/ledger/charge.ts";
import { toNano } from "../../../../../src/sandbox/billing/ledger/decimal.ts";
import { toUsageRecord } from "../../../../../src/sandbox/billing/ledger/entry.ts";
import { dayOf } from "../../../../../src/shared/time/days.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { createClock, dayMs } from "../../clock.ts";

const keyIds = ["key-1", "key-2", null] as const;
const keyId = fc.constantFrom(...keyIds);
const tokens = fc.integer({ min: 0, max: 200_000 });
const price = fc.integer({ min: 0, max: 20_000 }).map((thousandths) => thousandths / 1_000);
const details = { requestId: "r", executionMs: 5 };

const charge: fc.Arbitrary<Charge> = fc.oneof(
  fc
    .record({
      keyId,
      model: fc.constantFrom("guide", "thinker"),
      price: fc.record({ input: price, output: price, cacheInput: price }),
      promptTokens: tokens,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      completionTokens: tokens,
    })
    .map(({ share, ...spent }) =>
      chatCharge({ ...details, ...spent, cachedTokens: Math.floor(share * spent.promptTokens) }),
    ),
  fc
    .record({ keyId, characters: fc.integer({ min: 1, max: 4_096 }), usdPerMillion: price })
    .map((spent) => speechCharge({ ...details, ...spent, model: "speaker" })),
  fc
    .record({
      keyId,
      credits: fc.integer({ min: 5, max: 8_000 }),
      usdPerCredit: fc.constantFrom(6.25e-7, 7e-7),
    })
    .map((spent) => rpcCharge({ ...spent, network: "base-mainnet" })),
  keyId.map((id) => requestCharge({ keyId: id, name: "scrape", usd: 0.01 })),
);

const steps = fc.array(fc.record({ charge, waitMs: fc.integer({ min: 0, max: 2 * dayMs }) }), {
  maxLength: 40,
});

type Record = { amount: number; currency: string; units: number };
interface Sums {
  readonly USD: number;
  readonly DIEM: number;
  readonly units: number;
}

/** Amounts in nano-USD, as printed. */
function sumsOf(records: readonly Record[]): Sums {
  const of = (currency: string) =>
    records
      .filter((record) => record.currency === currency)
      .reduce((sum, { amount }) => sum - toNano(amount), 0);
  return { USD: of("USD"), DIEM: of("DIEM"), units: records.reduce((sum, { units }) => sum + units, 0) };
}

function pages(billing: Billing): Record[] {
  const records: Record[] = [];
  for (let page = 1; ; page++) {
    const { entries, pagination } = billing.usage({ limit: 7, page });
    records.push(...(entries.map(toUsageRecord) as Record[]));
    if (page >= pagination.totalPages) return records;
  }
}

function csvRecords(billing: Billing): Record[] {
  const records: Record[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = billing.history(cursor === undefined ? { pageSize: 10 } : { cursor });
    const [, ...rows] = csvText(page.entries).trimEnd().split("\r\n");
    for (const row of rows) {
      const [, , , units, amount, currency = ""] = row.split(",");
      records.push({ units: Number(units), amount: Number(amount), currency });
    }
    cursor = page.nextCursor;
  }
  return records;
}

function added<Row>(rows: readonly Row[], usd: (row: Row) => number, diem: (row: Row) => number): object {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + toNano(of(row)), 0);
  return { USD: sum(usd), DIEM: sum(diem) };
}

test("all billing routes agree", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom("standard" as const, "venice" as const), (taken, dialect) => {
      const clock = createClock();
      const billing = createBilling({
        dialect,
        now: clock.now,
        balances: { usd: 1_000, diemPerDay: 0.5 },
        describeKey: (id) => id,
      });
      for (const { charge: charged, waitMs } of taken) {
        clock.advance(waitMs);
        billing.charge(charged);
      }
      const sums = sumsOf(pages(billing));
      assert.deepEqual(sumsOf(csvRecords(billing)), sums);
      // All of it is within 90 days: at most 40 waits of two days.
      const seen = UsageAnalytics.parse(billing.analytics({ lookback: "90d" }));
      const { units, ...money } = sums;
      const total = (row: { totalUsd: number }) => row.totalUsd;
      const totalDiem = (row: { totalDiem: number }) => row.totalDiem;
      assert.deepEqual(
        added(
          seen.byDate,
          (row) => row.USD,
          (row) => row.DIEM,
        ),
        money,
      );
      assert.deepEqual(added(seen.byModel, total, totalDiem), money);
      assert.deepEqual(added(seen.byKey, total, totalDiem), money);
      assert.equal(
        seen.byModel.reduce((sum, row) => sum + row.totalUnits, 0),
        units,
      );
      for (const { breakdown, ...row } of seen.byModel) {
        if (!breakdown) continue;
        const whole = added([row], total, totalDiem);
        assert.deepEqual(
          added(
            breakdown,
            (part) => part.usd,
            (part) => part.diem,
          ),
          whole,
        );
      }
      const series = (rows: readonly object[]) =>
        rows.flatMap((row) => Object.entries(row)).filter(([name]) => name !== "date");
      const charted = (rows: readonly object[]) =>
        series(rows).reduce((sum, [, value]) => sum + toNano(value as number), 0);
      assert.equal(charted(seen.byModelDaily), sums.DIEM);
      assert.equal(charted(seen.byKeyDaily), sums.DIEM);
      if (dialect === "venice") assert.equal(charted(seen.byModelDailyUsd ?? []), sums.USD);
      for (const id of keyIds) {
        const row = seen.byKey.find(({ apiKeyId }) => apiKeyId === id);
        if (id === null || !row) continue;
        const { USD, DIEM } = billing.spentSince(id, dayOf(0));
        assert.deepEqual({ USD, DIEM }, added([row], total, totalDiem));
      }
    }),
    { numRuns: randomCases(150) },
  );
});
