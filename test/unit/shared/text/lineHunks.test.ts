import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type Hunk, lineHunks, reversed, withHunk } from "../../../../src/shared/text/lineHunks.ts";

const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

test("applying all hunks in any order gives the other text, and reverting them the original", () => {
  fc.assert(
    fc.property(text, text, fc.infiniteStream(fc.nat()), (before, after, choices) => {
      for (const [from, to] of [
        [before, after],
        [after, before],
      ] as const) {
        let now = from;
        for (let left = lineHunks(now, to); left.length > 0; left = lineHunks(now, to)) {
          const hunk = left[(choices.next().value ?? 0) % left.length];
          assert.ok(hunk);
          const next = withHunk(now, to, hunk);
          assert.equal(sizeOf(lineHunks(next, to)), sizeOf(left) - sizeOf([hunk]), "that hunk less");
          now = next;
        }
        assert.equal(now, to);
      }
    }),
  );
});

test("a hunk that is not applied keeps its lines and the other hunks", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      for (const hunk of lineHunks(before, after)) {
        const left = withHunk(after, before, reversed(hunk));
        assert.equal(sizeOf(lineHunks(before, left)), sizeOf(lineHunks(before, after)) - sizeOf([hunk]));
      }
    }),
  );
});

test("hunks are minimal, and the lines between them are equal", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [a, b] = [before.split("\n"), after.split("\n")];
      assert.equal(sizeOf(lineHunks(before, after)), a.length + b.length - 2 * longestCommon(a, b));
    }),
  );
});

test("texts without common lines are one hunk of any length", () => {
  const lines = (mark: string) => Array.from({ length: 5_000 }, (_, index) => `${mark}${index}`).join("\n");
  const whole = { beforeStart: 0, beforeEnd: 5_000, afterStart: 0, afterEnd: 5_000 };
  assert.deepEqual(lineHunks(lines("a"), lines("b")), [whole]);
  assert.deepEqual(lineHunks("same", "same"), []);
});

test("thousands of lines that are replaced in a long text are a hunk each", () => {
  const lines = (changed: string) =>
    Array.from({ length: 100_000 }, (_, index) =>
      index % 10 === 5 ? `${changed} ${index % 100}` : `${index}`,
    );
  const hunks = lineHunks(lines("old").join("\n"), lines("new").join("\n"));
  assert.equal(hunks.length, 10_000);
  assert.deepEqual(hunks[7], { beforeStart: 75, beforeEnd: 76, afterStart: 75, afterEnd: 76 });
});

test("hunks between texts with too many differences give the other text, and are not adjacent", () => {
  const line = fc.oneof(
    { arbitrary: fc.nat(400).map(String), weight: 3 },
    { arbitrary: fc.constantFrom("", "}", "x"), weight: 1 },
  );
  const long = fc.array(line, { minLength: 1_500, maxLength: 3_000, size: "max" });
  fc.assert(
    fc.property(long, long, fc.integer({ min: 1, max: 50 }), (a, b, every) => {
      // Texts with much, something and nothing in common.
      const mixed = a.map((one, index) => (index % every === 0 ? (b[index % b.length] ?? "") : one));
      for (const other of [b, mixed]) {
        const [before, after] = [a.join("\n"), other.join("\n")];
        const hunks = lineHunks(before, after);
        const applied = hunks.reduceRight((text, hunk) => withHunk(text, after, hunk), before);
        assert.equal(applied, after);
        for (const [index, { beforeEnd, afterEnd }] of hunks.slice(0, -1).entries()) {
          const next = hunks[index + 1];
          assert.ok(next && next.beforeStart > beforeEnd && next.afterStart > afterEnd);
        }
      }
    }),
    { numRuns: 20 },
  );
});

/** Number of lines that only one of the texts has. */
function sizeOf(hunks: readonly Hunk[]): number {
  return hunks.reduce(
    (sum, { beforeStart, beforeEnd, afterStart, afterEnd }) =>
      sum + beforeEnd - beforeStart + afterEnd - afterStart,
    0,
  );
}

/** Reference implementation: the table of all pairs. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const left of a) {
    const next = [0];
    for (const [index, right] of b.entries())
      next.push(left === right ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}
