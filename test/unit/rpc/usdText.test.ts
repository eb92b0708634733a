import assert from "node:assert/strict";
import { test } from "node:test";
import { usdRange } from "../../../src/features/rpc/money.ts";
import { usdText } from "../../../src/shared/rpc/usdText.ts";

test("what credits come to is not rounded away (spec E3, billing rule 4)", () => {
  assert.equal(usdText(20 * 6.25e-7), "0.0000125");
  assert.equal(usdText(25 * 6.25e-7), "0.0000156");
  assert.equal(usdText(80 * 6.25e-7), "0.00005");
  assert.equal(usdText(0), "0");
  assert.equal(usdText(1.25), "1.25");
  assert.equal(usdText(1234.5), "1234.5");
  assert.equal(usdRange(20), "≈ 0.0000125 to 0.000014 USD");
  assert.equal(usdRange(0), "≈ 0 USD");
});
