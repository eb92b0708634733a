import assert from "node:assert/strict";
import { test } from "node:test";
import { joinBytes, latin1, viewOf } from "../../../src/shared/bytes.ts";

test("bytes in the middle of a buffer are read from their own beginning", () => {
  const part = new Uint8Array([9, 9, 1, 2, 0x52, 0xe9, 9]).subarray(2, 6);
  assert.equal(viewOf(part).getUint16(0), 0x0102);
  assert.equal(viewOf(part).byteLength, 4);
  assert.equal(latin1(part, 2, 4), "Ré");
  assert.equal(latin1(part, 2, 99), "Ré");
});

test("parts are joined in their order, and the whole is a copy", () => {
  const part = new Uint8Array([1, 2]);
  const joined = joinBytes([part, new Uint8Array(), new Uint8Array([3])]);
  part[0] = 7;
  assert.deepEqual([...joined], [1, 2, 3]);
  assert.equal(joinBytes([]).length, 0);
});
