// An account that pays in DIEM alone has its budgets in DIEM, from the first call of the month on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { spendBarOf } from "../../../../src/account/host/tree/spendBarText.ts";
import type { Charged } from "../../../../src/api/money/charge.ts";
import { createSpend } from "../../../../src/session/spend/spend.ts";
import { budgetStates, countedText, limitText, restText } from "../../../../src/session/spend/spendBudget.ts";
import { createSpendGate } from "../../../../src/session/spend/spendGate.ts";
import { noNames } from "../../../../src/shared/chat/modelNames.ts";
import { type Amounts, amountIn, nothing } from "../../../../src/shared/money/amounts.ts";
import { dayOf } from "../../../../src/shared/time/days.ts";
import { noTotals } from "../../account/host/money.ts";
import { createClock } from "../../sandbox/clock.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { connection } from "../budgetWindow.ts";
import { search } from "../spendGateKit.ts";

const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] as const };
const budgets = { dayUsd: undefined, monthUsd: 20, hardStop: true };

const monthOf = (month: Amounts, paidIn?: "USD" | "DIEM") => {
  const [state] = budgetStates(budgets, {
    ...noTotals,
    month,
    isMonthBilled: true,
    ...(paidIn ? { paidIn } : {}),
  });
  assert.ok(state);
  return [countedText(state), restText(state), limitText(state)];
};

test("a budget is said in the currency that uses it up, and as a share if both do", () => {
  const diem = amountIn("DIEM", "12.5");
  assert.deepEqual(monthOf(diem), ["12.50 DIEM of 20.00 DIEM", "7.50 DIEM left", "20.00 DIEM"]);
  assert.deepEqual(monthOf(diem.plus(amountIn("VCU", 9))), monthOf(diem), "VCU does not count");
  assert.deepEqual(monthOf(diem.plus(diem)), [
    "25.00 DIEM of 20.00 DIEM",
    "5.00 DIEM over budget",
    "20.00 DIEM",
  ]);
  assert.deepEqual(monthOf(diem.plus(amountIn("USD", "2.5"))), [
    "$2.50 · 12.50 DIEM of $20.00",
    "25 % of the budget left",
    "$20.00",
  ]);
  assert.deepEqual(monthOf(nothing), ["$0.00 of $20.00", "$20.00 left", "$20.00"]);
  assert.deepEqual(monthOf(nothing, "DIEM"), ["0.00 DIEM of 20.00 DIEM", "20.00 DIEM left", "20.00 DIEM"]);
  assert.deepEqual(monthOf(amountIn("USD", 1), "DIEM")[0], "$1.00 of $20.00", "what was paid decides");
});

function open() {
  const clock = createClock();
  const spend = createSpend({
    folder: temporaryFolder(),
    now: clock.now,
    onChange() {},
    report: (error) => assert.fail(String(error)),
  });
  const gate = createSpendGate({
    spend,
    budgets: () => ({ ...budgets, monthUsd: 0.015 }),
    consents: { allow: async () => {}, use: () => false } as never,
    state: { get: (_: string, other?: unknown) => other, update: async () => {} } as never,
    now: clock.now,
    warn() {},
    ask: async () => "no",
  });
  const charge = (fact: Charged["fact"]) =>
    spend.record(connection, { type: "charged", endpoint: "augment.search", fact }, prices);
  return { clock, spend, gate, charge };
}

test("where the service says that calls are paid in DIEM, a price is one in DIEM from the first call on", async () => {
  const { spend, charge } = open();
  charge({ by: "request", usd: 0.01 });
  assert.deepEqual((await spend.totals(connection)).month.toTexts(), { USD: "0.01" });
  await spend.takePaidIn(connection, "DIEM");
  charge({ by: "request", usd: 0.01 });
  charge({ by: "tokens", cost: { usd: 0.02, diem: 0.02 } });
  charge({ by: "tokens", cost: { usd: 0.5, diem: 0 } });
  const { month, paidIn } = await spend.totals(connection);
  assert.equal(paidIn, "DIEM");
  assert.deepEqual(month.toTexts(), { USD: "0.5", DIEM: "0.04" }, "0 DIEM beside dollars is paid in dollars");
  await spend.takePaidIn(connection, "USD");
  assert.deepEqual((await spend.totals(connection)).month.toTexts(), { USD: "0.51", DIEM: "0.03" });
  await spend.takePaidIn(connection, "VCU");
  assert.equal((await spend.totals(connection)).paidIn, undefined);
});

test("the refusal and the status bar of such an account say DIEM", async () => {
  const { clock, spend, gate, charge } = open();
  await spend.takePaidIn(connection, "DIEM");
  const refusal = () =>
    gate.admit(connection, search, prices, undefined).then(
      () => undefined,
      (error: Error) => error.message,
    );
  charge({ by: "request", usd: 0.01 });
  assert.match(
    (await refusal()) ?? "",
    /this may cost 0\.010 DIEM, more than the budget of this month has left: (at least )?0\.010 DIEM of 0\.015 DIEM is spent/,
  );
  const totals = await spend.totals(connection);
  const stored = {
    day: dayOf(clock.now()),
    today: nothing.toTexts(),
    month: totals.month.toTexts(),
    isTodayBilled: true,
    isMonthBilled: true,
    paidIn: "DIEM",
  };
  const bar = spendBarOf(connection, { ...budgets, monthUsd: 20 }, stored, clock.now());
  assert.equal(bar?.text, "0.00 DIEM today · 19.99 DIEM left");
  assert.match(bar?.tooltip ?? "", /\| Budget of the month \| 20\.00 DIEM, 19\.99 DIEM left \|/);
  assert.doesNotMatch(bar?.tooltip ?? "", /\$/);
});
