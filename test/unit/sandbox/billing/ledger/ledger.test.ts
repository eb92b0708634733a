// The sandbox's keys and bill over several starts.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { dialects } from "../../../../../src/api/dialect/dialect.ts";
import { openAccountJournal } from "../../../../../src/sandbox/state/accountJournal.ts";
import { createIds } from "../../../../../src/sandbox/state/ids.ts";
import { startTestSandbox, type TestSandboxOptions } from "../../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../../api/client.ts";

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 4, 20, 10);

/** A journal in memory instead of a file. */
function createMemory(lines: string[] = []) {
  return {
    lines,
    open: () => ({
      lines: [...lines],
      append: (more: readonly string[]) => void lines.push(...more),
      replace: (others: readonly string[]) => void lines.splice(0, lines.length, ...others),
    }),
  };
}

async function start(t: TestContext, options: TestSandboxOptions) {
  const sandbox = await startTestSandbox({
    dialect: "venice",
    clock: () => nowMs,
    tokensPerSecond: Infinity,
    ...options,
  });
  t.after(() => sandbox.close());
  const { api } = clientOf(t, sandbox.baseUrl, {
    dialect: dialects.venice,
    apiKey: async () => sandbox.apiKey,
  });
  return { api, sandbox };
}
type Started = Awaited<ReturnType<typeof start>>;

async function accountOf({ api }: Started) {
  const { data: keys } = await api.keys.list({});
  const { data: bill } = await api.billing.history({ pageSize: 500 });
  const balance = await api.billing.balance({});
  return { keys: keys.map(({ lastUsedAt: _, last6Chars: __, ...key }) => key), bill, balance };
}

test("keys, bill and balance survive a restart", async (t) => {
  const memory = createMemory();
  const first = await start(t, { journal: memory.open() });
  const { data: made } = await first.api.keys.create({
    apiKeyType: "INFERENCE",
    description: "Kept",
    consumptionLimit: { usd: 1 },
  });
  const { data: gone } = await first.api.keys.create({ apiKeyType: "INFERENCE", description: "Gone" });
  await first.api.keys.revoke({ id: gone.id });
  await first.api.augment.search({ query: "apples" });
  await first.api.augment.search({ query: "pears" });
  const before = await accountOf(first);
  assert.equal(before.bill.length, 2);
  await first.sandbox.close();

  const second = await start(t, { journal: memory.open() });
  assert.deepEqual(await accountOf(second), before);
  assert.notEqual(second.sandbox.apiKey, first.sandbox.apiKey);
  const old = clientOf(t, second.sandbox.baseUrl, {
    dialect: dialects.venice,
    apiKey: async () => made.apiKey,
  });
  await old.api.augment.search({ query: "plums" });
  const stale = clientOf(t, second.sandbox.baseUrl, {
    dialect: dialects.venice,
    apiKey: async () => first.sandbox.apiKey,
  });
  await assert.rejects(stale.api.keys.list({}), { kind: "unauthorized" });
});

test("DIEM are restored the next day, USD the next month", async (t) => {
  const memory = createMemory();
  const balances = { usd: 25, diemPerDay: 0.015 };
  const first = await start(t, { balances, journal: memory.open() });
  for (const query of ["a", "b", "c"]) await first.api.augment.search({ query });
  const at = async (clock: () => number) => {
    const { api, sandbox } = await start(t, { balances, clock, journal: memory.open() });
    const { balances: left } = await api.billing.balance({});
    await sandbox.close();
    return left;
  };
  assert.deepEqual(await at(() => nowMs), { usd: 24.98, diem: 0.005 });
  assert.deepEqual(await at(() => nowMs + dayMs), { usd: 24.98, diem: 0.015 });
  assert.deepEqual(await at(() => nowMs + 20 * dayMs), { usd: 25, diem: 0.015 });
});

test("a new sandbox has one example month, which is free and ends before today", async (t) => {
  const memory = createMemory();
  const first = await start(t, { journal: memory.open(), exampleMonth: true });
  const before = await accountOf(first);
  assert.deepEqual(before.balance.balances, { usd: 25, diem: 10 });
  const names = before.keys
    .map(({ description }) => description)
    .filter((name) => name?.startsWith("Example: "));
  assert.equal(names.length, 3);
  const { data: listed } = await first.api.keys.list({});
  const contradicts = listed.filter(
    ({ lastUsedAt, usage }) =>
      !lastUsedAt && Object.values(usage?.trailingSevenDays ?? {}).some((sum) => Number(sum) > 0),
  );
  assert.deepEqual(contradicts, [], "a key with a spend was used");
  const month = { startDate: "2026-04-20", endDate: "2026-05-20" };
  const analytics = await first.api.billing.analytics(month);
  assert.ok(analytics.byDate.filter(({ USD, DIEM }) => (USD ?? 0) + (DIEM ?? 0) > 0).length >= 28);
  assert.ok(analytics.byModel.length >= 8, `${analytics.byModel.length} products`);
  const today = new Date(nowMs).toISOString().slice(0, 10);
  assert.ok(before.bill.every(({ timestamp }) => timestamp < today));
  await first.sandbox.close();
  const size = memory.lines.length;
  const second = await start(t, { journal: memory.open(), exampleMonth: true });
  assert.deepEqual(await accountOf(second), before);
  assert.equal(memory.lines.length, size);
});

test("a damaged line loses only itself", async (t) => {
  const memory = createMemory();
  const first = await start(t, { journal: memory.open() });
  await first.api.augment.search({ query: "apples" });
  const before = await accountOf(first);
  await first.sandbox.close();
  const bad = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('{"entries":[]}', '{"key":{}}', '{"entries":[{"amo'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(bad, { maxLength: 5 }), fc.nat(), async (lines, at) => {
      const place = at % (memory.lines.length + 1);
      const damaged = createMemory(memory.lines.toSpliced(place, 0, ...lines));
      const books = openAccountJournal(damaged.open(), createIds(1), nowMs);
      assert.equal(books.entries.length, before.bill.length);
      assert.equal(books.keys.length, before.keys.length);
    }),
  );
});

test("the journal keeps 100 days and 20,000 charges, and the last state of each key", () => {
  const entry = (atMs: number) => ({
    atMs,
    sku: "a",
    pricePerUnitUsd: 0.01,
    units: 1,
    amount: -10_000_000,
    currency: "USD",
    notes: "",
    inferenceDetails: null,
    keyId: null,
    product: { model: "a", modelType: null, unitType: "requests" },
  });
  const opened = '{"opened":{"adminKeyId":"a","inferenceKeyId":"b"}}';
  const old = Array.from({ length: 30_000 }, () => JSON.stringify({ entries: [entry(nowMs - 101 * dayMs)] }));
  const fresh = Array.from({ length: 20_500 }, (_, at) =>
    JSON.stringify({ entries: [entry(nowMs - 20_500 + at)] }),
  );
  const memory = createMemory([opened, ...old, ...fresh]);
  const books = openAccountJournal(memory.open(), createIds(1), nowMs);
  assert.equal(books.isNew, false);
  assert.equal(books.entries.length, 20_000);
  assert.equal(books.entries[0]?.atMs, nowMs - 20_000);
  assert.equal(memory.lines.length, 20_001);
});
