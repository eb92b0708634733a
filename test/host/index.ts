import { connect } from "node:net";
import Mocha from "mocha";
import { rememberGlobals } from "./globals.ts";
import { environment, type HostEvent } from "./protocol.ts";

type Tell = (event: HostEvent) => void;

/** Runs the given test files by mocha in this extension host and tells how each went. */
export async function runTests(files: ReadonlyArray<() => Promise<unknown>>): Promise<void> {
  const channel = await openChannel();
  try {
    await rememberGlobals();
    // The base reporter prints nothing: a console in here has no reader.
    const mocha = new Mocha({ ui: "bdd", timeout: 20_000, reporter: Mocha.reporters.Base });
    mocha.suite.emit("pre-require", globalThis, "", mocha);
    for (const load of files) await load();
    await new Promise<void>((resolve) => {
      follow(
        mocha.run(() => resolve()),
        channel.tell,
      );
    });
    channel.tell({ type: "end" });
  } catch (error) {
    channel.tell({ type: "fail", title: "loading the tests", stack: stackOf(error) });
    channel.tell({ type: "end" });
  } finally {
    await channel.close();
  }
}

function follow(runner: Mocha.Runner, tell: Tell): void {
  runner.on("test", (test) => tell({ type: "start", title: test.fullTitle() }));
  runner.on("pass", (test) => tell({ type: "pass", title: test.fullTitle(), ms: test.duration ?? 0 }));
  runner.on("fail", (test, error) => tell({ type: "fail", title: test.fullTitle(), stack: stackOf(error) }));
  runner.on("pending", (test) => tell({ type: "fail", title: test.fullTitle(), stack: "was skipped" }));
}

async function openChannel() {
  const socket = connect(Number(process.env[environment.port]), "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return {
    tell: (event: HostEvent) => void socket.write(`${JSON.stringify(event)}\n`),
    close: () => new Promise<void>((resolve) => socket.end(resolve)),
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
