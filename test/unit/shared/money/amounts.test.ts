import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { spentOn } from "../../../../src/chat/host/conversation/spending.ts";
import { formatCost } from "../../../../src/chat/page/format.ts";
import { budgetStates, countedText, restText, ruleText } from "../../../../src/session/spend/spendBudget.ts";
import { Amounts, amountIn, fromAmountTexts } from "../../../../src/shared/money/amounts.ts";
import { budgetRule, Counted } from "../../../../src/shared/money/budgetRule.ts";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { toRuntimeCurrency } from "../../../../src/shared/money/money.ts";
import { spendText } from "../../../../src/shared/money/moneyText.ts";
import { limitText, priceText, statedPrice } from "../../../../src/shared/money/statedPrice.ts";
import { noTotals } from "../../account/host/money.ts";

const currencies = ["USD", "DIEM", "VCU", "BUNDLED_CREDITS", "EUR", "__proto__", ""];
const rowsOf = (amounts: Amounts) =>
  [...amounts].map((money) => ({ currency: money.currency, digits: money.digits() }));

const currency = fc.constantFrom(...currencies);
const amounts = fc
  .array(fc.tuple(currency, fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })))
  .map((list) => Amounts.sum(list.map(([name, amount]) => amountIn(name, exactText(amount)))));

test("sums add each currency to itself alone, in any order, and survive the disk to the last digit", () => {
  fc.assert(
    fc.property(amounts, amounts, amounts, (a, b, c) => {
      assert.ok(a.plus(b.plus(c)).equals(c.plus(a).plus(b)));
      for (const name of currencies.map(toRuntimeCurrency))
        assert.deepEqual(a.plus(b).in(name), a.in(name).plus(b.in(name)));
      assert.deepEqual(fromAmountTexts(JSON.parse(JSON.stringify(a.toTexts()))), a);
      for (const { currency, digits } of rowsOf(a.excessOver(b)))
        assert.equal(
          digits,
          a
            .in(toRuntimeCurrency(currency))
            .minus(b.in(toRuntimeCurrency(currency)))
            .digits(),
        );
    }),
  );
});

test("what is no record of decimals is no amount", () => {
  for (const wrong of [null, 1, "1", [], { USD: 1 }, { USD: "1e9" }, { USD: "NaN" }, { USD: "" }])
    assert.equal(fromAmountTexts(wrong), undefined, JSON.stringify(wrong));
});

const all = Amounts.sum([
  amountIn("BUNDLED_CREDITS", "47.96"),
  amountIn("USD", "194.19"),
  amountIn("VCU", "48.16"),
  amountIn("DIEM", "97.49"),
]);

test("several currencies are written beside each other", () => {
  assert.equal(spendText(all), "$194.19 · 97.49 DIEM · 47.96 bundled credits · 48.16 VCU");
});

const monthOf = (month: Amounts, monthUsd = 200) => {
  const totals = { ...noTotals, month, isMonthBilled: true };
  const [state] = budgetStates({ dayUsd: undefined, monthUsd, hardStop: true }, totals);
  return state ?? assert.fail("no budget");
};

test("a budget counts USD and DIEM alone, and says it without a sum of both", () => {
  const state = monthOf(all);
  assert.equal(Counted.of(all).digits(), "291.68");
  assert.equal(countedText(state), "$194.19 · 97.49 DIEM of $200.00");
  assert.equal(restText(state), "45 % over budget");
  assert.equal(ruleText(state), budgetRule);
  const credits = monthOf(amountIn("BUNDLED_CREDITS", 1000));
  assert.deepEqual([credits.level, restText(credits)], ["fine", "$200.00 left"]);
  const both = amountIn("DIEM", "198.9").plus(amountIn("USD", 1));
  assert.equal(restText(monthOf(both)), "less than 1 % of the budget left");
  assert.equal(restText(monthOf(amountIn("DIEM", "199.9"))), "0.10 DIEM left");
  assert.equal(restText(monthOf(amountIn("USD", "204.19"))), "$4.19 over budget");
});

test("the rule is said where budgets are set and explained", () => {
  const manifest = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  const guide = readFileSync(new URL("../../../../media/docs/15-account.md", import.meta.url), "utf8");
  for (const setting of ["dayBudgetUsd", "monthBudgetUsd"]) {
    const [, description = ""] =
      new RegExp(`"inference.account.${setting}": \\{[^}]*"markdownDescription": "([^"]*)"`).exec(manifest) ??
      [];
    assert.match(description, /USD.*DIEM counts 1:1.*VCU or bundled credits paid does not count/, setting);
  }
  assert.match(guide, /A budget counts USD, and DIEM 1:1/);
  assert.match(budgetRule, /USD, and DIEM 1:1.*VCU and bundled credits do not count/);
});

test("a price in both currencies is one price, and 0 USD beside DIEM is not free", () => {
  assert.deepEqual(statedPrice(0.5, 0.5), { currency: "USD", amount: 0.5 });
  assert.deepEqual(statedPrice(0, 0.5), { currency: "DIEM", amount: 0.5 });
  assert.deepEqual(statedPrice(null, 0.5), { currency: "DIEM", amount: 0.5 });
  assert.deepEqual(statedPrice(0, undefined), { currency: "USD", amount: 0 });
  assert.equal(statedPrice(undefined, null), undefined);
  assert.equal(priceText({ currency: "DIEM", amount: 1e-9 }), "0.0000000010 DIEM");
  const answer = {
    role: "assistant",
    id: "1",
    model: "m",
    text: "",
    reasoning: "",
    state: "done",
    startedAtMs: 0,
    timing: {},
    usage: { promptTokens: 1, completionTokens: 1, costDiem: 0.25, isPlayMoney: true },
  } as const;
  assert.equal(formatCost(answer), "0.25 DIEM play money");
  const both = { ...answer, usage: { promptTokens: 1, completionTokens: 1, costUsd: 0.5, costDiem: 0.25 } };
  assert.equal(formatCost(both), "$0.50 · 0.25 DIEM", "paid beside each other");
  const sum = spentOn([both, both, answer]);
  assert.deepEqual([sum.usd, sum.diem, sum.playUsd, sum.playDiem], [1, 0.5, 0, 0.25]);
  assert.equal(limitText(5, amountIn("DIEM", 1)), "5.00 DIEM");
  assert.equal(limitText(5, amountIn("DIEM", 1).plus(amountIn("USD", 1))), "$5.00");
});
