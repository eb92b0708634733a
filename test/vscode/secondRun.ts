import type { TestResult } from "./nodeTests.ts";

/** A result that may be given a second chance. */
export interface FirstResult extends TestResult {
  /** Runs what failed once more. */
  readonly again?: () => Promise<TestResult>;
}

/**
 * What failed in a real editor is run once more by itself, when all else is done. If it passes then, it does not count,
 * but says what failed at first, and how: a race, in the test or in what it tests, that wants to be looked into.
 */
export async function secondResult({ again, ...first }: FirstResult): Promise<TestResult> {
  if (!again) return first;
  const second = await again();
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
  const list = output.indexOf("✖ failing tests:");
  return output.slice(list < 0 ? Math.max(0, output.indexOf("✖")) : list);
}
