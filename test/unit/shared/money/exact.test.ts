import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Amounts, nothing } from "../../../../src/shared/money/amounts.ts";
import {
  addTo,
  decimalText,
  exactText,
  fixedText,
  newSum,
  product,
  sumTotal,
  toExact,
  toNumber,
} from "../../../../src/shared/money/exact.ts";
import { moneyIn } from "../../../../src/shared/money/money.ts";
import { fullMoneyText, moneyText, spendText } from "../../../../src/shared/money/moneyText.ts";

const money = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((micros) => micros / 1e6),
  fc
    .double({ min: -1000, max: 1000, noNaN: true, noDefaultInfinity: true })
    .filter((value) => Math.abs(value) > 1e-6),
  fc.constantFrom(0.1, 0.2, 6.25e-7, 7e-7, -0.0000125, 9_007_199.254740991, 0),
);

test("reads a number exactly, to the last digit", () => {
  assert.equal(exactText(toExact(0.1) + toExact(0.2)), "0.3");
  assert.equal(exactText(toExact(6.25e-7)), "0.000000625");
  assert.equal(exactText(toExact("-12.50")), "-12.5");
  assert.equal(exactText(toExact(1e21)), "1000000000000000000000");
  assert.equal(exactText(toExact(-0)), "0");
  assert.throws(() => toExact(Number.NaN), RangeError);
  assert.throws(() => toExact("1,5"), RangeError);
  assert.throws(() => toExact(""), RangeError);
});

test("text, number and amount convert back to each other", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (amount) => {
      assert.equal(toExact(exactText(amount)), amount);
    }),
  );
  fc.assert(
    fc.property(money, (value) => {
      assert.equal(Number(decimalText(value)), value + 0);
      assert.doesNotMatch(decimalText(value), /e/i);
    }),
  );
});

test("the fast sum is exact in any order", () => {
  fc.assert(
    fc.property(fc.array(money, { maxLength: 200 }), (values) => {
      const sum = newSum();
      for (const value of values) addTo(sum, value);
      assert.equal(
        sumTotal(sum),
        values.reduce((all, value) => all + toExact(value), 0n),
      );
    }),
  );
});

test("the fast sum exceeds the safe integers", () => {
  const sum = newSum();
  for (let i = 0; i < 10; i++) addTo(sum, 4_000_000.000000001);
  assert.equal(exactText(sumTotal(sum)), "40000000.00000001");
});

test("price times units is exact", () => {
  assert.equal(exactText(product(6.25e-7, 8000)), "0.005");
  assert.equal(exactText(product(0.1, 3)), "0.3");
  assert.equal(toNumber(product(0.1, 3)), 0.3);
});

test("rounds half away from zero, on both sides", () => {
  assert.equal(fixedText(toExact("1.005"), 2), "1.01");
  assert.equal(fixedText(toExact("-1.005"), 2), "-1.01");
  assert.equal(fixedText(toExact("0.4"), 0), "0");
});

test("shows the first digits of small amounts and the cents of large ones, in each currency", () => {
  assert.equal(moneyText(moneyIn("USD", 0)), "$0.00");
  assert.equal(moneyText(moneyIn("USD", 1234567.891)), "$1,234,567.89");
  assert.equal(moneyText(moneyIn("USD", 0.00421)), "$0.0042");
  assert.equal(moneyText(moneyIn("USD", 0.0000000123)), "$0.000000012");
  assert.equal(moneyText(moneyIn("DIEM", -2.5)), "-2.50 DIEM");
  assert.equal(moneyText(moneyIn("BUNDLED_CREDITS", 1)), "1.00 bundled credits");
  assert.equal(moneyText(moneyIn("STARS", 1)), "1.00 STARS");
  assert.equal(fullMoneyText(moneyIn("USD", "0.000000012345")), "$0.000000012345");
});

test("lists several currencies without adding them up", () => {
  const spend = Amounts.of(
    new Map([
      ["DIEM", toExact(2)],
      ["USD", toExact(1)],
      ["__proto__", toExact(3)],
      ["VCU", 0n],
    ]),
  );
  assert.equal(spendText(spend), "$1.00 · 2.00 DIEM · 3.00 __proto__");
  assert.equal(spendText(nothing), "$0.00");
});
