import assert from "node:assert/strict";
import { test } from "node:test";
import { completionSumText } from "../../../../src/completions/limits/completionSum.ts";
import { createHourCap } from "../../../../src/completions/limits/hourCap.ts";
import type { Spend } from "../../../../src/session/spend/spend.ts";
import type { SpentEntry } from "../../../../src/session/spend/spendLines.ts";
import { amountIn } from "../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { connection } from "../../session/budgetWindow.ts";

const nowMs = Date.UTC(2026, 5, 1, 12);

async function texts(...calls: readonly Pick<SpentEntry, "cost" | "paid" | "most">[]) {
  const entries = calls.map((call, index) => ({
    ...call,
    id: String(index),
    atMs: nowMs - 1000,
    endpoint: "chat.complete",
  }));
  const cap = createHourCap(
    async () => ({ completions: async () => entries }) as Partial<Spend> as Spend,
    () => nowMs,
  );
  const { hour, day } = await cap.spent(connection);
  return { hour: completionSumText(hour, "live"), day: completionSumText(day, "live") };
}
const amount = (text: string, currency: string) => amountIn(currency, text);

test("completions that cost DIEM are never shown as dollars, nor added to them", async () => {
  const diem = { cost: amount("0.25", "DIEM") };
  assert.deepEqual(await texts(diem, diem), { hour: "0.50 DIEM", day: "0.50 DIEM" });
  const both = "$1.00 · 0.25 DIEM";
  assert.deepEqual(await texts(diem, { cost: amount("1", "USD") }), { hour: both, day: both });
  assert.deepEqual(await texts(), { hour: "$0.00", day: "$0.00" });
});

test("the sum of the day is what the bill says was paid, as in the dashboard; that of the hour what its limit counts", async () => {
  for (const currency of ["DIEM", "BUNDLED_CREDITS", "VCU"]) {
    const { hour, day } = await texts({ cost: amount("0.25", "USD"), paid: amount("3", currency) });
    assert.equal(hour, "$0.25");
    assert.match(day ?? "", /^3\.00 (DIEM|bundled credits|VCU)$/);
  }
});

test("a sum with the upper bound of a completion of unknown cost says so, and a ledger that can't be read is not zero", async () => {
  const open = { cost: undefined, most: Counted.parse("0.5") };
  const sum = "≤ $0.50 · 0.25 DIEM";
  assert.deepEqual(await texts(open, { cost: amount("0.25", "DIEM") }), { hour: sum, day: sum });
  assert.equal(completionSumText(undefined, "live"), undefined);
});
