import Mocha from "mocha";
import { closeChannel, openChannel, sendEvent } from "./channel.ts";
import { rememberGlobals } from "./globals.ts";

type TestFile = readonly [path: string, load: () => Promise<unknown>];

/** Runs the given test files by mocha in this extension host and reports each result and the time of each file. */
export async function runTests(files: readonly TestFile[]): Promise<void> {
  await openChannel();
  try {
    await rememberGlobals();
    // The base reporter prints nothing: the console in here has no reader.
    const mocha = new Mocha({ ui: "bdd", timeout: 120_000, reporter: Mocha.reporters.Base });
    mocha.suite.emit("pre-require", globalThis, "", mocha);
    const fileOf = new Map<Mocha.Suite, string>();
    for (const [path, load] of files) {
      await load();
      for (const suite of mocha.suite.suites) if (!fileOf.has(suite)) fileOf.set(suite, path);
    }
    await new Promise<void>((resolve) =>
      follow(
        mocha.run(() => resolve()),
        fileOf,
      ),
    );
  } catch (error) {
    sendEvent({ type: "fail", title: "loading the tests", stack: stackOf(error) });
  }
  sendEvent({ type: "end" });
  await closeChannel();
}

function follow(runner: Mocha.Runner, fileOf: ReadonlyMap<Mocha.Suite, string>): void {
  let startMs = 0;
  runner.on("suite", (suite) => {
    if (fileOf.has(suite)) startMs = performance.now();
  });
  runner.on("suite end", (suite) => {
    const file = fileOf.get(suite);
    if (file !== undefined) sendEvent({ type: "file", file, ms: performance.now() - startMs });
  });
  runner.on("test", (test) => sendEvent({ type: "start", title: test.fullTitle() }));
  runner.on("pass", (test) => sendEvent({ type: "pass", title: test.fullTitle(), ms: test.duration ?? 0 }));
  runner.on("fail", (test, error) =>
    sendEvent({ type: "fail", title: test.fullTitle(), stack: stackOf(error) }),
  );
  runner.on("pending", (test) => sendEvent({ type: "fail", title: test.fullTitle(), stack: "was skipped" }));
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
