// Commands in the user's shell, outside of the editor: the double of a terminal runs what is typed into it by bash.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";

/** The part of the editor's API that these terminals use. */
class Emitter<Value> {
  readonly #listeners = new Set<(value: Value) => void>();
  readonly event = (listener: (value: Value) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };
  fire(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}
const started = new Emitter<object>();
const ended = new Emitter<object>();
/** The lines that were typed. */
const lines: string[] = [];

function runLine(terminal: object, line: string): void {
  lines.push(line);
  const child = spawn("bash", ["-c", line], { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.setEncoding("utf8");
  const execution = { commandLine: { value: line }, read: () => child.stdout };
  started.fire({ terminal, execution });
  child.once("close", (exitCode) => ended.fire({ terminal, execution, exitCode: exitCode ?? undefined }));
}

const double = {
  EventEmitter: Emitter,
  ThemeIcon: class {},
  TerminalExitReason: { User: 3 },
  Disposable: {
    from: (...all: readonly { dispose(): void }[]) => ({
      dispose() {
        for (const one of all) one.dispose();
      },
    }),
  },
  window: {
    onDidCloseTerminal: new Emitter().event,
    onDidChangeTerminalShellIntegration: new Emitter().event,
    onDidStartTerminalShellExecution: started.event,
    onDidEndTerminalShellExecution: ended.event,
    createTerminal() {
      const terminal = {
        show() {},
        dispose() {},
        shellIntegration: { executeCommand: (line: string) => runLine(terminal, line) },
      };
      return terminal;
    },
  },
  env: { shell: "/bin/bash" },
  workspace: {
    isTrusted: true,
    getConfiguration: () => ({ inspect: () => ({}), get: () => true }),
  },
};
Object.assign(globalThis, { shellDouble: double });
const source = Object.keys(double).map((name) => `export const ${name} = globalThis.shellDouble.${name};`);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? {
          url: `data:text/javascript,${encodeURIComponent(source.join("\n"))}`,
          format: "module",
          shortCircuit: true,
        }
      : next(specifier, context),
});
const { createCommandRuns } = await import("../../../../../../src/chat/host/tools/commands/commandRuns.ts");

function openRuns(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "shell-terminals-"));
  const runs = createCommandRuns(() => folder);
  t.after(() => {
    runs.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  return runs;
}

const never = new AbortController().signal;

/** The folder with the pipe at which the last command has waited. */
const pipeFolder = () =>
  dirname(/\S+\/run\b/.exec(lines.at(-1) ?? "")?.[0] ?? assert.fail("nothing was typed"));

test("a command is known to have begun in the turn in which it begins, so a stop never tells that it was not run", async (t) => {
  const runs = openRuns(t);
  const stop = new AbortController();
  let output: (() => object) | undefined;
  const running = runs.run("sleep 1000", 60_000, stop.signal, (soFar) => {
    output = soFar;
    // It is removed in a later turn.
    assert.ok(existsSync(pipeFolder()), "something was waited for after the command had begun");
    stop.abort();
  });
  await assert.rejects(running, { name: "AbortError" });
  assert.match(JSON.stringify(output?.()), /It was ended by SIGTERM/);
});

test("nothing is left of the pipe, whether a command has run or not", async (t) => {
  const runs = openRuns(t);
  assert.equal(await runs.run("echo done", 60_000, never), "done\nExit code 0.");
  while (existsSync(pipeFolder())) await new Promise((resolve) => setImmediate(resolve));
  const stop = new AbortController();
  const typed = lines.length;
  const listening = started.event(() => stop.abort());
  await assert.rejects(runs.run("echo no", 60_000, stop.signal), { name: "AbortError" });
  listening.dispose();
  assert.equal(lines.length, typed + 1);
  assert.ok(!existsSync(pipeFolder()), "it is removed before the call ends");
});
