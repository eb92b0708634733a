import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  hiddenCount,
  hidesSomething,
  visibleLine,
  visibleText,
} from "../../../../../src/shared/text/html/visibleText.ts";
import { withoutLinks } from "../../../../../src/shared/text/html/withoutLinks.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { hiddenSamples } from "../../../hiddenSamples.ts";

for (const [name, sample] of Object.entries(hiddenSamples)) {
  test(`${name} is shown as its code point`, () => {
    const code = (sample.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    assert.equal(visibleText(`a${sample}b`), `a⟨U+${code}⟩b`);
    assert.equal(withoutLinks(`a${sample}b`), `a⟨U+${code}⟩b`);
    assert.ok(hidesSomething(sample));
    assert.equal(hiddenCount(sample + sample), 2);
  });
}

test("visible text of any script is unchanged", () => {
  for (const text of ["ls -la ~/äöü", "東京 🙂 שלום مرحبا हिन्दी", "tab\tand\nline", "⟨U+202E⟩", "a b"]) {
    assert.equal(visibleText(text), text);
    assert.ok(!hidesSomething(text));
    assert.equal(hiddenCount(text), 0);
  }
  assert.equal(visibleLine("tab\tand\nline"), "tab⟨U+0009⟩and⟨U+000A⟩line");
});

test("the result hides nothing in any text, and is idempotent", () => {
  // By Unicode's properties per code point, independent of the regular expression under test.
  const isHidden = (character: string) =>
    /^(?:\p{Cf}|\p{Cc}|\p{Cs}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u2800])$/u.test(character);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const [many, one] = [visibleText(text), visibleLine(text)];
      assert.ok(
        [...many].every((character) => character === "\t" || character === "\n" || !isHidden(character)),
      );
      assert.ok(![...one].some(isHidden));
      assert.equal(visibleText(many), many);
      assert.equal(visibleLine(one), one);
      assert.equal(hidesSomething(text), many !== text);
    }),
    { numRuns: randomCases(2000) },
  );
});

test("a long text of hidden characters takes linear time", () => {
  const count = 200_000;
  assert.equal(visibleText("\u202e".repeat(count)).length, count * "⟨U+202E⟩".length);
});
