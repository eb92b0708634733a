// The tools that run commands, outside of the editor: what the user reads about a command, and what is left of it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { stat } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type * as vscode from "vscode";
import { isAlive, lineIn, untilEnded } from "../strangeProcesses.ts";

/** The part of the editor's API that commands use. */
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
const taskEnded = new Emitter<object>();
const taskStarted = new Emitter<object>();
const watchTask = { name: "watch", source: "ext", isBackground: true };
let tasks: object[] = [watchTask];
/** The entries of tasks.json. */
let taskSettings: object[] = [];
const terminals: (vscode.ExtensionTerminalOptions & { closes: number })[] = [];
const double = {
  EventEmitter: Emitter,
  ThemeIcon: class {},
  Disposable: {
    from: (...all: readonly { dispose(): void }[]) => ({
      dispose() {
        for (const one of all) one.dispose();
      },
    }),
  },
  window: {
    onDidCloseTerminal: new Emitter().event,
    onDidStartTerminalShellExecution: new Emitter().event,
    createTerminal(options: vscode.ExtensionTerminalOptions) {
      const terminal = { ...options, closes: 0 };
      terminals.push(terminal);
      return {
        show() {},
        dispose() {
          terminal.closes += 1;
        },
      };
    },
  },
  env: { shell: "" },
  languages: { getDiagnostics: () => [] },
  FileType: { Directory: 2 },
  Uri: {
    joinPath: ({ fsPath }: { readonly fsPath: string }, ...parts: readonly string[]) => ({
      scheme: "file",
      fsPath: join(fsPath, ...parts),
    }),
  },
  workspace: {
    isTrusted: true,
    workspaceFolders: [] as object[],
    getConfiguration: () => ({ inspect: () => ({ workspaceFolderValue: taskSettings }) }),
    fs: {
      stat: async ({ fsPath }: { readonly fsPath: string }) => ({
        type: (await stat(fsPath)).isDirectory() ? 2 : 1,
      }),
    },
  },
  tasks: {
    fetchTasks: async () => tasks,
    async executeTask(task: object) {
      const execution = { task, terminate: () => taskEnded.fire({ execution }) };
      taskStarted.fire(execution);
      return execution;
    },
    onDidEndTask: taskEnded.event,
    onDidEndTaskProcess: new Emitter().event,
  },
};
Object.assign(globalThis, { commandDouble: double });
const source = Object.keys(double).map((name) => `export const ${name} = globalThis.commandDouble.${name};`);
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
const { createCommandTools, isAllowedCall } = await import(
  "../../../../../../src/chat/host/tools/commands/commandTools.ts"
);
const { createTaskTool } = await import("../../../../../../src/chat/host/tools/commands/taskTool.ts");
const { createCommandRuns } = await import("../../../../../../src/chat/host/tools/commands/commandRuns.ts");

