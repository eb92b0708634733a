import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestResult } from "../../runner/nodeTests.ts";
import { secondResult } from "../../runner/secondRun.ts";

const good: TestResult = { passed: 3, failed: 0, output: "all is well" };
const bad: TestResult = {
  passed: 2,
  failed: 1,
  output: "✔ two\n✖ failing tests:\nlate",
  failedFiles: ["late.test.ts"],
};

describe("a second run", () => {
  it("is not made without failures", async () => {
    assert.deepEqual(await secondResult(good), good);
  });

  it("reports the first failure when it passes", async () => {
    const result = await secondResult({ ...bad, again: async () => ({ ...good, passed: 1 }) });
    assert.deepEqual([result.passed, result.failed, result.rerun], [3, 0, 1]);
    assert.match(result.warning ?? "", /^1 failed, then passed by themselves:\n✖ failing tests:\nlate$/);
  });

  it("reports only failures, also without a list of them", async () => {
    const result = await secondResult({ ...bad, output: "✔ one\n✖ two", again: async () => good });
    assert.equal(result.warning, "1 failed, then passed by themselves:\n✖ two");
  });

  it("keeps a test that fails twice as a failure, with the output of both runs", async () => {
    const result = await secondResult({ ...bad, again: async () => ({ ...bad, output: "late again" }) });
    assert.deepEqual([result.passed, result.failed, result.warning], [2, 1, undefined]);
    assert.match(result.output, /late[\s\S]*Once more, by itself:\nlate again/);
  });

  it("counts a test that passed in either run as passed, and shows how it failed in each", async () => {
    const first = { ...bad, failedTests: ["a.test.ts: one"] };
    const again = async () => ({
      ...bad,
      output: "✖ failing tests:\nother",
      failedTests: ["a.test.ts: two"],
    });
    const result = await secondResult({ ...first, again });
    assert.deepEqual([result.passed, result.failed], [3, 0]);
    assert.match(result.warning ?? "", /late[\s\S]*Once more, by itself:\n✖ failing tests:\nother/);
  });

  it("counts each test that failed twice", async () => {
    const first = { ...bad, failed: 2, failedTests: ["a.test.ts: one", "a.test.ts: two"] };
    const again = async () => ({ ...bad, failedTests: ["a.test.ts: two"] });
    assert.equal((await secondResult({ ...first, again })).failed, 1);
  });

  it("is a failure if the whole run failed", async () => {
    const first = { ...bad, failedTests: ["a.test.ts: one"] };
    const again = async () => ({ ...bad, failedTests: [] });
    assert.equal((await secondResult({ ...first, again })).failed, 1);
  });
});
