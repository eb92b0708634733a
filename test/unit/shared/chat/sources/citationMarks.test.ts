// Marks of sources in answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { citationMarks } from "../../../../../src/shared/chat/sources/citationMarks.ts";

test("marks are read in each of their forms, and not in code, links, definitions and notes", () => {
  const numbers = (text: string) => citationMarks(text).map((mark) => mark.numbers);
  assert.deepEqual(numbers("A [1]. B [2][3], c [1, 2] and ^4,5^."), [[1], [2], [3], [1, 2], [4, 5]]);
  assert.deepEqual(numbers("`a[1]` ``b [2] ` c`` [3](https://a.example) [4]: x [^5] \\[6] ![7]"), []);
  assert.deepEqual(numbers("```js\na[1]\n```\nB [2]\n~~~\n[3]"), [[2]]);
  assert.deepEqual(numbers("The year [2024] and list[12345]"), []);
  const text = "Words [1, 2] more";
  assert.deepEqual(
    citationMarks(text).map(({ start, end }) => text.slice(start, end)),
    ["[1, 2]"],
  );
});

test("a text of many brackets and ticks is read in linear time", () => {
  assert.equal(citationMarks("[1]".repeat(20_000)).length, 20_000);
  assert.equal(citationMarks("`".repeat(3) + "[1 ".repeat(20_000)).length, 0);
  assert.equal(citationMarks("` [".repeat(20_000)).length, 0);
  // As a model writes that repeats itself.
  assert.equal(citationMarks(`[1] ${"`".repeat(300_000)}`).length, 1);
  assert.equal(citationMarks(`[1] ${"`".repeat(300_000)} [2]`).length, 2);
});
