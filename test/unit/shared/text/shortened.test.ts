import assert from "node:assert/strict";
import { test } from "node:test";
import { asciiLowerCase } from "../../../../src/shared/text/asciiLowerCase.ts";
import { fileName } from "../../../../src/shared/text/fileName.ts";
import { indentOf } from "../../../../src/shared/text/indent.ts";
import { plural } from "../../../../src/shared/text/plural.ts";
import { shortened, shortList } from "../../../../src/shared/text/shortened.ts";

test("a text is cut only if it is longer, and says so", () => {
  assert.deepEqual(
    ["", "abc", "abcd"].map((text) => shortened(text, 3)),
    ["", "abc", "abc…"],
  );
});

test("a list names the first ones and counts the rest", () => {
  assert.equal(shortList([], 2), "");
  assert.equal(shortList(["a", "b"], 2), "a, b");
  assert.equal(shortList(["a", "b", "c", "d"], 2), "a, b and 2 more");
});

test("only one has no s", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => plural(count, "file")),
    ["0 files", "1 file", "2 files"],
  );
});

test("a file's name follows the last slash", () => {
  assert.deepEqual(["a/b/c.ts", "c.ts", "a/", ""].map(fileName), ["c.ts", "c.ts", "", ""]);
});

test("the indent is the white space before the first sign", () => {
  assert.deepEqual(["\t  a b", "a", "   ", ""].map(indentOf), ["\t  ", "", "   ", ""]);
});

test("only letters of ASCII become small, so that no offset moves", () => {
  const text = "ABC-İÉ-xyz";
  assert.equal(asciiLowerCase(text), "abc-İÉ-xyz");
  assert.equal(asciiLowerCase(text).length, text.length);
});
