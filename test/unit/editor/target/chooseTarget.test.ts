import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { shiftRange } from "../../../../src/changes/engine/trackedRange.ts";
import { chooseTarget, type SymbolSpan } from "../../../../src/editor/target/chooseTarget.ts";
import type { LineSpan } from "../../../../src/shared/lineSpan.ts";

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
const span = (
  startLine: number,
  startCharacter: number,
  endLine: number,
  endCharacter: number,
): LineSpan => ({
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
const target = (...selections: LineSpan[]) =>
  chooseTarget({ selections, symbols, line: (index) => lines[index] ?? "", lineCount: lines.length });

test("part of a line stays a part, several lines become whole lines", () => {
  assert.deepEqual(target(span(3, 10, 3, 15)), span(3, 10, 3, 15));
  assert.deepEqual(target(span(3, 6, 5, 0)), span(3, 0, 4, 13));
  // If all text of a line is selected, its indentation is included.
  assert.deepEqual(target(span(3, 4, 3, 16)), span(3, 0, 3, 16));
});

test("a cursor selects the function around it with its comment, not a constant inside it", () => {
  assert.deepEqual(target(span(3, 12, 3, 12)), span(1, 0, 5, 3));
});

test("several cursors select the symbol around all of them", () => {
  assert.deepEqual(target(span(3, 0, 3, 0), span(0, 2, 0, 2)), span(0, 0, 6, 1));
  assert.deepEqual(target(span(7, 0, 7, 3), span(7, 4, 7, 5)), span(7, 0, 7, 10));
});

test("outside of all symbols a cursor selects its line", () => {
  assert.deepEqual(target(span(7, 4, 7, 4)), span(7, 0, 7, 10));
});

test("without symbols a cursor selects its block, by indentation", () => {
  const blockAround = (text: string, at: string) => {
    const rows = text.split("\n");
    const startLine = rows.findIndex((row) => row.includes(at));
    const column = (rows[startLine] ?? "").indexOf(at);
    const span = { startLine, startCharacter: column, endLine: startLine, endCharacter: column };
    const source = { selections: [span], symbols: [], line: (index: number) => rows[index] ?? "" };
    const found = chooseTarget({ ...source, lineCount: rows.length });
    return rows.slice(found.startLine, found.endLine + 1).join("\n");
  };
  const method =
    "    # Greets.\n    def greet(\n        self,\n    ):\n        if self.name:\n\n            return 1\n        else:\n            return 2";
  const python = `class A:\n    x = 1\n\n${method}\n\ny = 2\n`;
  for (const at of ["self,", "if self", "return 1", "else:", "return 2", "):"])
    assert.equal(blockAround(python, at), method);
  assert.equal(blockAround(python, "x = 1"), python.slice(0, python.indexOf("\n\ny = 2")));
  assert.equal(blockAround(python, "y = 2"), "y = 2");
  const callback =
    "  items.forEach((item) => {\n    if (item) {\n      send(item);\n    } else {\n      skip();\n    }\n  });";
  const script = `function all(\n  items,\n) {\n${callback}\n}`;
  for (const at of ["send", "skip", "items,"]) assert.equal(blockAround(`a();\n${script}\nb();`, at), script);
  const allman = "int twice(int a)\n{\n\treturn a * 2;\n}";
  for (const at of ["int twice", "return"]) assert.equal(blockAround(`${allman}\n\nint b;\n`, at), allman);
  const rule = ".a {\n  color: red;\n}";
  assert.equal(blockAround(`${rule}\n.b {\n  top: 0;\n}`, "color"), rule);
  const ruby = "def a\n  b do\n    c\n  end\nend";
  assert.equal(blockAround(`${ruby}\nd\n`, "c"), ruby);
});

test("edits elsewhere move a range; edits inside it extend it", () => {
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
