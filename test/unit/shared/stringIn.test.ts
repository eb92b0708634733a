import assert from "node:assert/strict";
import { test } from "node:test";
import { stringIn, stringsIn, textIn } from "../../../src/shared/stringIn.ts";

const others = [undefined, null, 0, false, [], {}, new String("boxed")];

test("only a string is taken, an empty one too; nothing is converted", () => {
  assert.deepEqual(["a", ""].map(stringIn), ["a", ""]);
  assert.deepEqual(
    others.map(stringIn),
    others.map(() => undefined),
  );
  assert.deepEqual(
    others.map(textIn),
    others.map(() => ""),
  );
});

test("of a list the strings are taken, of another value none", () => {
  assert.deepEqual(stringsIn(["a", ...others, ""]), ["a", ""]);
  assert.deepEqual(
    ["text", ...others].map(stringsIn),
    ["text", ...others].map(() => []),
  );
});
