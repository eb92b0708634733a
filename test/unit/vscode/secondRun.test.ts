import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestResult } from "../../vscode/nodeTests.ts";
import { withSecondRun } from "../../vscode/secondRun.ts";

const good: TestResult = { passed: 3, failed: 0, output: "all is well" };
const bad: TestResult = {
  passed: 2,
  failed: 1,
  output: "✔ two\n✖ failing tests:\nlate",
  failedFiles: ["late.test.ts"],
};

describe("a second run", () => {
  it("is not made where nothing failed", async () => {
    assert.equal(await withSecondRun(good, () => assert.fail()), good);
  });

  it("runs the files that failed, and says what failed at first when they pass", async () => {
    const asked: (readonly string[])[] = [];
    const result = await withSecondRun(bad, async (files) => {
      asked.push(files);
      return { ...good, passed: 1 };
    });
    assert.deepEqual(asked, [["late.test.ts"]]);
    assert.deepEqual([result.passed, result.failed], [3, 0]);
    assert.match(result.warning ?? "", /^Failed, then passed by itself:\n✖ failing tests:\nlate$/);
  });

  it("leaves what fails twice a failure, with what both runs wrote", async () => {
    const result = await withSecondRun(bad, async () => ({ ...bad, output: "late again" }));
    assert.deepEqual([result.passed, result.failed, result.warning], [2, 1, undefined]);
    assert.match(result.output, /late[\s\S]*Once more, by itself:\nlate again/);
  });
});
