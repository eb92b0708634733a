import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestResult } from "../../vscode/nodeTests.ts";
import { secondResult } from "../../vscode/secondRun.ts";

const good: TestResult = { passed: 3, failed: 0, output: "all is well" };
const bad: TestResult = {
  passed: 2,
  failed: 1,
  output: "✔ two\n✖ failing tests:\nlate",
  failedFiles: ["late.test.ts"],
};

describe("a second run", () => {
  it("is not made where nothing failed", async () => {
    assert.deepEqual(await secondResult(good), good);
  });

  it("says what failed at first when it passes", async () => {
    const result = await secondResult({ ...bad, again: async () => ({ ...good, passed: 1 }) });
    assert.deepEqual([result.passed, result.failed], [3, 0]);
    assert.match(result.warning ?? "", /^Failed, then passed by itself:\n✖ failing tests:\nlate$/);
  });

  it("says only what failed, also without a list of it", async () => {
    const result = await secondResult({ ...bad, output: "✔ one\n✖ two", again: async () => good });
    assert.equal(result.warning, "Failed, then passed by itself:\n✖ two");
  });

  it("leaves what fails twice a failure, with what both runs wrote", async () => {
    const result = await secondResult({ ...bad, again: async () => ({ ...bad, output: "late again" }) });
    assert.deepEqual([result.passed, result.failed, result.warning], [2, 1, undefined]);
    assert.match(result.output, /late[\s\S]*Once more, by itself:\nlate again/);
  });
});
