import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Amounts, amountIn, amountsOf } from "../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { diem, type Money, moneyIn, toRuntimeCurrency, usd } from "../../../../src/shared/money/money.ts";
import { moneyText, spendText } from "../../../../src/shared/money/moneyText.ts";
import { sourceFiles } from "../../../rules/structure/sources.ts";
import { root } from "../../../tools/paths.ts";

test("two currencies, a limit and dollars, a number and money: none of these sums compiles", () => {
  // `tsc` reports an expected error that is missing. It is not run: most of these lines would throw.
  const doesNotCompile = (text: string, either: "USD" | "DIEM", amounts: Amounts) => {
    const [dollars, units, counted] = [usd(1), diem(1), Counted.of(amounts)];
    // @ts-expect-error
    dollars.plus(units);
    // @ts-expect-error
    dollars.minus(units);
    // @ts-expect-error
    dollars.compare(units);
    // @ts-expect-error
    units.shareOf(dollars);
    // @ts-expect-error
    dollars.plusAll([units]);
    // @ts-expect-error
    counted.plus(dollars);
    // @ts-expect-error
    dollars.plus(counted);
    // @ts-expect-error
    moneyText(counted);
    // @ts-expect-error
    dollars + units;
    // @ts-expect-error
    dollars + dollars;
    // @ts-expect-error
    dollars + 1;
    // @ts-expect-error
    1n + dollars;
    // @ts-expect-error
    dollars.plus(1);
    // @ts-expect-error
    amounts + amounts;
    // @ts-expect-error
    amounts.in("USD").plus(amounts.in("DIEM"));
    // @ts-expect-error A currency that is only known when it runs could be any.
    amounts.in(text);
    // @ts-expect-error
    moneyIn(text, 1);
    // @ts-expect-error
    amounts.in(either).plus(amounts.in(either));
    // @ts-expect-error
    for (const money of amounts) money.plus(money);
    // @ts-expect-error It is not money in any currency.
    const wide: Money<string> = dollars;
    // @ts-expect-error
    new Counted(1n);
    // @ts-expect-error
    const bare: bigint = dollars.amount;
    return [wide, bare];
  };
  assert.equal(typeof doesNotCompile, "function");
});

test("what operators can't be kept from throws: an amount has no value of its own", () => {
  assert.throws(() => usd(1) < usd(2), /no value of its own/);
  assert.throws(() => `${usd(1)}`, /no value of its own/);
  assert.throws(() => JSON.stringify({ cost: usd(1) }), TypeError);
});

test("a test sees two amounts as different, and money of a currency as that currency alone", () => {
  assert.notDeepEqual(usd(1), usd(2));
  assert.notDeepEqual(amountIn("USD", 1), amountIn("USD", 2));
  assert.notDeepEqual(Counted.parse(1), Counted.parse(2));
  const chosen = amountIn("USD", "1.5").in(toRuntimeCurrency("USD"));
  assert.deepEqual(chosen.as("USD"), usd("1.5"));
  assert.equal(chosen.as("DIEM"), undefined);
});

test("dollars and DIEM use up a limit one to one, and nothing else does", () => {
  const paid = ["USD", "DIEM", "VCU", "BUNDLED_CREDITS", "EUR"].map((currency, index) =>
    amountIn(currency, 10 ** index),
  );
  const counted = Counted.of(Amounts.sum(paid));
  assert.equal(counted.digits(), "11");
  assert.equal(moneyText(counted.in("DIEM")), "11.00 DIEM");
  assert.equal(spendText(amountsOf(counted.in("USD"))), "$11.00");
});

test("the bare number of an amount stays inside the arithmetic of its folder", () => {
  const users = sourceFiles()
    .filter((file) => !file.startsWith("src/shared/money/"))
    .filter((file) => readFileSync(join(root, file), "utf8").includes(".exactOf("));
  assert.deepEqual(users, []);
});
