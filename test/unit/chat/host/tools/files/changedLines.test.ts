// The lines of a file that a model sees after its edit.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { changedLines } from "../../../../../../src/chat/host/tools/files/changedLines.ts";

const lines = (count: number, name = "line") =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}\n`).join("");
const shown = (before: string, after: string) => changedLines([{ path: "a.ts", before, after }]);

test("changed lines are shown as they are now, with their numbers and three lines around", () => {
  const before = lines(20);
  const after = before.replace("line 10\n", "ten\nten and a half\n");
  assert.equal(
    shown(before, after),
    [
      "a.ts is now:",
      "     7\tline 7",
      "     8\tline 8",
      "     9\tline 9",
      "    10\tten",
      "    11\tten and a half",
      "    12\tline 11",
      "    13\tline 12",
      "    14\tline 13",
    ].join("\n"),
  );
  assert.equal(shown(before, before), "");
});

test("removed lines are shown by the lines around their place, and places near each other as one", () => {
  assert.equal(shown("a\nb\nc\n", "a\nc\n"), "a.ts is now:\n     1\ta\n     2\tc");
  const both = shown(lines(30), lines(30).replace("line 5\n", "5\n").replace("line 9\n", "9\n"));
  assert.equal(both.split("\n").length, 1 + 11);
  assert.match(shown(lines(30), lines(30).replace("line 5\n", "5\n").replace("line 20\n", "20\n")), /\n…\n/);
});

test("line ends are not taken for changes, nor shown", () => {
  assert.equal(shown("a\r\nb\r\n", "a\r\nx\r\n"), "a.ts is now:\n     1\ta\n     2\tx");
});

test("a long replacement is cut in its middle, with the numbers of what follows", () => {
  const text = shown("a\nb\n", `a\n${lines(40, "new")}b\n`).split("\n");
  assert.deepEqual(text.slice(7, 10), ["     7\tnew 6", "…", "    36\tnew 35"]);
  assert.equal(text.at(-1), "    42\tb");
});

test("many places, long lines and many files have a limit, and what is left out is counted", () => {
  const many = shown(lines(300), lines(300).replace(/line (\d*)0\n/g, "changed $1\n"));
  assert.equal(many.match(/changed/g)?.length, 8);
  assert.match(many, /\(22 more changes are not shown\.\)$/);
  assert.ok(shown("a\n", `${"x".repeat(5_000)}\n`).length < 300);
  const texts = Array.from({ length: 50 }, (_, index) => ({
    path: `${index}.ts`,
    before: lines(12),
    after: lines(12, "now"),
  }));
  assert.ok(changedLines(texts).length < 3_000);
});

test("changes of any number of lines are gathered in linear time", () => {
  const count = 400_000;
  const [before, after] = ["old", "new"].map((name) =>
    Array.from({ length: count }, (_, index) => `${index % 2 ? name : "same"} ${index}`).join("\n"),
  );
  // Quadratic work would need minutes.
  assert.ok(shown(before ?? "", after ?? "").length < 2_400);
});

test("whatever is changed, each shown line is that of its number, and the whole is bounded", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "", "d".repeat(300)), { maxLength: 60 })
    .map((all) => all.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const now = after.split("\n");
      const result = shown(before, after);
      if (before === after) assert.equal(result, "");
      assert.ok(result.length < 2_400, String(result.length));
      for (const [, row, line] of result.matchAll(/^ *(\d+)\t(.*)$/gm))
        assert.equal(line?.replace(/…$/, ""), now[Number(row) - 1]?.slice(0, 200));
    }),
  );
});
