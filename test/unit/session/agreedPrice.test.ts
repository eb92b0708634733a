import assert from "node:assert/strict";
import { test } from "node:test";
import { isNewPrice } from "../../../src/session/agreedPrice.ts";

test("a yes to a small price is none to a large one", () => {
  assert.equal(isNewPrice(undefined, 0.001), true);
  assert.equal(isNewPrice(0.001, 0.001), false);
  assert.equal(isNewPrice(0.001, 0.09), false);
  assert.equal(isNewPrice(0.001, 7.5), true);
  assert.equal(isNewPrice(7.5, 7.4), false);
  assert.equal(isNewPrice(7.5, 7.6), true);
  assert.equal(isNewPrice(7.5, undefined), true);
});
