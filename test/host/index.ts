import Mocha from "mocha";
import { closeChannel, openChannel, sendEvent } from "./channel.ts";
import { rememberGlobals } from "./globals.ts";

/** Runs the given test files by mocha in this extension host and reports each result. */
export async function runTests(files: ReadonlyArray<() => Promise<unknown>>): Promise<void> {
  await openChannel();
  try {
    await rememberGlobals();
    // The base reporter prints nothing: the console in here has no reader.
    const mocha = new Mocha({ ui: "bdd", timeout: 120_000, reporter: Mocha.reporters.Base });
    mocha.suite.emit("pre-require", globalThis, "", mocha);
    for (const load of files) await load();
    await new Promise<void>((resolve) => follow(mocha.run(() => resolve())));
  } catch (error) {
    sendEvent({ type: "fail", title: "loading the tests", stack: stackOf(error) });
  }
  sendEvent({ type: "end" });
  await closeChannel();
}

function follow(runner: Mocha.Runner): void {
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
