// Commands of an agent: output, exit code, timeout, stop, and nothing left running.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as vscode from "vscode";
import { type CommandRuns, createCommandRuns } from "../../../src/chat/host/tools/commands/commandRuns.ts";
import { CommandSandbox } from "../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import { environment } from "../../../src/shared/names/ids.ts";
import { installBubblewrap } from "../../tools/installBubblewrap.ts";

const never = new AbortController().signal;

/** The number of terminals of agents. */
const count = () => agentTerminals().length;
const agentTerminals = () => vscode.window.terminals.filter(({ name }) => name === "Inference Agent");

for (const isFollowed of [true, false])
  describe(`commands of an agent ${isFollowed ? "in the user's shell" : "without the user's shell"}`, () => {
    let folder: string;
    let runs: CommandRuns;
    const setting = () => vscode.workspace.getConfiguration("terminal.integrated.shellIntegration");
    before(async () => {
      await setting().update("enabled", isFollowed, vscode.ConfigurationTarget.Global);
      // The editor tells it some time after its start.
      while (!vscode.env.shell)
        await new Promise<void>((resolve) => vscode.env.onDidChangeShell(() => resolve()));
      folder = mkdtempSync(join(tmpdir(), "command-runs-"));
      // The commands share a terminal, as those of a user do: the start of a shell takes longer than most of them.
      runs = createCommandRuns(() => folder);
    });
    after(async () => {
      runs.dispose();
      rmSync(folder, { recursive: true, force: true });
      await setting().update("enabled", undefined, vscode.ConfigurationTarget.Global);
    });
    afterEach(() => rmSync(join(folder, "child"), { force: true }));
    /** Resolves once the process whose id a command wrote into a file has ended; one that nobody waits for is a zombie. */
    const untilEnded = async (file: string) => {
      const id = readFileSync(join(folder, file), "utf8").trim();
      const state = () => spawnSync("ps", ["-o", "stat=", "-p", id], { encoding: "utf8" }).stdout.trim();
      while (!/^Z|^$/.test(state())) await setTimeout(20); // the system does not tell
    };

    it("returns output and exit code, without escape sequences and without the key", async () => {
      process.env[environment.key] = "host-key-canary";
      try {
        const text = await runs.run(
          `printf '\\033[31mred\\033[0m\\n'; echo "[$${environment.key}]" >&2; exit 3`,
          20_000,
          never,
        );
        assert.match(text, /^red\n/);
        assert.match(text, /\[\]/);
        assert.match(text, /Exit code 3\.$/);
      } finally {
        delete process.env[environment.key];
      }
    });

    it("cuts long output in the middle, and says so", async () => {
      const text = await runs.run("yes abcdefgh | head -c 3000000; echo end", 20_000, never);
      assert.ok(text.length < 2_000_200);
      assert.match(text, /characters were left out[\s\S]*end\nExit code 0\.$/);
    });

    it("ends a command that runs too long, with what it started", async () => {
      const text = await runs.run("sleep 1000 & echo $! > child; sleep 1000", 300, never);
      assert.match(text, /It was ended after 0\.3 s\.$/);
      await untilEnded("child");
    });

    it("ends what a command leaves running, which would hold its output open", async () => {
      const text = await runs.run("sleep 1000 & echo $! > child; echo done", 20_000, never);
      assert.match(text, /^done\nExit code 0\. The processes that it left running were ended\.$/);
      await untilEnded("child");
    });

    it("stops with the signal, and a background command by its id", async () => {
      const abort = new AbortController();
      const stopped = runs.run("sleep 1000", 60_000, abort.signal);
      abort.abort();
      await assert.rejects(stopped);
      const said = await runs.start("echo started; sleep 1000", never);
      const id = /^(\S+) is running[\s\S]*started/.exec(said)?.[1] ?? assert.fail(said);
      assert.deepEqual(runs.list, [{ id, command: "echo started; sleep 1000" }]);
      const ended = new Promise<void>((resolve) => runs.onDidChange(() => resolve()));
      runs.stop(id);
      await ended;
      assert.deepEqual(runs.list, []);
      assert.match(runs.read(id), /It has ended\. It was ended by SIG(?:TERM|KILL)\.$/);
      assert.throws(() => runs.read("constructor"), /no background command/);
    });

    it("keeps what it was asked to run, with its quotes, and has no input", async () => {
      const text = await runs.run(
        `echo '!!' "a!b" it\\'s\nread line || printf 'no\tinput'; echo; ps -o comm= -p $PPID`,
        20_000,
        never,
      );
      assert.match(text, /^!! a!b it's\nno\tinput\n/);
      assert.equal(/\nbash\nExit code 0\.$/.test(text), isFollowed, text);
    });

    it("loses no output of short commands, and shows the last state of a line", async () => {
      for (let code = 0; code < 10; code++)
        assert.equal(
          await runs.run(`printf '1 %%\\r2 %%\\r${code} %%'; exit ${code}`, 20_000, never),
          `${code} %\nExit code ${code}.`,
        );
    });

    it("ends with its terminal, which the user closes", async () => {
      const said = await runs.start("echo $$ > child; sleep 1000", never);
      const ended = new Promise<void>((resolve) => runs.onDidChange(() => resolve()));
      await vscode.commands.executeCommand("workbench.action.terminal.killAll");
      await ended;
      assert.match(runs.read(/^\S+/.exec(said)?.[0] ?? ""), /It has ended\. It was ended/);
      assert.deepEqual(runs.list, [], "the user knows");
      await untilEnded("child");
    });

    it("does not end by what it writes", async () => {
      const line = "printf '\\033]633;D;0\\007'; echo $$ > child; echo started; sleep 1000";
      const early = /what the editor takes for its end/;
      if (isFollowed) assert.match(await runs.run(line, 60_000, never), early);
      else {
        const said = await runs.start(line, never);
        const id = /^\S+/.exec(said)?.[0] ?? "";
        while (!/started/.test(runs.read(id))) await setTimeout(20); // output is not announced
        assert.match(runs.read(id), /It is running\.$/);
        const ended = new Promise<void>((resolve) => runs.onDidChange(() => resolve()));
        runs.stop(id);
        await ended;
        assert.match(runs.read(id), /It was ended by SIG(?:TERM|KILL)\.$/);
      }
      await untilEnded("child");
    });
  });

describe("commands in the sandbox", () => {
  let folder: string;
  let runs: CommandRuns;
  const none = { network: false, repository: false };
  before(installBubblewrap);
  beforeEach(() => {
    folder = mkdtempSync(join(homedir(), ".command-sandbox-"));
    const sandbox = new CommandSandbox({
      isWanted: () => true,
      workspaceFolders: () => [folder],
      writableFolders: () => [],
      hidden: [],
    });
    runs = createCommandRuns(() => folder, sandbox);
  });
  afterEach(() => {
    runs.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it("run in the user's shell, write only the workspace, and tell their exit code", async () => {
    const state = await runs.sandbox?.ready();
    if (!state?.isOn) return assert.match(state?.missing?.reason ?? "", /bubblewrap|bwrap|sandbox/);
    const line = `echo one >a.txt; echo x >'${folder}.out'; ps -o comm= -p $PPID; exit 3`;
    const text = await runs.run(line, 20_000, never, undefined, undefined, none);
    assert.match(text, /Read-only file system[\s\S]*Exit code 3\.$/);
    assert.deepEqual(
      [readFileSync(join(folder, "a.txt"), "utf8"), existsSync(`${folder}.out`)],
      ["one\n", false],
    );
  });

  it("are stopped with all that they have started, after time to end", async () => {
    const state = await runs.sandbox?.ready();
    if (!state?.isOn) return assert.match(state?.missing?.reason ?? "", /bubblewrap|bwrap|sandbox/);
    const line =
      "trap 'echo tidied; exit' TERM; setsid sleep 1000 & echo started; while :; do sleep 0.05; done";
    const said = await runs.start(line, never, undefined, undefined, none);
    const id = /^(\S+) is running[\s\S]*started/.exec(said)?.[1] ?? assert.fail(said);
    const ended = new Promise<void>((resolve) => runs.onDidChange(() => resolve()));
    runs.stop(id);
    await ended;
    assert.match(runs.read(id), /tidied[\s\S]*It has ended\./);
  });
});

describe("terminals of the user's shell", () => {
  const folder = mkdtempSync(join(tmpdir(), "command-runs-"));
  const runs = createCommandRuns(() => folder);
  after(() => {
    runs.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const listening: vscode.Disposable[] = [];
  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => isTrue() && resolve();
      listening.push(vscode.window.onDidOpenTerminal(look), vscode.window.onDidCloseTerminal(look));
      look();
    });

  /** The first report of a line with this text, and whether its end was reported. The end may name another line than the start. */
  const shown = (text: string) => {
    let hasEnded = false;
    const has = ({ execution }: { readonly execution: vscode.TerminalShellExecution }) =>
      execution.commandLine.value.includes(text);
    const { promise: first, resolve } = Promise.withResolvers<void>();
    listening.push(
      vscode.window.onDidStartTerminalShellExecution((event) => has(event) && resolve()),
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (!has(event)) return;
        hasEnded = true;
        resolve();
      }),
    );
    return { first, hasEnded: () => hasEnded };
  };

  // The editor may report another line than was typed. Then the terminal is left to the user, and another one is opened.
  afterEach(async () => {
    for (const terminal of agentTerminals()) terminal.dispose();
    await until(() => count() === 0);
    for (const one of listening.splice(0)) one.dispose();
  });

  it("are used again, and those at once have one each", async () => {
    for (let turn = 0; turn < 5; turn++)
      assert.equal(await runs.run(`echo ${turn}`, 20_000, never), `${turn}\nExit code 0.`);
    assert.ok(count() < 5, `${count()} terminals`);
    const all = await Promise.all(["1", "2", "3"].map((one) => runs.run(`echo ${one}`, 20_000, never)));
    assert.deepEqual(
      all,
      ["1", "2", "3"].map((one) => `${one}\nExit code 0.`),
    );
  });

  it("open before the command, out of sight", async () => {
    runs.warm();
    runs.warm();
    await until(() => count() === 1);
    assert.equal(vscode.window.activeTerminal, undefined);
    assert.equal(await runs.run("echo one", 20_000, never), "one\nExit code 0.");
    assert.equal(count(), 1);
    runs.warm();
    assert.equal(count(), 1, "it is free");
  });

  it("are left to a user who runs a command in one", async () => {
    await runs.run("echo", 20_000, never);
    const [terminal] = agentTerminals();
    const theirs = shown("sleep 1000");
    terminal?.shellIntegration?.executeCommand("sleep 1000");
    await theirs.first;
    assert.equal(await runs.run("echo other", 20_000, never), "other\nExit code 0.");
    assert.equal(theirs.hasEnded(), false);
    assert.ok(agentTerminals().length > 1);
  });

  it("run several lines also where the shell reports them in another form", async () => {
    const lines = "echo one\n\techo 'two  three'\necho four";
    for (let turn = 0; turn < 3; turn++) {
      assert.equal(await runs.run(lines, 20_000, never), "one\ntwo  three\nfour\nExit code 0.");
      assert.match(await runs.run("ps -o comm= -p $PPID", 20_000, never), /^bash/);
    }
  });

  for (const isFaster of [true, false])
    it(`are left to a user who types ${isFaster ? "before" : "after"} the start of a command`, async () => {
      await runs.run("echo", 20_000, never);
      const [terminal] = agentTerminals();
      const ours = shown("sleep 1;");
      const theirs = shown("sleep 1000");
      const running = runs.run("sleep 1; echo done", 20_000, never);
      if (!isFaster) await ours.first;
      terminal?.sendText("sleep 1000");
      // The terminal shows what is typed meanwhile.
      // If the next command starts at once, the editor does not tell the exit code.
      assert.match(await running, /done\n(?:Exit code 0|Its exit code is not known)\.$/);
      await theirs.first;
      assert.match(await runs.run("ps -o comm= -p $PPID", 20_000, never), /^bash/);
      // The editor types Ctrl+C before a command, which may cancel what was typed at the same time.
      assert.ok((isFaster && theirs.hasEnded()) || agentTerminals().length > 1);
      assert.equal(terminal?.exitStatus, undefined);
    });

  it("are not used if the workspace sets the environment of terminals", async () => {
    const settings = vscode.workspace.getConfiguration("terminal.integrated");
    const name = process.platform === "darwin" ? "env.osx" : "env.linux";
    await settings.update(name, { PATH: folder }, vscode.ConfigurationTarget.Workspace);
    try {
      assert.doesNotMatch(await runs.run("ps -o comm= -p $PPID", 20_000, never), /^bash/);
    } finally {
      await settings.update(name, undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("run nothing that is cancelled before", async () => {
    const cancelled = AbortSignal.abort();
    await assert.rejects(runs.run("echo > no", 20_000, cancelled));
    assert.equal(count(), 0);
  });

  it("close if the command is cancelled before it starts", async () => {
    await runs.run("echo", 20_000, never);
    const before = count();
    const abort = new AbortController();
    const busy = runs.run("sleep 0.5", 20_000, never);
    const cancelled = runs.run(`echo > ${join(folder, "no")}`, 20_000, abort.signal);
    await until(() => count() > before);
    abort.abort();
    await assert.rejects(cancelled);
    assert.equal(await busy, "Exit code 0.");
    assert.deepEqual(readdirSync(folder), []);
  });
});
