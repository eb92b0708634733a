// Patches as models of OpenAI write them, with their usual faults: applied where the place is certain, else refused with it.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Hunk, parsePatch, patchedText } from "../../../../../src/chat/host/code/codexPatch.ts";
import { randomCases } from "../../../../runner/cases.ts";

const wrap = (text: string) => `*** Begin Patch\n${text}\n*** End Patch`;

function applied(patch: string, text: string): string {
  const [file] = parsePatch(patch);
  if (file?.kind !== "update") assert.fail("no update");
  return patchedText(file.path, text, file.hunks);
}

const before =
  "class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n";
const after = before.replace(/1\n$/, "2\n");

test("each section of a patch is read: added, deleted, moved and changed files", () => {
  const patch = wrap(
    "*** Add File: new.txt\n+one\n+\n+two\n*** Delete File: old.txt\n*** Update File: a.py\n*** Move to: b.py\n@@ class B:\n-        return 1\n+        return 2",
  );
  const files = parsePatch(patch);
  assert.deepEqual(files.slice(0, 2), [
    { kind: "add", path: "new.txt", text: "one\n\ntwo\n" },
    { kind: "delete", path: "old.txt" },
  ]);
  const update = files[2];
  assert.ok(update?.kind === "update" && update.moveTo === "b.py");
  assert.equal(patchedText("a.py", before, update.hunks), after);
});

test("usual faults are understood: marks, fences, CRLF, lost blanks and indentation, and hunks out of order", () => {
  const section =
    "*** Update File: a.py\n@@ class B:\n     def f(self):\n-        return 1\n+        return 2";
  for (const patch of [
    section,
    `*** Begin Patch\n${section}`,
    `\`\`\`diff\n${wrap(section)}\n\`\`\``,
    wrap(section).replaceAll("\n", "\r\n"),
    wrap(`${section}\n*** End of File\n`),
    wrap("*** Update File: a.py\n@@\n class B:\n     def f(self):\n-        return 1\n+        return 2"),
    wrap("*** Update File: a.py\n@@\nclass B:\n    def f(self):\n-        return 1\n+        return 2"),
    wrap("*** Update File: a.py\n@@ class B:\n@@ def f(self):\n-        return 1\n+        return 2"),
    wrap("*** Update File: a.py\n@@\n class B:\n def f(self):\n-return 1\n+return 2"),
    "--- a/a.py\n+++ b/a.py\n@@ -5,3 +5,3 @@\n class B:\n     def f(self):\n-        return 1\n+        return 2\n",
    "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -7 +7 @@ class B:\n-        return 1\n+        return 2\n",
  ])
    assert.equal(applied(patch, before), after, patch);
  const two = "one\ntwo\nthree\nfour\n";
  assert.equal(applied(wrap("*** Update File: a\n@@\n-four\n+4\n@@\n-one\n+1"), two), "1\ntwo\nthree\n4\n");
  assert.equal(applied(wrap("*** Update File: a\n@@ two\n+2.5"), two), "one\ntwo\n2.5\nthree\nfour\n");
  assert.equal(applied(wrap("*** Update File: a\n@@\n+five\n*** End of File"), two), `${two}five\n`);
});

test("a line of the file is found by what it looks like, if no line is the same", () => {
  const file = "\tconst a = \u201cOK\u201d;\n\tconst b = 1;\u00a0\n";
  const hunk = '*** Update File: a\n@@\n-\tconst a = "OK";\n+\tconst a = "Yes";\n \tconst b = 1;';
  assert.equal(applied(wrap(hunk), file), '\tconst a = "Yes";\n\tconst b = 1;\u00a0\n');
});

test("lines that stay keep their bytes, and new ones get the line ends of the file", () => {
  const text = "\ufeffone \r\n\ttwo\r\nthree\nfour";
  assert.equal(
    applied(wrap("*** Update File: a\n@@\n one\n-\ttwo\n+\tTWO\n three"), text),
    "\ufeffone \r\n\tTWO\r\nthree\nfour",
  );
});

