import type { TestResult } from "./nodeTests.ts";

/** A result with an optional second run. */
export interface FirstResult extends TestResult {
  /** Runs the failed tests again. */
  readonly again?: () => Promise<TestResult>;
}

/**
 * Runs failed tests of a real editor again, alone, after all other steps. Only a test that fails in both runs is a
 * failure. A warning names those that pass in one run and how they failed, because they have a race.
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

/** If a run does not name its failures, each failure of the second run counts. */
function failedTwice(first: TestResult, second: TestResult): number {
  if (second.failed === 0) return 0;
  const { failedTests } = second;
  if (!first.failedTests || !failedTests || failedTests.length === 0) return second.failed;
  return first.failedTests.filter((name) => failedTests.includes(name)).length;
}

/** The part of the output about failed tests. */
function failures(output: string): string {
  const list = output.indexOf("✖ failing tests:");
  return output.slice(list < 0 ? Math.max(0, output.indexOf("✖")) : list);
}
