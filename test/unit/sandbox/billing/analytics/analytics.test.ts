// Usage analytics of the sandbox: spec E1, and venice's additions (wire.md section 6).
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UsageAnalytics } from "../../../../../src/api/endpoints/account/billing.ts";
import { createBilling } from "../../../../../src/sandbox/billing/billing.ts";
import {
  type Charge,
  chatCharge,
  imageCharge,
  requestCharge,
  rpcCharge,
  speechCharge,
} from "../../../../../src/sandbox/billing/ledger/charge.ts";
import { Refusal } from "../../../../../src/sandbox/refusal.ts";
import { createClock, dayMs, minuteMs } from "../../clock.ts";

interface Options {
  readonly dialect?: "standard" | "venice";
  readonly diemPerDay?: number;
  readonly names?: Readonly<Record<string, string>>;
}

function open({ dialect = "standard", diemPerDay = 1_000, names = {} }: Options = {}) {
  const clock = createClock();
  const billing = createBilling({
    dialect,
    now: clock.now,
    balances: { usd: 1_000, diemPerDay },
    describeKey: (id) => names[id],
  });
  const read = (query: Parameters<typeof billing.analytics>[0] = {}) =>
    UsageAnalytics.parse(billing.analytics(query));
  return { clock, billing, read };
}

/** One line with this amount of USD for one model. */
function use(model: string, usd: number, keyId: string | null = "key-1"): Charge {
  return {
    keyId,
    product: { model, modelType: "IMAGE", unitType: "images" },
    lines: [{ sku: model, pricePerUnitUsd: usd, units: 1 }],
    inferenceDetails: null,
  };
}

function refuses(query: object) {
  const { billing } = open();
  assert.throws(
    () => billing.analytics(query),
    (error) => error instanceof Refusal && error.status === 400,
    JSON.stringify(query),
  );
}

describe("the period", () => {
  test("is the last seven UTC days including today by default", () => {
    const { billing, clock, read } = open();
    clock.set("2026-08-08T23:59:59.999Z");
    billing.charge(use("out", 1));
    clock.set("2026-08-09T00:00:00Z");
    billing.charge(use("in", 1));
    clock.set("2026-08-15T10:00:00Z");
    assert.equal(read().lookback, "7d");
    assert.deepEqual(read().topModels, ["in"]);
    assert.deepEqual(read({ lookback: "8d" }).topModels, ["in", "out"]);
    assert.deepEqual(read({ lookback: "6d" }).topModels, []);
  });

  test("is a range of whole days, both ends included", () => {
    const { billing, clock, read } = open();
    for (const day of ["01", "02", "03"]) {
      clock.set(`2026-08-${day}T23:59:59.999Z`);
      billing.charge(use(day, 1));
    }
    const seen = read({ startDate: "2026-08-02", endDate: "2026-08-03" });
    assert.equal(seen.lookback, "2026-08-02:2026-08-03");
    assert.deepEqual(
      seen.byDate.map(({ date }) => date),
      ["2026-08-02", "2026-08-03"],
    );
    assert.deepEqual(read({ startDate: "2026-08-02", endDate: "2026-08-02" }).topModels, ["02"]);
  });

  test("has validated parameters", () => {
    for (const lookback of ["0d", "91d", "7", "-1d", "1.5d", "07d", "7d ", "9999999999d"])
      refuses({ lookback });
    refuses({ startDate: "2026-08-01" });
    refuses({ endDate: "2026-08-01" });
    refuses({ startDate: "2026-08-02", endDate: "2026-08-01" });
    refuses({ startDate: "2026-02-31", endDate: "2026-03-01" });
    refuses({ startDate: "2026-8-1", endDate: "2026-08-02" });
    refuses({ lookback: "7d", startDate: "2026-08-01", endDate: "2026-08-02" });
    open().read({ lookback: "90d" });
  });
});

test("a reply is cached for ten minutes, for each query separately", () => {
  const { billing, clock, read } = open();
  billing.charge(use("first", 1));
  assert.deepEqual(read().topModels, ["first"]);
  billing.charge(use("second", 2));
  clock.advance(10 * minuteMs - 1);
  assert.deepEqual(read().topModels, ["first"]);
  assert.deepEqual(read({ lookback: "3d" }).topModels, ["second", "first"]);
  clock.advance(1);
  assert.deepEqual(read().topModels, ["second", "first"]);
});

test("models have their sides, if there are several", () => {
  const { billing, read } = open({ diemPerDay: 0 });
  billing.charge(
    chatCharge({
      keyId: "key-1",
      requestId: "r",
      executionMs: 1,
      model: "guide",
      price: { input: 0.2, output: 0.8, cacheInput: 0.05 },
      promptTokens: 1_000,
      cachedTokens: 400,
      completionTokens: 50,
    }),
  );
  billing.charge(use("canvas", 0.04));
  const [canvas, guide] = read().byModel;
  assert.deepEqual(canvas, {
    modelName: "canvas",
    unitType: "images",
    modelType: "IMAGE",
    totalUsd: 0.04,
    totalDiem: 0,
    totalUnits: 1,
  });
  assert.deepEqual(guide, {
    modelName: "guide",
    unitType: "tokens",
    modelType: "LLM",
    totalUsd: 0.00018,
    totalDiem: 0,
    totalUnits: 1_050,
    breakdown: [
      { type: "Input", usd: 0.00012, diem: 0, units: 600 },
      { type: "Cache Read", usd: 0.00002, diem: 0, units: 400 },
      { type: "Output", usd: 0.00004, diem: 0, units: 50 },
    ],
  });
});

