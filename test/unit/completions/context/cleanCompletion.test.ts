import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanCompletion } from "../../../../src/completions/context/cleanCompletion.ts";

interface Case {
  readonly answer: string;
  readonly before: string;
  readonly after?: string;
  readonly shape?: "one" | "several";
  readonly tabSize?: number;
  readonly text: string;
}

const cases: Readonly<Record<string, Case>> = {
  "what follows a bracket that the document closes is cut": {
    answer: "a, b);",
    before: "const x = foo(",
    after: ")",
    text: "a, b",
  },
  "the block behind such a bracket is cut, too": {
    answer: "10):\n    print(i)",
    before: "for i in range(",
    after: "):",
    shape: "several",
    text: "10",
  },
  "a bracket that the next line closes is not closed": {
    answer: "a, b)",
    before: "const x = foo(",
    after: "\n)",
    text: "a, b",
  },
  "a call on what the document closes is cut": {
    answer: "url).then(read)",
    before: "await fetch(",
    after: ");",
    text: "url",
  },
  "a bracket that stays open is closed": {
    answer: "x), y",
    before: "foo(bar(",
    after: ")",
    text: "x), y",
  },
  "a bracket in quotes closes nothing": { answer: '":)", a', before: "foo(", after: ")", text: '":)", a' },
  "a bracket of the answer's own stays": {
    answer: "(a) => b(a)",
    before: "foo(",
    after: ")",
    text: "(a) => b(a)",
  },
  "another bracket in the next line is of another block": {
    answer: "a);",
    before: "  foo(",
    after: "\n}",
    text: "a);",
  },
  "characters that no editor shows are removed": { answer: "\0a\x1b + b", before: "return ", text: "a + b" },
  "a plain answer stays": { answer: "left + right;", before: "return ", text: "left + right;" },
  "a code fence is removed": {
    answer: "```ts\nleft + right;\n```",
    before: "return ",
    text: "left + right;",
  },
  "a fence without an end is removed": {
    answer: "```\nleft + right;",
    before: "return ",
    text: "left + right;",
  },
  "text around a fence is removed": {
    answer: "Here it is:\n```ts\nleft + right;\n```\nIt adds.",
    before: "return ",
    text: "left + right;",
  },
  "the repeated line is removed": {
    answer: "  return left + right;",
    before: "{\n  return ",
    text: "left + right;",
  },
  "the line before, which the model repeats, is removed": {
    answer: "def add(a, b):\n    return a + b",
    before: "def add(a, b):\n    ",
    shape: "several",
    text: "return a + b",
  },
  "several lines before are removed, with the current one": {
    answer: "class A {\n  get one() {\n    return 1;",
    before: "class A {\n  get one() {\n    return ",
    text: "1;",
  },
  "a closing bracket is no repetition": {
    answer: "}\nfoo();",
    before: "if (a) {\n  if (b) {\n    c();\n  }\n",
    shape: "several",
    text: "}\nfoo();",
  },
  "the same line alone may be meant": {
    answer: "next();",
    before: "next();\n",
    shape: "several",
    text: "next();",
  },
  "the token that ends an answer is removed": {
    answer: "1<|endoftext|>",
    before: "const a = ",
    after: ";",
    text: "1",
  },
  "what follows a token of a file that is filled in is removed": {
    answer: "a + b<|file_sep|>src/x.ts\nfoo",
    before: "return ",
    shape: "several",
    text: "a + b",
  },
  "tokens of other families are removed": { answer: "a + b <EOT>", before: "return ", text: "a + b" },
  "a token in quotes stays": { answer: '"<|im_end|>",', before: "const end = ", text: '"<|im_end|>",' },
  "a token in a file about them stays": {
    answer: "<|eot_id|> ends it",
    before: "<|im_end|> ends a turn, ",
    text: "<|eot_id|> ends it",
  },
  "an end tag stays in markup": { answer: "old</s>", before: "<p>x</p><s>", text: "old</s>" },
  "the end of a comment is not doubled": {
    answer: "x */",
    before: "/* todo: ",
    after: " */",
    text: "x",
  },
  "one line only": { answer: "left;\nright;", before: "return ", text: "left;" },
  "an answer that starts a new line is nothing for this line": {
    answer: "\nfoo()",
    before: "return x;",
    text: "",
  },
  "several lines in a block": {
    answer: "\n  a();\n  b();\n",
    before: "if (x) {",
    shape: "several",
    text: "\n  a();\n  b();",
  },
  "the bracket that the document has is cut": {
    answer: "\n  a();\n}",
    before: "if (x) {",
    after: "\n}\n",
    shape: "several",
    text: "\n  a();",
  },
  "the bracket of a new block stays": {
    answer: "\n  for (;;) {\n  }",
    before: "if (x) {",
    after: "\n}\n",
    shape: "several",
    text: "\n  for (;;) {\n  }",
  },
  "lines that follow are cut": {
    answer: "first();\n  second();\n  third();",
    before: "{\n  ",
    after: "\n  second();\n  third();\n}",
    shape: "several",
    text: "first();",
  },
  "the closing bracket after the cursor is cut": {
    answer: "foo(bar))",
    before: "call(",
    after: ")",
    text: "foo(bar)",
  },
  "a bracket of its own stays": { answer: "foo(bar)", before: "call(", after: ")", text: "foo(bar)" },
  "a closing quote after the cursor is cut": {
    answer: 'node:fs"',
    before: 'from "',
    after: '"',
    text: "node:fs",
  },
  "a separator after the cursor is cut": { answer: "left;", before: "return ", after: ";", text: "left" },
  "what is there is not offered": {
    answer: "done();",
    before: "{\n  ",
    after: "\n  done();\n}",
    shape: "several",
    text: "",
  },
  "the indentation at the cursor is not doubled": {
    answer: "    a();\n    b();",
    before: "{\n    ",
    shape: "several",
    text: "a();\n    b();",
  },
  "spaces become the tabs of the document": {
    answer: "\n    a();\n        b();",
    before: "\tif (x) {",
    shape: "several",
    tabSize: 4,
    text: "\n\ta();\n\t\tb();",
  },
  "line ends are those of the editor": {
    answer: "\r\n  a();\r\n  b();",
    before: "{",
    shape: "several",
    text: "\n  a();\n  b();",
  },
};

