import { globSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { root } from "./paths.ts";

/** What a run of tests came to. */
export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

export interface NodeTestOptions {
  /** How many test files run at once. */
  readonly concurrency: number;
  /** Milliseconds that one test file may take. */
  readonly timeoutMs: number;
}

/** Runs test/KIND/**\/*.test.ts by node:test, each file in a process of its own. No file at all is a failure. */
export async function runNodeTests(
  kind: string,
  { concurrency, timeoutMs }: NodeTestOptions,
): Promise<TestResult> {
  const pattern = `test/${kind}/**/*.test.ts`;
  const files = globSync(pattern, { cwd: root }).sort();
  if (files.length === 0) return { passed: 0, failed: 1, output: `No file is like ${pattern}.` };
  const stream = run({ files: files.map((file) => join(root, file)), concurrency, timeout: timeoutMs });
  let passed = 0;
  let failed = 1; // until the summary of the whole run comes
  stream.on("test:summary", ({ file, counts, success }) => {
    if (file !== undefined) return;
    passed = counts.passed;
    const bad = counts.tests - counts.passed; // a skipped test is one that was not run
    failed = success ? bad : Math.max(bad, 1);
  });
  const output = (await stream.compose(new spec()).toArray()).join("");
  return { passed, failed, output };
}
