import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../../../src/api/endpoints/models.ts";
import type { ChargeFact } from "../../../../src/api/money/charge.ts";
import type { ChargeEntry, PriceBook } from "../../../../src/api/money/ledger.ts";
import { createChargeLedger } from "../../../contract/suite/chargeLedger.ts";

const model = Model.parse({
  id: "m",
  model_spec: {
    pricing: { input: { usd: 1, diem: 1 }, output: { usd: 2, diem: 2 }, generation: { usd: 0.05 } },
  },
});
const prices: PriceBook = { model: (id) => (id === "m" ? model : undefined), usdPerCredit: [6.25e-7, 7e-7] };
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };

function entryOf(fact: ChargeFact, of = "m"): ChargeEntry {
  const ledger = createChargeLedger(prices, () => 7);
  ledger.record({ type: "charged", endpoint: "e", model: of, requestId: "r", fact });
  const [entry] = ledger.entries;
  assert.ok(entry);
  return entry;
}

const cases: readonly (readonly [string, ChargeFact, ChargeEntry["basis"], readonly number[] | undefined])[] =
  [
    ["a flat price", { by: "request", usd: 0.01 }, "reported", [0.01, 0.01]],
    [
      "what the headers state",
      { by: "credits", credits: 20, usd: 0.0000125, replayed: false },
      "stated",
      [0.0000125, 0.0000125],
    ],
    [
      "credits without a price: the range",
      { by: "credits", credits: 20, replayed: false },
      "reported",
      [0.0000125, 0.000014],
    ],
    [
      "a replay, which is free",
      { by: "credits", credits: 20, usd: 0.0000125, replayed: true },
      "stated",
      [0, 0],
    ],
    [
      "a cost member before any computing",
      { by: "tokens", usage, cost: { usd: 3, diem: 0 } },
      "stated",
      [3, 3],
    ],
    ["usage at the model's prices", { by: "tokens", usage }, "reported", [0.002, 0.002]],
    ["a stream that ended before it told", { by: "tokens" }, "unknown", undefined],
    ["characters", { by: "characters", characters: 2_000_000 }, "estimated", [2, 2]],
    ["an image", { by: "image", inputs: 1 }, "estimated", [0.05, 0.05]],
  ];
for (const [what, fact, basis, usd] of cases) {
  test(`enters ${what}`, () => {
    const entry = entryOf(fact);
    assert.deepEqual(
      [entry.basis, entry.amount.usd?.map((value) => Number(value.toFixed(12)))],
      [basis, usd],
    );
    assert.deepEqual([entry.atMs, entry.requestId], [7, "r"]);
  });
}

test("tells its listeners, sums what has a price and counts what has none", () => {
  const ledger = createChargeLedger(prices, () => 0);
  const received: ChargeEntry[] = [];
  const end = ledger.onEntry((entry) => received.push(entry));
  ledger.record({ type: "charged", endpoint: "augment.search", fact: { by: "request", usd: 0.01 } });
  ledger.record({ type: "charged", endpoint: "chat.stream", model: "m", fact: { by: "tokens", usage } });
  ledger.record({ type: "charged", endpoint: "chat.stream", model: "gone", fact: { by: "tokens" } });
  end();
  ledger.record({ type: "charged", endpoint: "augment.search", fact: { by: "request", usd: 0.01 } });
  assert.equal(received.length, 3);
  const { amount, unpriced } = ledger.total();
  assert.deepEqual(
    amount.usd?.map((value) => Number(value.toFixed(9))),
    [0.022, 0.022],
  );
  assert.equal(unpriced, 1);
});
