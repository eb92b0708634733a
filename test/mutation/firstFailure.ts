// The reporter of a process that a mutant lives in: says what came of it in one line, at the first test that fails.
import { writeSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";

/** What a test process says in its last line. */
export interface Outcome {
  /** How many tests ran; one that fails is the last. */
  readonly tests: number;
  /** The first test that failed, by the names of its suites and its own. */
  readonly failed?: string;
}

/** Stands before the outcome, as JSON. */
export const outcomeMark = "OUTCOME ";

/** A test that keeps everything waiting for so long has failed: nothing else would end a request that hangs. */
const silentMs = 40_000;

async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  let tests = 0;
  const failing = () => names.join(" ");
  const silence = setTimeout(() => leave({ tests, failed: failing() }), silentMs);
  for await (const { type, data } of events) {
    silence.refresh();
    if (type === "test:start") names.splice(data.nesting, names.length, data.name);
    if (type === "test:pass" || type === "test:fail") tests++;
    if (type === "test:fail") {
      names.splice(data.nesting, names.length, data.name);
      leave({ tests, failed: failing() });
    }
  }
  clearTimeout(silence);
  say({ tests });
  yield "";
}

function leave(outcome: Outcome): void {
  say(outcome);
  process.exit(1);
}

function say(outcome: Outcome): void {
  writeSync(process.stdout.fd, `\n${outcomeMark}${JSON.stringify(outcome)}\n`);
}

// node:test takes a reporter by no other name.
export { firstFailure as default };
