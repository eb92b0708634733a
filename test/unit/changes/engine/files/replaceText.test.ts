import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { replaceText } from "../../../../../src/changes/engine/files/replaceText.ts";

const one = (text: string, oldText: string, newText: string, all = false) =>
  replaceText("a.ts", text, [{ oldText, newText, all }]);

test("a unique text is replaced literally", () => {
  assert.equal(one("a b c", "b", "$& $1 \\n"), "a $& $1 \\n c");
  assert.equal(one("a.c abc", "a.c", "x"), "x abc");
  assert.equal(one("a a", "a", "b", true), "b b");
});

test("the file keeps its line ends, whatever the model writes", () => {
  assert.equal(one("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz"), "x\r\ny\r\nz\r\nc\r\n");
  assert.equal(one("a\nb\n", "a\r\nb", "x\r\ny"), "x\ny\n");
  assert.equal(one("a\r\nb\nc\r\n", "b\n", "x\n"), "a\r\nx\nc\r\n", "a file with both keeps each");
  assert.equal(one("\ufeffa\r\n", "a", "b"), "\ufeffb\r\n");
});

test("a text that can't be replaced is refused in one sentence with the reason", () => {
  const says = (pattern: RegExp, run: () => unknown) => assert.throws(run, pattern);
  says(/^Error: a\.ts was not changed: old_text was not found\. Read the file again/, () =>
    one("abc", "x", "y"),
  );
  says(/differs at line 3, character 1: its end where old_text has “b”/, () =>
    one("x\n  foo()\n", "foo()\nbar()", "y"),
  );
  says(/not unique, it is at the lines 1, 3\. Add lines/, () => one("ab\nc\nab", "ab", "y"));
  says(/at the lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more/, () => one("a\n".repeat(50), "a", "y"));
  says(/old_text is empty/, () => one("a", "", "y"));
  says(/are the same/, () => one("a", "a", "a"));
  says(/Replacement 2 of a\.ts was not changed/, () =>
    replaceText("a.ts", "a", [
      { oldText: "a", newText: "b" },
      { oldText: "a", newText: "c" },
    ]),
  );
});

test("everything outside the replaced text is unchanged byte for byte", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é", "\u2028"),
    maxLength: 40,
  });
  fc.assert(
    fc.property(text, text, text, (head, tail, written) => {
      const file = `${head}UNIQUE${tail}`;
      assert.equal(one(file, "UNIQUE", "UNIQUE2"), `${head}UNIQUE2${tail}`);
      assert.ok(one(file, "UNIQUE", `${written}!`).startsWith(head));
    }),
  );
});

test("takes time linear in the length of the file", () => {
  const file = (lines: number) => "const value = 1;\n".repeat(lines);
  assert.throws(() => one(file(100_000), "const value = 1;\nconst value = 1;", "x"), /not unique/);
  assert.throws(() => one(file(100_000), "nothing like it", "x"), /not found/);
});

test("edits that would make a huge text are refused before it is made", () => {
  const tenfold = { oldText: "a", newText: "a".repeat(10), all: true };
  assert.throws(
    () => replaceText("a", "a", Array(9).fill(tenfold)),
    /Replacement 6 of a was not changed: .* 100000 places/,
  );
  const longer = { oldText: "a", newText: "a".repeat(1000), all: true };
  assert.throws(
    () => replaceText("a", "a".repeat(90_000), [longer]),
    /^Error: a was not changed: it would have 90000000 characters, and the limit is 26214400\.$/,
  );
  const turns = Array.from({ length: 200 }, (_, at) => ({ oldText: `<${at}>`, newText: `<${at + 1}>` }));
  assert.throws(
    () => replaceText("a", `<0>${"a".repeat(20_000_000)}`, turns),
    /Replacement 21 of a was not changed: .* search at most 400 million/,
  );
});

test("a long text that nearly matches everywhere is searched in linear time", () => {
  const file = "a".repeat(4_000_000);
  assert.throws(() => one(file, `b${"a".repeat(500_000)}`, "x"), /not found/);
  assert.throws(() => one(file, `${"a".repeat(500_000)}b`, "x"), /not found/);
  assert.throws(() => one(file, "a".repeat(500_000), "x"), /not unique/);
});

test("long texts are found where a plain search finds them", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 300 });
  const few = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(text, few, fc.nat(99), text, (head, unit, times, tail) => {
      const sought = unit.repeat(70 + times);
      assert.equal(
        one(head + sought + tail, sought, "-", true),
        (head + sought + tail).replaceAll(sought, "-"),
      );
    }),
  );
});
