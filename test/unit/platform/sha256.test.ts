import assert from "node:assert/strict";
import { test } from "node:test";
import { sha256 } from "../../../src/platform/sha256.ts";

test("the SHA-256 of a text is that of its UTF-8 bytes (FIPS 180-4, example of one block)", () => {
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256(new TextEncoder().encode("é")), sha256("é"));
});
