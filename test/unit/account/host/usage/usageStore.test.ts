import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isInAnalytics, toAnalyticsTotals } from "../../../../../src/account/host/usage/analyticsTotals.ts";
import { createDayFiles, noDayFiles } from "../../../../../src/account/host/usage/days/dayFiles.ts";
import { merge, mergeDays } from "../../../../../src/account/host/usage/days/dayTally.ts";
import { UsageStore } from "../../../../../src/account/host/usage/usageStore.ts";
import { nanoText } from "../../../../../src/sandbox/billing/ledger/decimal.ts";
import { type Amounts, nothing } from "../../../../../src/shared/money/amounts.ts";
import { usd } from "../../../../../src/shared/money/money.ts";
import { dayOf, dayText } from "../../../../../src/shared/time/days.ts";
import { type Books, dayMs, openBooks, spendAtRandom, start } from "../bookkeeping.ts";
import { usdOf } from "../money.ts";

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "usage-days-"));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

function storeOf(books: Books, files = noDayFiles) {
  const problems: unknown[] = [];
  const store = new UsageStore({
    api: async () => books.admin,
    files,
    now: books.clock.now,
    report: (error) => problems.push(error),
  });
  return { store, problems };
}

/** The ledger's totals by a name of each entry; positive, as text. */
function ledgerSums(books: Books, nameOf: (entry: ReturnType<Books["entries"]>[number]) => string) {
  const sums = new Map<string, number>();
  for (const entry of books.entries()) {
    const name = nameOf(entry);
    sums.set(name, (sums.get(name) ?? 0) - entry.amount);
  }
  return sorted([...sums].map(([name, nano]) => [name, nanoText(nano)] as const));
}

function sorted(rows: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  return rows.filter(([, amount]) => amount !== "0").toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const texts = (spend: Amounts, prefix = "") =>
  [...spend].map((money) => [`${prefix}${money.currency}`, money.digits()] as const);
const usageRequests = ({ requests }: Books) =>
  requests.filter(({ path }) => path.includes("/billing/usage?"));

test("10,000 random calls: days, models, keys, analytics and the ledger agree to the last digit", async (t) => {
  for (const dialect of ["standard", "venice"] as const) {
    const books = await openBooks(t, dialect);
    spendAtRandom(books, 10_000, 29, ["key-1", "key-2"]);
    const { store, problems } = storeOf(books);
    const [from, to] = [dayOf(Date.parse(start)), dayOf(books.clock.now())];
    const { days, tallies } = await store.load({ from, to });
    assert.equal(
      days.reduce((sum, { size }) => sum + size, 0),
      books.entries().length,
    );
    assert.deepEqual(
      sorted(texts(merge(tallies.map(({ total }) => total)).spend)),
      ledgerSums(books, ({ currency }) => currency),
    );
    assert.deepEqual(
      sorted(tallies.flatMap(({ day, total }) => texts(total.spend, `${dayText(day)} `))),
      ledgerSums(books, ({ atMs, currency }) => `${dayText(dayOf(atMs))} ${currency}`),
    );
    const { models, total } = mergeDays(tallies);
    assert.deepEqual(
      sorted([...models].flatMap(([name, { spend }]) => texts(spend, `${name} `))),
      ledgerSums(books, ({ product, currency }) => `${product.model} ${currency}`),
    );
    const analytics = toAnalyticsTotals(await books.admin.billing.analytics({ lookback: "90d" }));
    assert.deepEqual(analytics.total, total.spend.where(isInAnalytics));
    for (const model of analytics.models) {
      const own = models.get(model.name);
      assert.deepEqual(model.spend, (own?.spend ?? nothing).where(isInAnalytics), model.name);
      for (const part of model.breakdown) {
        assert.equal(usdOf(part.spend), usdOf(own?.parts.get(part.name)?.spend ?? nothing), part.name);
      }
    }
    for (const [day, spend] of analytics.days) {
      const tally = tallies.find((one) => one.day === day);
      assert.equal(usdOf(spend), usdOf(tally?.total.spend ?? nothing));
    }
    assert.deepEqual(
      sorted(analytics.keys.flatMap(({ id, spend }) => texts(spend, `${id} `))),
      ledgerSums(books, ({ keyId, currency }) => `${keyId} ${currency}`),
    );
    assert.deepEqual(problems, []);
  }
});

test("USD per model and day comes from the records, because the daily series have only DIEM and eight models", async (t) => {
  const books = await openBooks(t, "standard", { balances: { usd: 1000, diemPerDay: 0 } });
  const details = { keyId: null, requestId: "r", executionMs: 1 };
  for (let model = 0; model < 12; model++) {
    books.billing.charge({
      keyId: null,
      product: { model: `model-${model}`, modelType: "LLM", unitType: "tokens" },
      lines: [{ sku: `model-${model}-llm-input-token`, pricePerUnitUsd: 0.001, units: 10 + model }],
      inferenceDetails: { requestId: details.requestId, inferenceExecutionTime: 1 },
    });
  }
  const day = dayOf(books.clock.now());
  const series = (await books.admin.billing.analytics({})).byModelDaily[0] ?? {};
  assert.equal(Object.keys(series).length, 9, "eight models and the date");
  assert.ok(Object.entries(series).every(([name, value]) => name === "date" || value === 0));
  const { tallies } = await storeOf(books).store.load({ from: day, to: day });
  assert.equal(tallies[0]?.models.size, 12);
  assert.equal(tallies[0]?.models.get("model-11")?.spend.in("USD").digits(), "0.021");
});

test("records before and after midnight UTC belong to two days", async (t) => {
  const books = await openBooks(t);
  const charge = () =>
    books.billing.charge({
      keyId: null,
      product: { model: "augment-search", modelType: null, unitType: "requests" },
      lines: [{ sku: "augment-search-request", pricePerUnitUsd: 0.01, units: 1 }],
      inferenceDetails: null,
    });
  books.clock.set("2026-08-15T23:59:59.999Z");
  charge();
  books.clock.set("2026-08-16T00:00:00.000Z");
  charge();
  charge();
  const day = dayOf(books.clock.now());
  const { tallies } = await storeOf(books).store.load({ from: day - 1, to: day });
  assert.deepEqual(
    tallies.map(({ total }) => total.records),
    [1, 2],
  );
});

test("requests a closed day once, and an open one again", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 300, 10, []);
  const path = folder(t);
  const range = { from: dayOf(Date.parse(start)), to: dayOf(books.clock.now()) };
  const first = await storeOf(books, createDayFiles(path)).store.load(range);
  const closed = readdirSync(path);
  assert.equal(closed.length, range.to - range.from - 2, "all but today and the two days before");
  const asked = usageRequests(books).length;
  // Another window, a day later.
  books.clock.advance(10 * 60_000);
  const second = await storeOf(books, createDayFiles(path)).store.load(range);
  assert.deepEqual(second.tallies, first.tallies);
  const last = new URLSearchParams(usageRequests(books).at(-1)?.path.split("?")[1]);
  assert.equal(dayOf(Date.parse(last.get("startDate") ?? "")), range.to - 2);
  assert.equal(usageRequests(books).length, asked + 1);
});

