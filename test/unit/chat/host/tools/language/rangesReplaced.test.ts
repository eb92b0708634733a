// The edits of a language service, put into a text whose line ends may be others than those of its document.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rangesReplaced } from "../../../../../../src/chat/host/tools/language/rangesReplaced.ts";

const range = (line: number, from: number, to: number, newText: string) => ({
  start: { line, character: from },
  end: { line, character: to },
  newText,
});

test("ranges are replaced in any order, and all else keeps its bytes", () => {
  const text = "a sum\r\nsum\nb sum sum\r";
  const document = text.replace(/\r\n|\r/g, "\n");
  const ranges = [range(2, 6, 9, "T"), range(0, 2, 5, "T"), range(2, 2, 5, "T"), range(1, 0, 3, "T")];
  assert.equal(rangesReplaced(text, document, ranges), "a T\r\nT\nb T T\r");
});

test("a text that is not that of the document is left alone, and so are ranges that overlap", () => {
  assert.equal(rangesReplaced("sun", "sum", [range(0, 0, 3, "T")]), undefined);
  assert.equal(rangesReplaced("sum", "sum", [range(0, 0, 2, "T"), range(0, 1, 3, "U")]), undefined);
  assert.equal(rangesReplaced("sum", "sum", [range(0, 0, 9, "T")]), undefined);
});

test("whatever the line ends are, the words of a name are replaced and nothing else", () => {
  const parts = fc.array(fc.constantFrom("sum", "x", " ", "\n", "\r\n", "\r"), { maxLength: 30 });
  fc.assert(
    fc.property(parts, (all) => {
      const text = all.join("");
      const lines = text.split(/\r\n|\r|\n/);
      const ranges = lines.flatMap((line, row) =>
        Array.from(line.matchAll(/sum/g), ({ index }) => range(row, index, index + 3, "total")),
      );
      assert.equal(rangesReplaced(text, lines.join("\n"), ranges), text.replaceAll("sum", "total"));
    }),
  );
});
