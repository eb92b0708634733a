// The reporter of a process with a mutant: writes one line with the result at the first failed test.
import { writeSync } from "node:fs";
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

/** The last line of a test process. */
export interface Outcome {
  /** How many tests ran; a failed one is the last. */
  readonly tests: number;
  /** The first failed test, by the names of its suites and itself, with its file. */
  readonly failed?: { readonly file: string; readonly test: string };
}

/** The prefix of the outcome, which is JSON. */
export const outcomeMark = "OUTCOME ";

/** Timeout of a test, in milliseconds: nothing else would end a request that hangs. */
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
  print({ tests });
  yield "";
}

function leave(outcome: Outcome): void {
  print(outcome);
  process.exit(1);
}

function print(outcome: Outcome): void {
  writeSync(process.stdout.fd, `\n${outcomeMark}${JSON.stringify(outcome)}\n`);
}

// node:test loads a reporter from the default export only.
export { firstFailure as default };
