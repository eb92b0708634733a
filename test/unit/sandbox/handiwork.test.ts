import assert from "node:assert/strict";
import { test } from "node:test";
import { handiwork } from "../../../src/sandbox/chat/handiwork.ts";
import { fenced } from "../../../src/shared/fence.ts";

const ask = (words: string, code: string, language = "typescript") =>
  handiwork(`${words}\n\nThe text:\n${fenced(code, language)}`);

test("names are replaced, whatever quotes stand around them", () => {
  assert.equal(ask("Rename `a` to `b`.", "const a = a2;"), "```typescript\nconst b = b2;\n```");
});

test("what the editor suggests is taken over, and loose comparisons become strict", () => {
  const words = "Fix the code.\n\n- line 1: Cannot find name 'conole'. Did you mean 'console'?";
  assert.equal(
    ask(words, "var a = 1;  \nif (a == 1) conole.log(a);"),
    "```typescript\nlet a = 1;\nif (a === 1) console.log(a);\n```",
  );
});

test("a comment is put above what is declared, indented as it is", () => {
  assert.equal(
    ask("Document this.", "  function greet(name: string, loud = false) {}"),
    "```typescript\n  /** `greet` takes `name`, `loud`. */\n  function greet(name: string, loud = false) {}\n```",
  );
  assert.match(ask("Document this.", "def a(b):\n  pass", "python") ?? "", /^```python\n# `a` takes `b`\.\n/);
});

test("a commit message says which files, and how much of them", () => {
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1,2 @@\n-a\n+b\n+c\n`;
  assert.equal(ask("Write the commit message.", file("a.ts"), "diff"), "Change a.ts");
  assert.equal(
    ask("Write the commit message.", file("a.ts") + file("b.ts"), "diff"),
    "Change 2 files\n\n- a.ts: 2 lines more, 1 less\n- b.ts: 2 lines more, 1 less",
  );
});

test("anything else, and a question without code, is left to others", () => {
  assert.equal(ask("Write tests.", "a"), undefined);
  assert.equal(handiwork("Rename a to b"), undefined);
});
