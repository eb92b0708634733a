import assert from "node:assert/strict";
import { test } from "node:test";
import { isTopUp, paymentFacts, topUpSums } from "../../../../src/shared/money/topUp.ts";

const payTo = `0x${"1".repeat(40)}`;
const good = { steps: ["Pay"], payments: [{ payTo, amount: "5 USDC" }], balanceUsd: "0" };

test("only values of the right shape and size, without hidden characters, are shown", () => {
  assert.ok(isTopUp(good));
  assert.ok(isTopUp({ steps: [], payments: [] }));
  const wrong: unknown[] = [
    undefined,
    [],
    { steps: "Pay", payments: [] },
    { ...good, steps: [7] },
    { ...good, steps: ["x".repeat(501)] },
    { ...good, steps: Array.from({ length: 21 }, () => "Pay") },
    { ...good, steps: ["pay\u202e"] },
    { ...good, payments: [{ payTo: "0x1" }] },
    { ...good, payments: [{ amount: "5 USDC" }] },
    { ...good, payments: [{ payTo, network: {} }] },
    { ...good, balanceUsd: 0 },
  ];
  for (const value of wrong) assert.equal(isTopUp(value), false, JSON.stringify(value));
});

test("the facts of a payment and the sums leave out what was not stated", () => {
  assert.deepEqual(paymentFacts({ payTo, amount: "5 USDC" }), [
    ["Amount", "5 USDC"],
    ["Address", payTo],
  ]);
  assert.equal(
    topUpSums({ steps: [], payments: [], balanceUsd: "0", suggestedUsd: "10" }),
    "Balance 0 USD · suggested 10 USD",
  );
});