test("keys are named by their description, usage without a key as Web App", () => {
  const { billing, read } = open({ names: { "key-1": "CI" } });
  billing.charge(use("canvas", 1));
  billing.charge(use("canvas", 3, null));
  billing.charge(use("canvas", 2, "gone"));
  const { byKey, topKeyNames, byKeyDaily } = read();
  assert.deepEqual(
    byKey.map(({ apiKeyId, description, totalDiem }) => [apiKeyId, description, totalDiem]),
    [
      [null, "Web App", 3],
      ["gone", "gone", 2],
      ["key-1", "CI", 1],
    ],
  );
  assert.deepEqual(topKeyNames, ["Web App", "gone", "CI"]);
  assert.deepEqual(byKeyDaily, [{ date: Date.UTC(2026, 7, 15), "Web App": 3, gone: 2, CI: 1 }]);
});

test("the charts have the top 8, in DIEM, a row per day", () => {
  const { billing, clock, read } = open({ diemPerDay: 4.5 });
  for (let n = 1; n <= 9; n++) billing.charge(use(`m${n}`, n / 10));
  clock.advance(dayMs);
  billing.charge(use("m1", 0.05));
  const seen = read();
  assert.deepEqual(seen.topModels, ["m9", "m8", "m7", "m6", "m5", "m4", "m3", "m2"]);
  const [first, second] = seen.byModelDaily;
  assert.deepEqual(first, {
    date: Date.UTC(2026, 7, 15),
    m9: 0.9,
    m8: 0.8,
    m7: 0.7,
    m6: 0.6,
    m5: 0.5,
    m4: 0.4,
    m3: 0.3,
    m2: 0.2,
  });
  assert.deepEqual(Object.values(second ?? {}), [Date.UTC(2026, 7, 16), 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.equal(seen.byModelDailyUsd, undefined);
});

test("venice charts 50 and the others as one, in both currencies, with full timestamps", () => {
  const { billing, read } = open({ dialect: "venice", diemPerDay: 0 });
  for (let n = 1; n <= 60; n++) billing.charge(use(`m${n}`, n / 100));
  const { byModelDaily, byModelDailyUsd, byKeyDailyUsd, byDate, topModels } = read();
  assert.deepEqual(byDate, [{ date: "2026-08-15T00:00:00.000Z", USD: 18.3, DIEM: 0 }]);
  const [row = {}] = byModelDailyUsd ?? [];
  assert.equal(Object.keys(row).length, 1 + 50 + 1);
  // 1 to 10 cents.
  assert.equal(row.Other, 0.55);
  assert.equal(row.m60, 0.6);
  assert.equal(byModelDaily[0]?.m60, 0);
  assert.equal(topModels.length, 8);
  assert.deepEqual(byKeyDailyUsd, [{ date: Date.UTC(2026, 7, 15), "key-1": 18.3 }]);
});

test("names of members of Object are only data, and none replaces the date", () => {
  const names = { a: "__proto__", b: "date", c: "constructor", d: "same", e: "same" };
  const { billing } = open({ names });
  for (const id of ["a", "b", "c", "d", "e"]) billing.charge(use("canvas", 1, id));
  // As in the HTTP reply.
  const { byKeyDaily, topKeyNames, byKey } = JSON.parse(JSON.stringify(billing.analytics({})));
  const row = new Map(Object.entries(byKeyDaily[0]));
  assert.deepEqual([...row.keys()].sort(), ["__proto__", "constructor", "date", "date (usage)", "same"]);
  assert.deepEqual([row.get("__proto__"), row.get("constructor"), row.get("same")], [1, 1, 2]);
  assert.deepEqual([row.get("date"), row.get("date (usage)")], [Date.UTC(2026, 7, 15), 1]);
  assert.deepEqual(topKeyNames.sort(), ["__proto__", "constructor", "date (usage)", "same"]);
  assert.equal(byKey.length, 5);
});

test("models are counted in the spec's units; what is no usage of a model has units of its own", () => {
  const { billing, read } = open();
  const spent = { keyId: "key-1", requestId: "r", executionMs: 1 };
  const price = { input: 1, output: 1, cacheInput: 1 };
  const tokens = { price, promptTokens: 10, cachedTokens: 0, completionTokens: 1 };
  for (const charge of [
    chatCharge({ ...spent, ...tokens, model: "guide" }),
    imageCharge({ ...spent, model: "canvas", images: 1, usdPerImage: 0.01 }),
    speechCharge({ ...spent, model: "speaker", characters: 7, usdPerMillion: 4 }),
    requestCharge({ keyId: "key-1", name: "search", usd: 0.01 }),
    rpcCharge({ keyId: "key-1", network: "base-mainnet", credits: 20, usdPerCredit: 1e-6 }),
  ])
    billing.charge(charge);
  const rows = read().byModel.map(({ modelType, unitType }) => [modelType, unitType].join(" "));
  assert.deepEqual(rows.sort(), [" credits", " requests", "IMAGE images", "LLM tokens", "TTS chars"]);
});