function openRuns(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "command-tools-"));
  double.workspace.workspaceFolders = [{ name: "app", uri: { scheme: "file", fsPath: folder } }];
  const runs = createCommandRuns(() => folder);
  t.after(() => {
    runs.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const tools = [...createCommandTools(runs), createTaskTool(runs)];
  const tool = (name: string) => tools.find((one) => one.name === name) ?? assert.fail(name);
  return { folder, runs, tool };
}
const never = new AbortController().signal;

test("an approval says that a command runs in the background, and is not one for the same command in the foreground", (t) => {
  const command = openRuns(t).tool("run_command");
  const front = { command: "npm start" };
  const back = { ...front, background: true };
  assert.equal(command.summary(front), "Run npm start");
  assert.equal(command.summary({ ...front, background: false }), "Run npm start");
  assert.equal(command.summary(back), "Run in the background: npm start");
  assert.deepEqual(command.scopes?.(front), ["npm start"]);
  assert.deepEqual(command.scopes?.(back), ["npm start (in the background)"]);
  assert.deepEqual(command.scopes?.({ command: "npm start '(in' the 'background)'" }), [
    "npm start '(in' the 'background)'",
  ]);
  assert.deepEqual(command.scopes?.({ command: "$x", background: true }), []);
});

test("a command runs in a folder of the workspace, which has an approval of its own; no link leads out of it", async (t) => {
  const { folder, tool } = openRuns(t);
  const command = tool("run_command");
  mkdirSync(join(folder, "sub"));
  symlinkSync(tmpdir(), join(folder, "out"));
  const context = {
    source: { kind: "chat" },
    changed() {},
    planned() {},
    written() {},
    began() {},
    results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
  } as const;
  const run = (input: object) => command.run?.({ command: "pwd -P", ...input }, never, context);
  assert.equal(await run({ cwd: "sub" }), `${realpathSync(join(folder, "sub"))}\nExit code 0.`);
  assert.equal(await run({ cwd: "" }), `${realpathSync(folder)}\nExit code 0.`);
  for (const [cwd, why] of [
    ["..", /not a path relative to the workspace/],
    ["/tmp", /not a path relative to the workspace/],
    ["out", /leads out of the workspace/],
    ["none", /there is no folder none/],
  ] as const)
    await assert.rejects(run({ cwd }) ?? assert.fail(), why);
  const inSub = { command: "npm test", cwd: "sub" };
  assert.equal(command.summary(inSub), "Run in sub: npm test");
  assert.equal(command.summary({ ...inSub, background: true }), "Run in the background, in sub: npm test");
  assert.deepEqual(command.scopes?.(inSub), ["npm test (in sub)"]);
  assert.deepEqual(command.scopes?.({ ...inSub, background: true }), [
    "npm test (in the background, in sub)",
  ]);
  assert.equal(isAllowedCall(command, inSub), false);
});

test("the first line of an output keeps its indentation; without output only the end is told", async (t) => {
  const { runs } = openRuns(t);
  const run = (command: string) => runs.run(command, 10_000, never);
  assert.equal(await run("printf '    one\\n  two\\n\\n'"), "    one\n  two\nExit code 0.");
  assert.equal(await run("true"), "Exit code 0.");
});

test("the terminal shows the command with its escape sequences, and does not obey them", async (t) => {
  const { runs } = openRuns(t);
  await runs.run("true '\u001b[2J\u001b]0;x\u0007\r' # \u009b2K\n:", 20_000, never);
  const pty = terminals.at(-1)?.pty ?? assert.fail("no terminal");
  let written = "";
  pty.onDidWrite((text) => {
    written += text;
  });
  pty.open(undefined);
  const [first] = written.split("\r\n");
  assert.equal(first, "$ true '⟨U+001B⟩[2J⟨U+001B⟩]0;x⟨U+0007⟩⟨U+000D⟩' # ⟨U+009B⟩2K");
});

/** Only Linux tells the variables of other processes. */
function testOnLinux(name: string, run: (t: TestContext) => Promise<void>): void {
  if (process.platform === "linux") void test(name, { timeout: 120_000 }, run);
}
/** Resolves to the id of the process that a command wrote into a file. */
const idIn = async (file: string, t: TestContext) => Number(await lineIn(file, t));
const other = "sh -c 'echo $$ > child; exec sleep 1000'";

testOnLinux("a stopped command ends with the processes that left its group", async (t) => {
  const { folder, runs } = openRuns(t);
  for (const line of [`setsid ${other} >/dev/null 2>&1 & wait`, `setsid ${other} & wait`]) {
    rmSync(join(folder, "child"), { force: true });
    const abort = new AbortController();
    const done = runs.run(line, 20_000, abort.signal);
    const id = await idIn(join(folder, "child"), t);
    t.after(() => isAlive(id) && process.kill(id, "SIGKILL"));
    abort.abort();
    await assert.rejects(done);
    await untilEnded(id, t);
  }
});

testOnLinux("one that ignores the request to end is killed", async (t) => {
  const { folder, runs } = openRuns(t);
  const stubborn = "setsid sh -c 'trap \"\" TERM; echo $$ > child; while :; do sleep 1; done'";
  const done = runs.run(`${stubborn} >/dev/null 2>&1 & wait`, 1_000, never);
  const id = await idIn(join(folder, "child"), t);
  t.after(() => isAlive(id) && process.kill(id, "SIGKILL"));
  assert.match(await done, /ended after 1 s/);
  await untilEnded(id, t);
});

testOnLinux("what a command leaves running outside of its group is ended", async (t) => {
  const { folder, runs } = openRuns(t);
  const done = runs.run(`setsid ${other} & while ! test -s child; do sleep 0.05; done`, 20_000, never);
  const id = await idIn(join(folder, "child"), t);
  t.after(() => isAlive(id) && process.kill(id, "SIGKILL"));
  assert.match(await done, /The processes that it left running were ended/);
  await untilEnded(id, t);
});

/** Starts a command in the background; resolves to its id once it has ended. */
async function endedInBackground(runs: ReturnType<typeof createCommandRuns>, command: string) {
  const said = await runs.start(command, never);
  const id = /^\S+/.exec(said)?.[0] ?? assert.fail(said);
  while (runs.list.some((one) => one.id === id && one.ended === undefined))
    await new Promise<void>((resolve) => {
      const listening = runs.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
  return { id, said };
}

test("a command in the background that ends by itself stays listed with its exit code until the user dismisses it", async (t) => {
  const { runs } = openRuns(t);
  const command = "echo listening; exit 3";
  const { id, said } = await endedInBackground(runs, command);
  assert.match(said, /^command-\w{4}-1 has ended\. Exit code 3\. Its output so far:\nlistening/);
  assert.deepEqual(runs.list, [{ id, command, ended: "Exit code 3." }]);
  assert.equal(runs.read(id), "listening\nIt has ended. Exit code 3.");
  assert.equal(runs.stop(id), `${id} was not running. It has ended. Exit code 3.`);
  assert.equal(runs.list.length, 1, "the model does not dismiss it");
  runs.forget(id);
  assert.deepEqual(runs.list, []);
  assert.match(runs.read(id), /Exit code 3/, "the model can still read it");
});

testOnLinux(
  "one that is killed from outside says by what, and its output stays bounded and readable",
  async (t) => {
    const { folder, runs } = openRuns(t);
    const command = "yes line | head -c 3000000; echo $$ > child; exec sleep 1000";
    const said = runs.start(command, never);
    process.kill(await idIn(join(folder, "child"), t), "SIGKILL");
    const id = /^\S+/.exec(await said)?.[0] ?? "";
    while (runs.list[0]?.ended === undefined)
      await new Promise<void>((resolve) => runs.onDidChange(() => resolve()));
    assert.deepEqual(runs.list, [{ id, command, ended: "It was ended by SIGKILL." }]);
    const text = runs.read(id);
    assert.match(text, /characters were left out[\s\S]*It has ended\. It was ended by SIGKILL\.$/);
    assert.ok(text.length < 2_000_200, `${text.length} characters`);
  },
);

test("the output of the last eight ended commands is kept; of an older one the model learns why it is gone", async (t) => {
  const { runs } = openRuns(t);
  const ids: string[] = [];
  for (let count = 0; count < 10; count++) ids.push((await endedInBackground(runs, `echo ${count}`)).id);
  const [, second = "", third = ""] = ids;
  assert.equal(runs.list.length, 8);
  assert.throws(() => runs.read(second), /-2 has ended, and its output is no longer kept/);
  assert.throws(
    () => runs.read(`${second}1`),
    /There is no background command .*-21\. Those of before a reload/,
  );
  assert.throws(() => openRuns(t).runs.read(third), /There is no background command/, "another window");
  assert.throws(() => runs.read("constructor"), /There is no background command/);
  assert.match(runs.read(third), /^2\n/);
});

test("the terminal of a listed command stays open when the next one starts, so that the user can read its output", async (t) => {
  const { runs } = openRuns(t);
  const { id } = await endedInBackground(runs, "echo crashed");
  const closed = () => terminals.map(({ closes }) => closes).slice(-2);
  await runs.run("true", 20_000, never);
  assert.deepEqual(closed(), [0, 0]);
  runs.forget(id);
  const count = terminals.length;
  await runs.run("true", 20_000, never);
  assert.deepEqual(
    terminals.slice(count - 2, count).map(({ closes }) => closes),
    [1, 1],
  );
});

test("a task in the background is listed, and can be stopped by the user and the model", async (t) => {
  const { runs, tool } = openRuns(t);
  const context = {
    source: { kind: "chat" as const },
    changed() {},
    planned() {},
    written() {},
    began() {},
    results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
  };
  await tool("run_task").prepare?.({ name: "watch" });
  const start = () => tool("run_task").run?.({ name: "watch" }, never, context) ?? assert.fail();
  const ends = () => runs.list.map(({ ended }) => ended);
  for (const [isAsked, stop] of [
    [true, (id: string) => runs.stop(id)],
    [true, (id: string) => tool("stop_command").run?.({ id }, never, context)],
    [false, () => taskEnded.fire({ execution: { task: watchTask } })],
  ] as const) {
    const said = await start();
    const id = /in the background as (\S+)\.$/.exec(said)?.[1] ?? assert.fail(said);
    assert.deepEqual(runs.list, [{ id, command: "Task: watch" }]);
    assert.match(runs.read(id), /It is running/);
    const changed = new Promise<void>((resolve) => runs.onDidChange(() => resolve()));
    await stop(id);
    await changed;
    // The user is told of an end that nobody has asked for.
    assert.deepEqual(ends(), isAsked ? [] : [""]);
    assert.match(runs.read(id), /It has ended/);
    runs.forget(id);
  }
  await start();
  let count = 0;
  taskEnded.event(() => {
    count += 1;
  });
  runs.dispose();
  assert.equal(count, 1);
});

/** A task as the editor gives it. */
const taskOf = (name: string, execution?: object, more: object = {}) => ({
  ...{ name, source: "Workspace", isBackground: false, execution },
  ...more,
});
const inChat = {
  source: { kind: "chat" as const },
  changed() {},
  planned() {},
  written() {},
  began() {},
  results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
};

/** A variable of the editor. */
const variable = (name: string) => `$\{${name}}`;

/** The card's line of a task, and what the model gets. */
async function runTask(
  t: TestContext,
  name: string,
  all: readonly object[],
  settings: readonly object[] = [],
) {
  [tasks, taskSettings] = [[...all], [...settings]];
  t.after(() => {
    [tasks, taskSettings] = [[watchTask], []];
  });
  const opened = openRuns(t);
  const task = opened.tool("run_task");
  await task.prepare?.({ name });
  const run = () => task.run?.({ name }, never, inChat) ?? assert.fail();
  return { ...opened, says: task.summary({ name }), run };
}

test("a plain task runs as a command: the card has its source and line, the result its output and exit code", async (t) => {
  for (const [execution, line, output] of [
    [{ commandLine: "echo $((1 + 1)); exit 3" }, "echo $((1 + 1)); exit 3", "2\nExit code 3."],
    [
      { command: "printf", args: ["%s-", "a b", { value: "$x", quoting: 3 }] },
      "printf %s- 'a b' '$x'",
      "a b-$x-\nExit code 0.",
    ],
    [{ process: "printf", args: ["%s", "$x y"] }, "printf %s '$x y'", "$x y\nExit code 0."],
    [
      { commandLine: "echo $WORD; pwd -P | grep -c sub", options: { env: { WORD: "it's" }, cwd: "sub" } },
      "echo $WORD; pwd -P | grep -c sub",
      "it's\n1\nExit code 0.",
    ],
  ] as const) {
    const { folder, says, run } = await runTask(t, "try", [taskOf("try", execution)]);
    mkdirSync(join(folder, "sub"));
    assert.equal(says, `Run the task try (Workspace): ${line}`);
    assert.equal(await run(), output);
  }
});

test("a task of the background returns its first output, and is read as a command", async (t) => {
  const execution = { commandLine: "echo ready; sleep 1000" };
  const { runs, run } = await runTask(t, "npm: dev", [
    taskOf("dev", execution, { source: "npm", isBackground: true }),
  ]);
  const said = await run();
  const id = /^(\S+) is running\. Its output so far:\nready/.exec(said)?.[1] ?? assert.fail(said);
  assert.match(runs.read(id), /ready\nIt is running\./);
});

test("a task that only the editor can run is run by it, and the result says that its output can't be read", async (t) => {
  const cases: readonly (readonly [object | undefined, readonly object[]])[] = [
    [undefined, []],
    [{ callback: () => {} }, []],
    [{ commandLine: `echo ${variable("input:name")}` }, []],
    [{ commandLine: `echo ${variable("file")}` }, []],
    [{ commandLine: "echo", options: { executable: "fish" } }, []],
    [{ commandLine: "echo", options: { env: { A: variable("env:HOME") } } }, []],
    [{ commandLine: "echo" }, [{ label: "try", dependsOn: "other" }]],
  ];
  for (const [execution, settings] of cases) {
    const task = taskOf("try", execution);
    const { run, runs } = await runTask(t, "try", [task], settings);
    const started = new Promise((resolve) => taskStarted.event(resolve));
    const done = run();
    await started;
    taskEnded.fire({ execution: { task } });
    assert.match(
      await done,
      /^The task has ended\. The editor ran it, so its output is in its terminal and can't/,
    );
    assert.deepEqual(runs.list, []);
  }
});

test("on Windows the editor runs each task: the result says how its output can be read", async (t) => {
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  t.after(() => Object.defineProperty(process, "platform", { value: platform }));
  for (const [line, advice] of [
    ["npm test", "To read it, run the command line of the task with run_command: npm test"],
    [`npm test ${variable("file")}`, ""],
  ] as const) {
    const task = taskOf("try", { commandLine: line });
    const { run } = await runTask(t, "try", [task]);
    const started = new Promise((resolve) => taskStarted.event(resolve));
    const done = run();
    await started;
    taskEnded.fire({ execution: { task } });
    const said = `The task has ended. The editor ran it, so its output is in its terminal and can't be read here. ${advice}`;
    assert.equal((await done).split("\n")[0], said.trimEnd());
  }
});

test("a task that changed after its card was shown does not run; the next card has its new line", async (t) => {
  const { folder, tool, run } = await runTask(t, "try", [taskOf("try", { commandLine: "echo one" })]);
  tasks = [taskOf("try", { commandLine: "touch changed" })];
  await assert.rejects(run(), /not what the user was shown\. It is now: try \(Workspace\): touch changed\./);
  await assert.rejects(run(), /not what the user was shown/, "a call that was approved by the same card");
  assert.equal(existsSync(join(folder, "changed")), false);
  await tool("run_task").prepare?.({ name: "try" });
  assert.equal(tool("run_task").summary({ name: "try" }), "Run the task try (Workspace): touch changed");
  tasks = [taskOf("try", { commandLine: "touch changed", options: { env: { PATH: "/other" } } })];
  await assert.rejects(run(), /not what the user was shown/, "its variables differ");
});

test("a refusal lists the tasks with their lines, and names that are not unique", async (t) => {
  const all = [
    taskOf("build", { commandLine: "make all" }),
    taskOf("test", { process: "npm", args: ["test"] }, { source: "npm" }),
  ];
  const none = await runTask(t, "lint", all);
  assert.match(`${none.says};${none.tool("run_task").summary({ name: "y" })}`, /lint;.* y, .* looked up$/);
  await assert.rejects(
    none.run(),
    /There is no task lint\. The workspace has:\nbuild \(Workspace\): make all\ntest \(npm\): npm test$/,
  );
  const twice = await runTask(t, "build", [
    ...all,
    taskOf("build", { commandLine: "gulp" }, { source: "gulp" }),
  ]);
  await assert.rejects(
    twice.run(),
    /2 tasks are called build, .*\nbuild \(Workspace\): make all\nbuild \(gulp\): gulp$/,
  );
  await assert.rejects(
    (await runTask(t, "x", [])).run(),
    /There is no task x\. The workspace has no tasks\./,
  );
});
