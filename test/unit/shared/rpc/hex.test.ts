import assert from "node:assert/strict";
import { test } from "node:test";
import { hexDigits, toQuantity, toWord } from "../../../../src/shared/rpc/hex.ts";

test("a quantity has no leading zeros, a word has 32 bytes", () => {
  assert.deepEqual([0, 10n, 255, 2n ** 256n - 1n].map(toQuantity), [
    "0x0",
    "0xa",
    "0xff",
    `0x${"f".repeat(64)}`,
  ]);
  assert.equal(toWord(0), `0x${"0".repeat(64)}`);
  assert.equal(toWord(2n ** 255n), `0x8${"0".repeat(63)}`);
});

test("each byte has two digits", () => {
  assert.equal(hexDigits([0, 1, 0x0f, 0x10, 0xff]), "00010f10ff");
  assert.equal(hexDigits(new Uint8Array()), "");
});
