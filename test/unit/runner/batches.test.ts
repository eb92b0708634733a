import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeBatches } from "../../runner/batches.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const addTest = (name: string) => `import { test } from "node:test";\ntest("${name}", () => {});\n`;
const waitsFor = (event: string) => `await new Promise((resolve) => ${event}(resolve));\n`;
const later = waitsFor("setImmediate");

/** Runs test files, by name, in one process. Returns its suites with their tests, and its exit code. */
function runTogether(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const tests = Object.keys(files).filter((name) => name.endsWith(".test.mjs"));
  const [batch = ""] = writeBatches(
    join(folder, "batches"),
    tests.map((name) => ({ name, path: join(folder, name) })),
    tests.length,
  );
  // The process is none of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, ["--test-reporter=tap", batch], {
    env,
    encoding: "utf8",
  });
  const suites: [string, string[]][] = [];
  for (const [, indent = "", name = ""] of stdout.matchAll(/^( *)# Subtest: (.*)$/gm))
    if (indent === "") suites.push([name, []]);
    else suites.at(-1)?.[1].push(name);
  return { suites, status, stdout };
}

test("the tests of each file are in its own suite, whatever the files and what they share wait for while they are loaded", () => {
  const files = {
    "shared.mjs": later,
    "sharedByShared.mjs": `import "./shared.mjs";\n${later}`,
    "plain.test.mjs": addTest("plain"),
    "first.test.mjs": `import "./shared.mjs";\n${addTest("first")}`,
    "waits.test.mjs": `import "./shared.mjs";\n${later.repeat(9)}${addTest("waits")}${later}${addTest("waits on").split("\n")[1]}\n`,
    "second.test.mjs": `import "./sharedByShared.mjs";\n${addTest("second")}`,
    "third.test.mjs": `import "./sharedByShared.mjs";\n${addTest("third")}`,
  };
  const { suites, status, stdout } = runTogether(files);
  assert.deepEqual(
    suites,
    [
      ["plain.test.mjs", ["plain"]],
      ["first.test.mjs", ["first"]],
      ["waits.test.mjs", ["waits", "waits on"]],
      ["second.test.mjs", ["second"]],
      ["third.test.mjs", ["third"]],
    ],
    stdout,
  );
  assert.equal(status, 0, stdout);
});

test("no test runs before all files of its process are loaded", () => {
  const files = {
    "early.test.mjs":
      'import { test } from "node:test";\ntest("early", () => {\n  if (!globalThis.isLoaded) throw new Error("too early");\n});\n',
    "late.test.mjs": `${later.repeat(9)}globalThis.isLoaded = true;\n${addTest("late")}`,
  };
  const { status, stdout } = runTogether(files);
  assert.equal(status, 0, stdout);
});

test("a file that can't be loaded fails, and the others run", () => {
  const files = { "broken.test.mjs": 'import "./missing.mjs";\n', "good.test.mjs": addTest("good") };
  const { suites, status, stdout } = runTogether(files);
  assert.deepEqual(suites.at(-1), ["good.test.mjs", ["good"]], stdout);
  assert.match(stdout, /^not ok 1 - broken\.test\.mjs$/m);
  assert.equal(status, 1);
});
