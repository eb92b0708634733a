import type { TestResult } from "./nodeTests.ts";

/**
 * What failed in a real editor is run once more by itself. If it passes then, the run may go on, but says what failed at
 * first, and how: a race, in the test or in what it tests, that wants to be looked into.
 */
export async function withSecondRun(
  first: TestResult,
  again: (failedFiles: readonly string[]) => Promise<TestResult>,
): Promise<TestResult> {
  if (first.failed === 0) return first;
  const second = await again(first.failedFiles ?? []);
  if (second.failed > 0)
    return { ...first, output: `${first.output}\n\nOnce more, by itself:\n${second.output}` };
  return {
    passed: first.passed + first.failed,
    failed: 0,
    output: first.output,
    warning: `Failed, then passed by itself:\n${failures(first.output)}`,
  };
}

/** Of all that a run wrote, what it says of failed tests. */
function failures(output: string): string {
  const start = output.indexOf("✖ failing tests:");
  return start < 0 ? output : output.slice(start);
}
