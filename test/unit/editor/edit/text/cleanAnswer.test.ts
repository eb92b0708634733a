import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cleanAnswer, partialAnswer } from "../../../../../src/editor/edit/text/cleanAnswer.ts";
import { fenced } from "../../../../../src/shared/text/fence.ts";

const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "}", "(", "`", "'", "\t") });
const code = fc
  .array(line, { minLength: 1, maxLength: 8 })
  .map((lines) => lines.join("\n"))
  .filter((text) => text.trim() !== "" && !/^\s*```/m.test(text));

const clean = (answer: string, original = "x") => cleanAnswer(answer, original, "\n");

test("keeps the text, fenced or not, with any line ends", () => {
  fc.assert(
    fc.property(code, fc.constantFrom("\n", "\r\n") as fc.Arbitrary<"\n" | "\r\n">, (text, eol) => {
      const expected = text.replaceAll("\n", eol);
      assert.equal(cleanAnswer(text, text, eol), expected);
      assert.equal(cleanAnswer(fenced(text, "ts"), text, eol), expected);
      assert.equal(cleanAnswer(text.replaceAll("\n", "\r\n"), text, eol), expected);
    }),
  );
});

test("is idempotent and leaves no other line ends", () => {
  fc.assert(
    fc.property(code, code, (answer, original) => {
      const once = cleanAnswer(answer, original, "\r\n");
      assert.doesNotMatch(once, /(?<!\r)\n|\r(?!\n)/);
      assert.equal(cleanAnswer(once, original, "\r\n"), once);
    }),
  );
});

test("an answer of tabs and spaces has the indentation of the original at once", () => {
  assert.equal(clean(" a\n a\na\n", " \ta\n"), " \ta\n \ta\n\ta\n");
  assert.equal(clean("\ta\n a", "a\n\ta"), "a\n\ta");
});

test("takes the only code block of an answer, and keeps an answer with two", () => {
  assert.equal(clean("Here it is:\n\n```ts\nconst a = 1;\n```\n\nI renamed it."), "const a = 1;");
  const two = "```ts\na\n```\nand\n```ts\nb\n```\nend";
  assert.match(clean(`So:\n${two}`), /a\n```\nand/);
});

test("keeps a selected fence and removes one around it", () => {
  const original = "```ts\na\n```";
  assert.equal(clean("```ts\nb\n```", original), "```ts\nb\n```");
  assert.equal(clean("````markdown\n```ts\nb\n```\n````", original), "```ts\nb\n```");
});

test("takes an unfinished code block out of its fence", () => {
  assert.equal(clean("```ts\nconst a = 1;\nconst"), "const a = 1;\nconst");
  assert.equal(clean("```"), "");
});

test("restores indentation that is lost completely or in the first line", () => {
  const original = "    if (a) {\n      b();\n    }";
  const expected = "    if (a && c) {\n      b();\n    }";
  for (const answer of [expected, "if (a && c) {\n  b();\n}", "if (a && c) {\n      b();\n    }"]) {
    assert.equal(clean(answer, original), expected);
  }
  assert.equal(clean("if a:\n    b()", "    x = 1"), "    if a:\n        b()");
  assert.equal(clean("if (a) {\n      b();\n    }", "    b();"), "    if (a) {\n      b();\n    }");
  assert.equal(clean("a();\n\nb();", "\t"), "\ta();\n\n\tb();");
});

test("keeps blank lines around the original", () => {
  assert.equal(clean("\n\nb\n\n\n", "\n  a\n\n"), "\n  b\n\n");
});

test("while streaming, complete lines precede the rest of the original", () => {
  assert.equal(partialAnswer("A\nB\nhalf", "a\nb\nc\nd"), "A\nB\nc\nd");
  assert.equal(partialAnswer("half", "a\nb"), "a\nb");
  assert.equal(partialAnswer("A\nB\nC\n", "a\nb"), "A\nB\nC\n");
});
