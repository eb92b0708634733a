import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { chooseTarget, type SymbolSpan } from "../../../src/features/editor/chooseTarget.ts";
import type { Span } from "../../../src/features/editor/span.ts";
import { shiftRange } from "../../../src/features/editor/trackedRange.ts";

const lines = [
  "class A {",
  "  /** Says b. */",
  "  b() {",
  "    const x = 1;",
  "    return x;",
  "  }",
  "}",
  "let y = 2;",
];
const span = (startLine: number, startCharacter: number, endLine: number, endCharacter: number): Span => ({
  startLine,
  startCharacter,
  endLine,
  endCharacter,
});
const symbols: SymbolSpan[] = [
  { span: span(0, 0, 6, 1), isBlock: true },
  { span: span(2, 2, 5, 3), isBlock: true },
  { span: span(3, 10, 3, 15), isBlock: false },
];
const target = (...selections: Span[]) =>
  chooseTarget({ selections, symbols, line: (index) => lines[index] ?? "" });

test("part of a line stays what it is, several lines are taken whole", () => {
  assert.deepEqual(target(span(3, 10, 3, 15)), span(3, 10, 3, 15));
  assert.deepEqual(target(span(3, 6, 5, 0)), span(3, 0, 4, 13));
});

test("a cursor means the function around it with its comment; a constant inside it does not count", () => {
  assert.deepEqual(target(span(3, 12, 3, 12)), span(1, 0, 5, 3));
});

test("several cursors mean what holds them all", () => {
  assert.deepEqual(target(span(3, 0, 3, 0), span(0, 2, 0, 2)), span(0, 0, 6, 1));
  assert.deepEqual(target(span(7, 0, 7, 3), span(7, 4, 7, 5)), span(7, 0, 7, 10));
});

test("outside of all symbols the line is meant", () => {
  assert.deepEqual(target(span(7, 4, 7, 4)), span(7, 0, 7, 10));
});

test("changes elsewhere move a range along with its text; those in it become part of it", () => {
  const edit = fc.record({ at: fc.nat(40), remove: fc.nat(6), text: fc.string({ maxLength: 6 }) });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const marked = "before|the selected text|after it";
      let text = marked;
      let range = { start: 7, end: 24 };
      const original = text.slice(range.start, range.end);
      let isTouched = false;
      for (const { at, remove, text: added } of edits) {
        const rangeOffset = Math.min(at, text.length);
        const rangeLength = Math.min(remove, text.length - rangeOffset);
        isTouched ||= rangeOffset < range.end && rangeOffset + rangeLength > range.start;
        text = text.slice(0, rangeOffset) + added + text.slice(rangeOffset + rangeLength);
        range = shiftRange(range, { rangeOffset, rangeLength, text: added });
        assert.ok(range.start >= 0 && range.start <= range.end && range.end <= text.length);
      }
      if (!isTouched) assert.equal(text.slice(range.start, range.end), original);
    }),
  );
});
