// Three-way merges of lines: nothing of either side is lost, and what both have changed is told.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Merged, threeWay } from "../../../../../../src/chat/host/subagents/acting/threeWay.ts";
import { randomCases } from "../../../../../runner/cases.ts";

const text = (...lines: readonly string[]) => `${lines.join("\n")}\n`;
const textOf = (merged: Merged) => ("text" in merged ? merged.text : assert.fail(JSON.stringify(merged)));
const conflictsOf = (merged: Merged) => ("text" in merged ? assert.fail(merged.text) : merged.conflicts);

test("changes of other lines are both made, and the same change is made once", () => {
  const base = text("1", "2", "3", "4", "5");
  assert.equal(
    textOf(threeWay(base, text("one", "2", "3", "4", "5"), text("1", "2", "3", "5", "6"))),
    text("one", "2", "3", "5", "6"),
  );
  assert.equal(
    textOf(threeWay(base, text("0", "1", "2", "3", "4", "5"), text("0", "1", "2", "3", "4"))),
    text("0", "1", "2", "3", "4"),
  );
  assert.equal(textOf(threeWay("", "", "new\n")), "new\n");
  assert.equal(textOf(threeWay("a\nb\nc", "a\nb\nc", "")), "");
});

test("lines that both change, and lines that touch, are conflicts with the lines of each", () => {
  const base = text("1", "2", "3", "4");
  assert.deepEqual(
    conflictsOf(threeWay(base, text("0", "1", "two", "3", "4"), text("1", "zwei", "drei", "4"))),
    [{ line: 3, base: "2\n3", ours: "two\n3", theirs: "zwei\ndrei" }],
  );
  assert.deepEqual(conflictsOf(threeWay(base, text("1", "3", "4"), text("1", "2", "drei", "4"))), [
    { line: 2, base: "2\n3", ours: "3", theirs: "2\ndrei" },
  ]);
  // An empty line is not no line.
  assert.equal(conflictsOf(threeWay("a\nb\nc", "a\nc", "a\n\nc")).length, 1);
});

test("line ends count as the same, and are those of the first text; a text with both keeps each", () => {
  const windows = (one: string) => one.replaceAll("\n", "\r\n");
  const [base, theirs] = [text("1", "2", "3"), text("1", "2", "three")];
  assert.equal(
    textOf(threeWay(base, windows(text("one", "2", "3")), theirs)),
    windows(text("one", "2", "three")),
  );
  assert.equal(
    textOf(threeWay(windows(base), text("one", "2", "3"), windows(theirs))),
    text("one", "2", "three"),
  );
  assert.equal(
    textOf(threeWay("1\r\n2\n3\n4\n", "1\r\n2\n3\nfour\n", "one\r\n2\n3\n4\n")),
    "one\r\n2\n3\nfour\n",
  );
});

test("whatever is changed: one side alone is taken whole, both orders agree, and no new line of a side is lost", () => {
  const line = fc.constantFrom("", "a", "b", "c", "{", "}");
  const lines = fc.array(line, { maxLength: 12 });
  const marked = (mark: string) => fc.array(fc.oneof(line, fc.constant(mark)), { maxLength: 12 });
  fc.assert(
    fc.property(lines, marked("mine"), marked("other"), (before, mine, other) => {
      const [base, ours, theirs] = [before, mine, other].map((one) => one.join("\n")) as [
        string,
        string,
        string,
      ];
      assert.equal(textOf(threeWay(base, base, theirs)), theirs);
      assert.equal(textOf(threeWay(base, ours, base)), ours);
      assert.equal(textOf(threeWay(base, ours, ours)), ours);
      const [merged, swapped] = [threeWay(base, ours, theirs), threeWay(base, theirs, ours)];
      if ("conflicts" in merged) return assert.equal(conflictsOf(swapped).length, merged.conflicts.length);
      assert.equal(textOf(swapped), merged.text);
      const count = (one: string, mark: string) => one.split("\n").filter((part) => part === mark).length;
      assert.equal(count(merged.text, "mine"), count(ours, "mine"));
      assert.equal(count(merged.text, "other"), count(theirs, "other"));
    }),
    { numRuns: randomCases(2_000) },
  );
});
