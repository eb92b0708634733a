import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatUsd } from "../../../../src/shared/money/formatUsd.ts";

test("amounts are plain decimals, with two significant digits below a cent", () => {
  assert.equal(formatUsd(0), "$0");
  assert.equal(formatUsd(4.4e-7), "$0.00000044");
  assert.equal(formatUsd(1.2e-7), "$0.00000012");
  assert.equal(formatUsd(3.4e-18), "$0.0000000000000000034");
  assert.equal(formatUsd(0.00123), "$0.0012");
  assert.equal(formatUsd(0.00999), "$0.01");
  assert.equal(formatUsd(0.5), "$0.50");
  assert.equal(formatUsd(12.345, true), "$12.35 play money");
});

test("amounts from a nano-dollar on have no exponent and are exact to two digits", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 0.00999, noNaN: true }), (usd) => {
      const text = formatUsd(usd);
      assert.match(text, /^\$0\.\d+$/);
      assert.ok(Math.abs(Number(text.slice(1)) - usd) <= usd * 0.051, `${text} for ${usd}`);
    }),
  );
});
