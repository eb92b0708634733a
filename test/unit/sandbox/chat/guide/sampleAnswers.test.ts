import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatQuestions, editInstructions } from "../../../../../src/editor/target/prompts.ts";
import { answerAboutSample, completeSample } from "../../../../../src/sandbox/chat/guide/sampleAnswers.ts";
import { sampleCode, sampleName, sampleParts } from "../../../../../src/shared/names/sampleCode.ts";
import { fenced } from "../../../../../src/shared/text/fence.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const whole = ["comment", "function", "call"] as const;
const blockOf = (text: string) => fenced(text.trimEnd(), "typescript");

test("each action of the editor has an answer about the sample, and about each part of it", () => {
  const { explain, writeTests } = chatQuestions;
  const { fix, document } = editInstructions;
  for (const instruction of [
    explain,
    writeTests,
    fix,
    document,
    "Explain hello.ts",
    "Rename greet to welcome",
  ])
    for (const parts of [whole, ["function"], ["call"], ["comment", "function"]] as const)
      assert.notEqual(answerAboutSample(instruction, parts) ?? "", "", `${instruction} ${parts}`);
  assert.equal(answerAboutSample("Make it faster.", whole), undefined);
  assert.equal(answerAboutSample("Rename name to who", whole), undefined);
});

test("an explanation is about the parts that were asked about, and says that it was written", () => {
  const about = (...parts: readonly ("comment" | "function" | "call")[]) =>
    answerAboutSample("Explain this.", parts) ?? "";
  assert.match(about(...whole), /`greet\("Ada"\)` returns `"Hello, Ada!"`[\s\S]*prints `Hello, world!`/);
  assert.doesNotMatch(about("function"), /prints `Hello, world!`/);
  assert.match(about("call"), /^The \*\*last line\*\*/);
  assert.match(about("call"), /The sandbox has no language model\./);
});

test("what the answers say of the sample is so: its output, and the tests pass", async () => {
  const folder = temporaryFolder();
  const written =
    /```typescript\n([\s\S]*?)```/.exec(answerAboutSample("Write tests", whole) ?? "")?.[1] ?? "";
  writeFileSync(join(folder, sampleName), sampleCode);
  writeFileSync(join(folder, "hello.test.ts"), written);
  assert.equal(await run([join(folder, sampleName)]), "Hello, world!\n");
  const output = await run(["--test", join(folder, "hello.test.ts")]);
  assert.match(output, /pass 3/);
  assert.match(output, /fail 0/);
});

function run(args: readonly string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env }, (error, stdout) =>
      error ? reject(new Error(stdout)) : resolve(stdout),
    );
  });
}

test("a documented function keeps its code; its comment is replaced, and a call needs none", () => {
  const answer = answerAboutSample("Document the selected code.", whole) ?? "";
  assert.match(answer, / \* Returns a greeting\.\n \*\n \* @param name - /);
  assert.ok(answer.includes(sampleCode.slice(sampleCode.indexOf("export")).trimEnd()));
  assert.doesNotMatch(answer, /Says hello/);
  assert.equal(answerAboutSample("Document this.", ["call"]), blockOf(sampleParts.call));
});

test("nothing is to be fixed, and a new name is put everywhere", () => {
  assert.equal(answerAboutSample("Fix the mistakes.", whole), blockOf(sampleCode));
  assert.equal(
    answerAboutSample("Rename `greet` to `welcome`.", whole),
    blockOf(sampleCode.replaceAll("greet", "welcome")),
  );
});

test("a second call is completed below the function, nothing else in the sample, and no other file", () => {
  assert.equal(completeSample({ before: `${sampleCode}console.log(`, after: "" }), 'greet("Ada"));');
  assert.equal(
    completeSample({ before: `${sampleParts.function}\r\n`.replaceAll("\n", "\r\n"), after: "\n" }),
    'console.log(greet("Ada"));',
  );
  assert.equal(completeSample({ before: `${sampleCode}let `, after: "" }), "");
  assert.equal(completeSample({ before: `${sampleCode}console.log(`, after: "1)" }), "");
  assert.equal(completeSample({ before: "con", after: `\n${sampleCode}` }), "");
  assert.equal(completeSample({ before: "console.log(", after: "" }), undefined);
});
