// The reporter of a process that a mutant lives in: says what came of it in one line, at the first test that fails.
import { writeSync } from "node:fs";
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

/** What a test process says in its last line. */
export interface Outcome {
  /** How many tests ran; one that fails is the last. */
  readonly tests: number;
  /** The first that failed, by the names of its suites and its own; and where it stands. */
  readonly failed?: { readonly file: string; readonly test: string };
}

/** Stands before the outcome, as JSON. */
export const outcomeMark = "OUTCOME ";

/** A test that keeps everything waiting for so long has failed: nothing else would end a request that hangs. */
const silentMs = 40_000;

async function* firstFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  let file = "";
  let tests = 0;
  const fail = () => leave({ tests, failed: { file: relative(process.cwd(), file), test: names.join(" ") } });
  const silence = setTimeout(fail, silentMs);
  for await (const { type, data } of events) {
    silence.refresh();
    if (type === "test:pass" || type === "test:fail") tests++;
    if (type === "test:start" || type === "test:fail") {
      names.splice(data.nesting, names.length, data.name);
      file = data.file ?? file;
    }
    if (type === "test:fail") fail();
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