test("what was asked before another key was stored is not kept among the days of the new key", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 60, 12, ["key-1"]);
  const path = folder(t);
  const range = { from: dayOf(Date.parse(start)), to: dayOf(books.clock.now()) - 3 };
  const files = createDayFiles(
    path,
    () => !books.requests.some(({ path: asked }) => asked.includes("usage?")),
  );
  await storeOf(books, files).store.load(range);
  assert.deepEqual(readdirSync(path), []);
});

test("finds late records of an open day on the next refresh", async (t) => {
  const books = await openBooks(t);
  const { store } = storeOf(books);
  spendAtRandom(books, 10, 0.1, []);
  const day = dayOf(books.clock.now());
  const sizeOf = async (maxAgeMs?: number) =>
    (await store.load({ from: day, to: day }, maxAgeMs === undefined ? {} : { maxAgeMs })).tallies[0]?.total
      .records;
  const before = await sizeOf();
  spendAtRandom(books, 5, 0.0001, []);
  assert.equal(await sizeOf(), before, "less than a minute old");
  assert.ok(((await sizeOf(0)) ?? 0) > (before ?? 0));
});

test("moves a damaged file of a day aside and requests the day again", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 200, 8, []);
  const path = folder(t);
  const range = { from: dayOf(Date.parse(start)), to: dayOf(books.clock.now()) - 5 };
  const { tallies } = await storeOf(books, createDayFiles(path)).store.load(range);
  const name = `${dayText(range.from)}.jsonl`;
  for (const damage of [
    "",
    "not JSON\n",
    '{"v":1,"day":"2026-08-15","records":900}\n',
    '{"v":1}\n{"a":1}\n',
  ]) {
    writeFileSync(join(path, name), damage);
    const { store, problems } = storeOf(books, createDayFiles(path));
    assert.deepEqual((await store.load(range)).tallies, tallies, JSON.stringify(damage));
    assert.deepEqual(problems, []);
  }
  assert.equal(readdirSync(path).filter((file) => file.startsWith(name) && file.endsWith(".bad")).length, 4);
});

test("sums an account without usage, a legacy currency and a refund", async (t) => {
  const books = await openBooks(t, "standard", { history: { count: 3_000, days: 5 } });
  const range = { from: dayOf(Date.parse(start) - 5 * dayMs), to: dayOf(Date.parse(start)) };
  const { tallies } = await storeOf(books).store.load(range);
  const { total } = mergeDays(tallies);
  assert.deepEqual(total.spend.currencies.toSorted(), ["BUNDLED_CREDITS", "DIEM", "USD", "VCU"]);
  assert.deepEqual(
    sorted(texts(total.spend)),
    ledgerSums(books, ({ currency }) => currency),
  );
  const worth = [...total.spend]
    .map((money) => usd(money.digits()))
    .reduce((sum, amount) => sum.plus(amount));
  assert.deepEqual(total.usdValue, worth, "the sandbox prices all currencies at par");
  const empty = await storeOf(await openBooks(t)).store.load(range);
  assert.deepEqual([empty.days.length, mergeDays(empty.tallies).total.records], [6, 0]);
});
