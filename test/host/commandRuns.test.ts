// Commands of an agent: output, exit code, timeout, stop, and nothing left running.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CommandRuns, createCommandRuns } from "../../src/features/chat/agent/commandRuns.ts";
import { environment } from "../../src/shared/ids.ts";

const never = new AbortController().signal;

describe("commands of an agent", () => {
  let folder: string;
  let runs: CommandRuns;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "command-runs-"));
    runs = createCommandRuns(() => folder);
  });
  afterEach(() => {
    runs.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Resolves once the process whose id a command wrote into a file has ended; one that nobody waits for is a zombie. */
  const untilEnded = async (file: string) => {
    const id = readFileSync(join(folder, file), "utf8").trim();
    const state = () => spawnSync("ps", ["-o", "stat=", "-p", id], { encoding: "utf8" }).stdout.trim();
    while (!/^Z|^$/.test(state())) await nextTurn();
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
    const text = await runs.run("yes abcdefgh | head -c 200000; echo end", 20_000, never);
    assert.ok(text.length < 61_000);
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
    const said = await runs.start("echo started; sleep 1000");
    const id = /^(\S+) is running[\s\S]*started/.exec(said)?.[1] ?? assert.fail(said);
    assert.deepEqual(runs.list, [{ id, command: "echo started; sleep 1000" }]);
    const ended = new Promise<void>((resolve) => runs.onDidChange(() => resolve()));
    runs.stop(id);
    await ended;
    assert.deepEqual(runs.list, []);
    assert.match(runs.read(id), /It has ended\. It was ended by SIGTERM\.$/);
    assert.throws(() => runs.read("constructor"), /no background command/);
  });
});
