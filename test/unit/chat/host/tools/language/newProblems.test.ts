// Which problems of a file an edit has made, and which ones it has only moved.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newProblems } from "../../../../../../src/chat/host/tools/language/newProblems.ts";

const problem = (message: string, line: number, severity = 0) => ({
  message,
  severity,
  range: { start: { line } },
});
const shown = (found: readonly ReturnType<typeof problem>[]) =>
  found.map(({ message, range }) => `${range.start.line}: ${message}`);

test("a problem is the same where its line has moved, and new elsewhere", () => {
  const before = "a\nbad\nc\n";
  const after = "new\nnew\na\nbad\nworse\nc\n";
  const found = newProblems([problem("wrong", 3), problem("wrong", 4)], [problem("wrong", 1)], before, after);
  assert.deepEqual(shown(found), ["4: wrong"]);
});

test("a problem of a line that was changed is not new if as many had its message before", () => {
  assert.deepEqual(newProblems([problem("wrong", 0)], [problem("wrong", 0)], "bad 1\n", "bad 2\n"), []);
  assert.deepEqual(
    shown(newProblems([problem("wrong", 0), problem("other", 0)], [problem("wrong", 0)], "a\n", "b\n")),
    ["0: other"],
  );
  assert.deepEqual(shown(newProblems([problem("w", 0, 1)], [problem("w", 0, 0)], "a\n", "a\nb\n")), ["0: w"]);
});

test("of each message, there are as many new problems as it has more than before", () => {
  const line = fc.nat(9);
  const list = fc.array(fc.record({ message: fc.constantFrom("a", "b"), line }), { maxLength: 12 });
  const text = fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 10 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(list, list, text, text, (former, now, before, after) => {
      const of = (all: typeof former) => all.map(({ message, line }) => problem(message, line));
      const found = newProblems(of(now), of(former), before, after);
      for (const name of ["a", "b"]) {
        const count = (all: readonly { readonly message: string }[]) =>
          all.filter(({ message }) => message === name).length;
        assert.equal(count(found), Math.max(0, count(now) - count(former)));
      }
    }),
  );
});
