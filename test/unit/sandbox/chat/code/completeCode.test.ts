import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { completeCode } from "../../../../../src/sandbox/chat/code/completeCode.ts";
import { completionPrompt, completionRules } from "../../../../../src/shared/chat/completionPrompt.ts";

function complete(before: string, after = "\n", languageId = "typescript"): string | undefined {
  const prompt = completionPrompt({ name: "a", languageId, before, after, lines: "several", excerpts: [] });
  return completeCode(completionRules, prompt);
}

const cases: readonly (readonly [
  name: string,
  before: string,
  text: string,
  after?: string,
  languageId?: string,
])[] = [
  [
    "the body of a function",
    "export function add(a: number, b: number): number {\n  ",
    "return a + b;",
    "\n}",
  ],
  ["the rest of that body", "const area = (width, height) => {\n  ret", "urn width * height;", "\n}"],
  ["a body in Python", "def add(left, right):\n    ", "return left + right", "\n", "python"],
  ["a body after its header", "def square(x):", "\n    return x * x", "\n", "python"],
  ["a loop over the list", "const names = [];\nfor (let i = 0", "; i < names.length; i++) {\n  \n}"],
  ["a line that is in the file", 'import { a } from "./a.ts";\nimport', ' { a } from "./a.ts";'],
  ["open brackets", "foo(bar[1", "]);"],
  ["no brackets that follow", "foo(bar", "", ")"],
  ["nothing", "the quick brown fox ", ""],
];
for (const [name, before, text, after, languageId] of cases)
  test(`the sandbox completes ${name}`, () => {
    assert.equal(complete(before, after, languageId), text);
  });

test("other prompts get no completion", () => {
  assert.equal(completeCode("Be brief.", "Hello"), undefined);
  assert.equal(completeCode(completionRules, "Hello"), undefined);
});

test("any text around the cursor is answered, in linear time", () => {
  const text = fc.string({
    unit: fc.constantFrom("f(", ")", "{", "\n", " ", "for (let i = 0", "add", "function "),
    maxLength: 40,
  });
  fc.assert(fc.property(text, text, (before, after) => typeof complete(before, after) === "string"));
  for (const piece of ["(", " ", "function ", "a", "\n", "for (let i = 0; ", "const "])
    assert.equal(typeof complete(piece.repeat(200_000), piece.repeat(200_000)), "string");
});