test("what is not certain is refused with the lines and what helps", () => {
  for (const [patch, why] of [
    [
      "*** Update File: a.py\n@@\n-        return 1\n+        return 2",
      /matches several places, at the lines 3, 7\. Add lines of context/,
    ],
    ["*** Update File: a.py\n@@\n-        return 3\n+x", /the file does not have its line “return 3”/],
    [
      "*** Update File: a.py\n@@\n class A:\n-        return 1\n+x",
      /the file has its lines, but not one after the other/,
    ],
    [
      "*** Update File: a.py\n@@ class C:\n-        return 1\n+x",
      /stands after “class C:”, which the file does not have/,
    ],
    ["*** Update File: a.py\n@@\n+x", /has no line of the file/],
    [
      "*** Update File: a.py\n@@ class A:\n-    def f(self):\n+x\n@@ class A:\n-    def f(self):\n-        return 1\n+y",
      /overlap/,
    ],
    ["*** Update File: a.py\n@@\n class A:", /changes nothing in a\.py/],
    ["*** Add File: a\n+one\ntwo", /Each line of the new file a begins with \+/],
    ["*** Delete File: a\n*** Delete File: a", /has a twice/],
    ["hello", /names no file\. Write \*\*\* Begin Patch/],
    ["hello\n*** Delete File: a", /the line “hello” before its first file/],
  ] as const)
    assert.throws(() => applied(wrap(patch), before), why, patch);
});

test("a hunk of a unified diff without context stands after the line that it names", () => {
  const diff = (hunk: string) => applied(`--- a/a\n+++ b/a\n${hunk}`, "1\n2\n3\n");
  assert.equal(diff("@@ -2,0 +3 @@\n+new\n"), "1\n2\nnew\n3\n");
  assert.equal(diff("@@ -0,0 +1 @@\n+new\n"), "new\n1\n2\n3\n");
  assert.equal(diff("@@ -3,0 +4,2 @@\n+new\n+er\n"), "1\n2\n3\nnew\ner\n");
});

test("an anchor that is only a part of several lines chooses none of several places", () => {
  const text = "def test_a():\n    return 1\ndef test_b():\n    return 1\nend\n";
  const at = (anchor: string) =>
    applied(wrap(`*** Update File: a\n@@ ${anchor}\n-    return 1\n+    return 2`), text);
  assert.equal(at("def test_b"), text.replace(/1\nend/, "2\nend"));
  assert.throws(() => at("def test"), /matches several places, at the lines 2, 4/);
  assert.throws(() => at("end"), /stands only above “end”, at the lines 2, 4\. Write after @@ a line above/);
  assert.throws(
    () => applied(wrap("*** Update File: a\n@@ def test\n+    x"), text),
    /stands after “def test”, which several lines have/,
  );
});

test("a fence of code above the end mark belongs to the file", () => {
  const text = "Text\n```\ncode\n```\n";
  const file = { kind: "add", path: "a.md", text };
  assert.deepEqual(parsePatch(wrap(`*** Add File: a.md\n${text}`)), [file]);
  assert.deepEqual(parsePatch(`\`\`\`\n${wrap(`*** Add File: a.md\n${text}`)}\n\`\`\``), [file]);
});

test("hostile lines of a patch are read in linear time", () => {
  const blanks = `a${" ".repeat(1_000_000)}b`;
  // Quadratic work would need hours.
  const files = parsePatch(`*** Update File: ${blanks}\n*** Move to: c${blanks}\n@@ ${blanks}\n-x\n+y`);
  assert.equal(files.length, 1);
  const many = Array.from({ length: 200_000 }, (_, index) => `*** Delete File: ${index}`).join("\n");
  assert.equal(parsePatch(many).length, 200_000);
});

test("a unified diff of several files is read", () => {
  const files = parsePatch(
    "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- a/a.py\n+++ b/c.py\n@@ -1 +1 @@\n-class A:\n+class C:\n",
  );
  assert.deepEqual(
    files.map((file) => [file.kind, file.path]),
    [
      ["add", "new.txt"],
      ["delete", "old.txt"],
      ["update", "a.py"],
    ],
  );
  assert.deepEqual(files[0], { kind: "add", path: "new.txt", text: "one\ntwo\n" });
});

test("a patch of any change to a file with different lines gives the changed file", () => {
  const line = fc.stringMatching(/^[a-z{} \t]{0,6}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 3, maxLength: 12, selector: (text) => text.trim() }),
      fc.nat(),
      fc.nat(3),
      fc.array(line, { maxLength: 3 }),
      (lines, place, count, added) => {
        const start = place % lines.length;
        const old = lines.slice(start, start + Math.max(1, count));
        const hunk: Hunk = {
          anchors: [],
          start: undefined,
          isAtEnd: false,
          lines: [
            ...old.map((text) => ({ sign: "-" as const, text })),
            ...added.map((text) => ({ sign: "+" as const, text })),
          ],
        };
        const text = `${lines.join("\n")}\n`;
        const expected = [...lines.slice(0, start), ...added, ...lines.slice(start + old.length)];
        assert.equal(patchedText("a", text, [hunk]), expected.map((one) => `${one}\n`).join(""));
      },
    ),
    { numRuns: randomCases(1_000) },
  );
});