for (const [name, { answer, before, after = "", shape = "one", tabSize, text }] of Object.entries(cases))
  test(`completion: ${name}`, () => {
    assert.equal(cleanCompletion(answer, { before, after, shape, tabSize }), text);
  });

const code = fc.string({
  unit: fc.constantFrom("a", "b", " ", "\n", "\t", "(", ")", "{", "}", ";", '"', "`", "```", "\r\n"),
  maxLength: 60,
});

test("any answer: new text only, in one line where one is asked for, never longer than the answer", () => {
  fc.assert(
    fc.property(code, code, code, fc.constantFrom("one", "several"), (answer, before, after, shape) => {
      const place = { before, after, shape: shape as "one" | "several", tabSize: undefined };
      const text = cleanCompletion(answer, place);
      assert.ok(text.length <= answer.length);
      assert.ok(!text.includes("\r"));
      if (shape === "one") assert.ok(!text.includes("\n"));
      if (text !== "") {
        assert.notEqual(text.trim(), "");
        assert.ok(!after.trimStart().startsWith(text.trim()));
      }
    }),
  );
});

test("a huge answer is cut before it is read", () => {
  const place = { before: "x", after: ")".repeat(100_000), shape: "several", tabSize: 4 } as const;
  for (const piece of ["(", ")", "\n", "`", " ", "a\n", "```\n"]) {
    const text = cleanCompletion(piece.repeat(1_000_000), place);
    assert.ok(text.length <= 2_000 && text.split("\n").length <= 12);
  }
});
