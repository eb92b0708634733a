import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { removedForHover, removedTexts } from "../../../../src/changes/review/removedLines.ts";

const hunk = (startLine: number, lineCount: number, before: readonly string[]) => ({
  id: "1",
  startLine,
  lineCount,
  before,
});

describe("removed lines", () => {
  it("stand behind the lines that replaced them", () => {
    assert.deepEqual(removedTexts(hunk(3, 2, ["  one\r\n", "two\n"]), 10), [
      { line: 3, text: "− one" },
      { line: 4, text: "− two" },
    ]);
    assert.deepEqual(removedTexts(hunk(3, 1, ["one\n", "two\n", "three"]), 10), [
      { line: 3, text: "− one  (2 more removed)" },
    ]);
    assert.deepEqual(removedTexts(hunk(3, 4, []), 10), []);
  });

  it("without a replacement stand at the next line, or at the end of the file", () => {
    const removed = ["\n", "one\n"];
    assert.deepEqual(removedTexts(hunk(3, 0, removed), 10), [
      { line: 3, text: "− 2 lines removed above: one" },
    ]);
    assert.deepEqual(removedTexts(hunk(10, 0, ["one"]), 10), [
      { line: 9, text: "− 1 line removed below: one" },
    ]);
    assert.deepEqual(
      removedTexts(hunk(0, 0, ["one"]), 0).map(({ line }) => line),
      [0],
    );
  });

  it("show hidden characters and are cut", () => {
    const [shown] = removedTexts(hunk(0, 1, [`a\u202eb${"x".repeat(1_000_000)}`]), 1);
    assert.match(shown?.text ?? "", /^− a⟨U\+202E⟩bx+…$/);
    assert.ok((shown?.text.length ?? 0) < 120);
  });

  it("in a hover are bounded, and the rest is counted", () => {
    assert.deepEqual(removedForHover(["a\r\n", "b"]), { text: "a\nb", cut: 0 });
    const many = removedForHover(Array.from({ length: 100 }, () => "line\n"));
    assert.equal(many.text.split("\n").length + many.cut, 100);
    assert.ok(many.cut > 0);
    const long = removedForHover(["short\n", "x".repeat(1_000_000), "more"]);
    assert.ok(long.text.length <= 4_000);
    assert.equal(long.text.split("\n").length + long.cut, 3);
  });
});
