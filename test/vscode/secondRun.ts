import type { TestResult } from "./nodeTests.ts";

/** A result that may be given a second chance. */
export interface FirstResult extends TestResult {
  /** Runs what failed once more. */
  readonly again?: () => Promise<TestResult>;
}

/**
 * Runs what failed in a real editor once more by itself, when all else is done. Only a test that fails in both runs is a
 * failure. One that passes in either run is named in the warning, with how it failed: a race to look into.
 */
export async function secondResult({ again, ...first }: FirstResult): Promise<TestResult> {
  if (!again) return first;
  const second = await again();
  const failed = failedTwice(first, second);
  if (failed > 0)
    return { ...first, failed, output: `${first.output}\n\nOnce more, by itself:\n${second.output}` };
  const later = second.failed > 0 ? `\n\nOnce more, by itself:\n${failures(second.output)}` : "";
  return {
    passed: first.passed + first.failed,
    failed: 0,
    rerun: first.failed,
    output: first.output,
    warning: `${first.failed} failed, then passed by themselves:\n${failures(first.output)}${later}`,
  };
}

/** Where a run does not name its failures, each failure of the second run counts. */
function failedTwice(first: TestResult, second: TestResult): number {
  if (second.failed === 0) return 0;
  const { failedTests } = second;
  if (!first.failedTests || !failedTests || failedTests.length === 0) return second.failed;
  return first.failedTests.filter((name) => failedTests.includes(name)).length;
}

/** Of all that a run wrote, what it says of failed tests. */
function failures(output: string): string {
  const list = output.indexOf("✖ failing tests:");
  return output.slice(list < 0 ? Math.max(0, output.indexOf("✖")) : list);
}
