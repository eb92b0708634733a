// Processes that are not children of the test: the system tells it neither what they have written nor that they have ended.
import { existsSync, readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";

/** False for a process that has ended. One that nobody waits for stays as a zombie. */
export function isAlive(id: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, "latin1"));
  } catch {
    return false;
  }
}

export async function untilEnded(id: number, { signal }: Pick<TestContext, "signal">): Promise<void> {
  while (isAlive(id)) await setTimeout(5, undefined, { signal });
}

/** The line that a process writes into a file. */
export async function lineIn(file: string, { signal }: Pick<TestContext, "signal">): Promise<string> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (text.endsWith("\n")) return text;
    await setTimeout(5, undefined, { signal });
  }
}
