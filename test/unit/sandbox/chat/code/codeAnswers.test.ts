import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { answerAboutCode } from "../../../../../src/sandbox/chat/code/codeAnswers.ts";
import { evaluate, parseExpression } from "../../../../../src/shared/simpleCode/expression.ts";
import { fenced } from "../../../../../src/shared/text/fence.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const hello = readFileSync(new URL("../../../../tools/profile.ts", import.meta.url), "utf8").replace(
  /^[\s\S]*?"hello\.ts": `([\s\S]*?)(?<!\\)`,[\s\S]*$/,
  (_, text: string) => text.replace(/\\([`$])/g, "$1"),
);

const ask = (words: string, code: string, language = "typescript") =>
  answerAboutCode(`${words}\n\nThe text:\n${fenced(code, language)}`);

test("names are replaced, with or without quotes", () => {
  assert.equal(ask("Rename `a` to `b`.", "const a = a2;"), "```typescript\nconst b = b2;\n```");
});

test("fixes suggested by the editor are applied, and loose comparisons become strict", () => {
  const words = "Fix the code.\n\n- line 1: Cannot find name 'conole'. Did you mean 'console'?";
  assert.equal(
    ask(words, "var a = 1;  \nif (a == 1) conole.log(a);"),
    "```typescript\nlet a = 1;\nif (a === 1) console.log(a);\n```",
  );
});

test("a comment says which request was not understood, indented like the code", () => {
  assert.equal(
    ask("Document this.", "  function greet(name: string, loud = false) {}"),
    "```typescript\n  /** `greet` takes `name`, `loud`. */\n  function greet(name: string, loud = false) {}\n```",
  );
  assert.equal(
    ask("Document this.", "class A:\n  def a(b):\n    pass", "python"),
    '```python\nclass A:\n  """`A`."""\n  def a(b):\n    pass\n```',
  );
});

test("a commit message names the files and the size of the change", () => {
  const file = (name: string) =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1,2 @@\n-a\n+b\n+c\n`;
  assert.equal(ask("Write the commit message.", file("a.ts"), "diff"), "Change a.ts");
  assert.equal(
    ask("Write the commit message.", file("a.ts") + file("b.ts"), "diff"),
    "Change 2 files\n\n- a.ts: 2 lines more, 1 less\n- b.ts: 2 lines more, 1 less",
  );
});

test("other questions, and those without code, are left to other models", () => {
  assert.equal(ask("Write tests.", "a"), undefined);
  assert.equal(
    ask("Explain this code.", "export function f(a: string) {\n  return fetch(a);\n}\nrun();"),
    undefined,
  );
  assert.equal(ask("Make it faster.", hello), undefined);
  assert.equal(answerAboutCode("Rename a to b"), undefined);
});

test("the sample of `npm start` is explained with its result and its output", () => {
  const answer = ask("Explain this code: what it is for, how it works.", hello) ?? "";
  assert.match(answer, /`greet\("Ada"\)` returns `"Hello, Ada!"`/);
  assert.match(answer, /Line 6 calls `greet\("world"\)` and prints `Hello, world!`/);
});

test("a documented function keeps its code, and its comment has the form of the language", () => {
  const answer = ask("Document the selected code with comments.", hello) ?? "";
  assert.match(answer, / \* Says hello\..*\n \*\n \* @param name - A string; .*\n \* @returns /);
  assert.ok(answer.includes(hello.slice(hello.indexOf("export")).trimEnd()));
});

test("the generated tests pass", async () => {
  const folder = temporaryFolder();
  const sources = { "hello.ts": hello, "price.ts": price };
  for (const [name, source] of Object.entries(sources)) {
    const answer =
      answerAboutCode(`Write tests for this code.\n\n${name}:\n${fenced(source, "typescript")}`) ?? "";
    const written = /```typescript\n([\s\S]*)```$/.exec(answer)?.[1] ?? "";
    const file = name.replace(".ts", ".test.ts");
    writeFileSync(join(folder, name), source);
    writeFileSync(join(folder, file), written);
    const output = await run(["--test", join(folder, file)]);
    assert.match(output, /pass [2-9]/);
    assert.match(output, /fail 0/);
  }
});

const price = `export function price(count: number, each: number): number {
  if (count > 2) {
    return count * each;
  }
  const sum = count * (each + 1);
  return sum;
}

export const label = (name: string, on: boolean) => on ? name.toUpperCase() + "!" : \`(\${name})\`;
`;

function run(args: readonly string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env }, (error, stdout) =>
      error ? reject(new Error(stdout)) : resolve(stdout),
    );
  });
}

test("an expression has the value of JavaScript, or none", () => {
  const values = new Map<string, string | number | boolean>(
    Object.entries({ a: 7, b: 2, s: "Ada", t: "", y: true }),
  );
  const leaf = fc.constantFrom(
    "a",
    "b",
    "s",
    "t",
    "y",
    "3",
    '"x"',
    "false",
    ["`$", "{s}, $", "{a + 1}`"].join(""),
    "s.length",
    "s.toUpperCase()",
  );
  const { source } = fc.letrec<{ source: string }>((tie) => ({
    source: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc
        .tuple(
          tie("source"),
          fc.constantFrom("+", "-", "*", "/", "%", "<", ">=", "===", "!==", "&&", "||"),
          tie("source"),
        )
        .map(([left, operator, right]) => `${left} ${operator} ${right}`),
      tie("source").map((inner) => `(${inner})`),
      fc
        .tuple(tie("source"), tie("source"), tie("source"))
        .map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
    ),
  }));
  fc.assert(
    fc.property(source, (text) => {
      const expression = parseExpression(text);
      const value = expression && evaluate(expression, { values, call: () => undefined });
      if (value === undefined) return;
      const evaluated: unknown = new Function(...values.keys(), `return ${text}`)(...values.values());
      assert.deepEqual(value, evaluated);
    }),
  );
});
