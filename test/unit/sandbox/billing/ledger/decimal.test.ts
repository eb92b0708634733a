// Money of the sandbox is exact to the last digit.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addNano,
  costOf,
  fixedDigits,
  nanoNumber,
  nanoText,
  perMillion,
  plainDigits,
  toNano,
} from "../../../../../src/sandbox/billing/ledger/decimal.ts";

const nano = fc.integer({ min: -1e15, max: 1e15 });

test("parsing the text of an amount gives that amount, without an exponent or trailing zeros", () => {
  fc.assert(
    fc.property(nano, (amount) => {
      assert.equal(toNano(nanoText(amount)), amount);
      assert.match(nanoText(amount), /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
    }),
  );
});

test("JSON has the number of an amount with the same digits", () => {
  fc.assert(
    // A double keeps 15 digits exactly.
    fc.property(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }), (amount) => {
      assert.equal(toNano(JSON.stringify(nanoNumber(amount))), amount);
    }),
  );
  assert.ok(Object.is(nanoNumber(-0), 0));
});

test("a cost is exactly price times units", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 1e6 }), (priceNano, units) => {
      assert.equal(costOf(nanoNumber(priceNano), units), Number(BigInt(priceNano) * BigInt(units)));
    }),
  );
  assert.equal(costOf(0.1, 3), toNano("0.3"));
  assert.equal(costOf(6.25e-7, 20), toNano("0.0000125"));
});

test("amounts below a nano are rounded half up, away from zero", () => {
  assert.equal(toNano("0.0000000014"), 1);
  assert.equal(toNano("0.0000000015"), 2);
  assert.equal(toNano("-0.0000000015"), -2);
  assert.equal(costOf(5e-10, 1), 1);
  assert.equal(costOf(5e-10, 3), 2);
});

test("eight decimals, like the cost header", () => {
  assert.equal(fixedDigits(toNano("0.0000125"), 8), "0.00001250");
  assert.equal(fixedDigits(toNano("0.000003125"), 8), "0.00000313");
  assert.equal(fixedDigits(toNano("12.5"), 8), "12.50000000");
  assert.equal(fixedDigits(toNano("-0.000000015"), 8), "-0.00000002");
});

test("a price per million becomes one per token", () => {
  assert.deepEqual([0.2, 0.15, 4.8, 1e-7, 3].map(perMillion), [2e-7, 1.5e-7, 4.8e-6, 1e-13, 3e-6]);
});

test("plain digits", () => {
  assert.deepEqual([6.25e-7, 2, 1500.25, 0, 1e21, -3e-9].map(plainDigits), [
    "0.000000625",
    "2",
    "1500.25",
    "0",
    "1000000000000000000000",
    "-0.000000003",
  ]);
});

test("a sum that would lose a digit throws", () => {
  assert.throws(() => addNano(Number.MAX_SAFE_INTEGER, 1), RangeError);
  assert.throws(() => toNano("9007200"), RangeError);
  assert.throws(() => toNano("a lot"), RangeError);
});
