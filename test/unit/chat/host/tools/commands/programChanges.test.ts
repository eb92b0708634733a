// What programs of tools change gets into the conversation, and the model is told.
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  FileChange,
  PendingChanges,
  ProgramResult,
} from "../../../../../../src/changes/engine/pendingChanges.ts";
import type { CommandRuns } from "../../../../../../src/chat/host/tools/commands/commandRuns.ts";
import { ProgramChanges } from "../../../../../../src/chat/host/tools/commands/programChanges.ts";
import type { CallContext, ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { Refusal } from "../../../../../../src/platform/errors/refusal.ts";

const never = new AbortController().signal;
const none: ProgramResult = { files: [], kept: [] };
const change = (uri: string): FileChange => ({ uri, before: null, after: "a" });

/** Programs whose results the test gives, and background commands that it starts and ends. */
function fake(begin?: () => Promise<never>) {
  const log: string[] = [];
  const results: ProgramResult[] = [];
  let tell: (changes: readonly FileChange[]) => void = () => {};
  let listener = () => {};
  let list: CommandRuns["list"] = [];
  const programs = {
    isRunning: false,
    warm: () => void log.push("warm"),
    begin: async (_: AbortSignal, onChanged: typeof tell) => {
      await begin?.();
      log.push("begin");
      tell = onChanged;
      const take = (what: string) => async () => {
        log.push(what);
        return results.shift() ?? none;
      };
      return { collect: take("collect"), end: take("end") };
    },
  };
  const runs = {
    get list() {
      return list;
    },
    onDidChange: (one: () => void) => {
      listener = one;
      return { dispose() {} };
    },
  };
  return {
    log,
    results,
    changes: new ProgramChanges(
      async () => ({ programs }) as unknown as PendingChanges,
      runs as unknown as CommandRuns,
    ),
    tell: (uri: string) => tell([change(uri)]),
    setList(next: CommandRuns["list"]) {
      list = next;
      listener();
    },
  };
}

function contextOf(conversation?: string) {
  const changed: string[] = [];
  const context = {
    ...(conversation === undefined ? {} : { conversation }),
    changed: (some: readonly FileChange[]) => void changed.push(...some.map(({ uri }) => uri)),
  };
  return { changed, context: context as unknown as CallContext };
}

const toolOf = (name: string, run: NonNullable<ChatTool["run"]>) => ({ name, run }) as unknown as ChatTool;

test("the result tells which files have changed, and why some can't be restored", async () => {
  const { changes, results, log } = fake();
  const files = Array.from({ length: 25 }, (_, index) => ({
    path: `${index}.ts`,
    kind: "changed" as const,
    added: 2,
    removed: 1,
  }));
  const kept = [{ path: ".env", reason: ".env can't be restored, because it looks like a file of keys." }];
  results.push({
    files: [{ path: "new.ts", kind: "created" }, { path: "old.ts", kind: "deleted" }, ...files],
    kept,
  });
  const tool = changes.recorded(toolOf("run_command", async () => "Exit code 0."));
  await tool.prepare?.({});
  const text = await tool.run?.({}, never, contextOf().context);
  const [first, second, third] = text?.split("\n") ?? [];
  assert.equal(first, "Exit code 0.");
  assert.match(
    second ?? "",
    /^Changed by it: new\.ts \(new\), old\.ts \(deleted\), 0\.ts \(\+2 −1\), .* and 7 more\.$/,
  );
  assert.equal(third, kept[0]?.reason);
  assert.deepEqual(log, ["warm", "begin", "end"]);
});

test("a command that fails or is stopped is recorded, too", async () => {
  const { changes, results, log } = fake();
  results.push({ files: [{ path: "a.ts", kind: "created" }], kept: [] });
  const failing = changes.recorded(
    toolOf("own", () => Promise.reject(new Refusal("own ended with code 1."))),
  );
  await assert.rejects(
    async () => failing.run?.({}, never, contextOf().context),
    /^Error: own ended with code 1\.\nChanged by it: a\.ts \(new\)\.$/,
  );
  const stop = new AbortController();
  const stopped = changes.recorded(
    toolOf("run_command", async (_, signal) => {
      stop.abort();
      signal.throwIfAborted();
      return "";
    }),
  );
  await assert.rejects(async () => stopped.run?.({}, stop.signal, contextOf().context), /abort/i);
  assert.deepEqual(log, ["begin", "end", "begin", "end"]);
});

test("a command runs although its changes can't be recorded, and says so", async () => {
  const { changes } = fake(() => Promise.reject(new Refusal("the disk is full.")));
  const tool = changes.recorded(toolOf("run_command", async () => "done"));
  assert.equal(
    await tool.run?.({}, never, contextOf().context),
    "done\nWhat it has changed can't be rewound: the disk is full.",
  );
});

test("changes of a command in the background get into the last call of its conversation, until it ends", async () => {
  const { changes, setList, results, tell, log } = fake();
  const [first, second, other] = [contextOf("one"), contextOf("one"), contextOf("two")];
  const start = changes.recorded(
    toolOf("run_command", async () => {
      setList([{ id: "command-1", command: "watch" }]);
      return "command-1 is running.";
    }),
  );
  await start.run?.({}, never, first.context);
  tell("a");
  const edit = changes.followed(toolOf("edit_file", async () => "Changed."));
  assert.equal(await edit.run?.({}, never, second.context), "Changed.");
  await edit.run?.({}, never, other.context);
  tell("b");
  assert.deepEqual([first.changed, second.changed, other.changed], [["a"], ["b"], []]);
  results.push({ files: [{ path: "b.ts", kind: "created" }], kept: [] });
  const read = changes.followed(toolOf("read_command_output", async () => "It is running."));
  assert.equal(await read.run?.({}, never, other.context), "It is running.");
  assert.equal(await read.run?.({}, never, second.context), "It is running.\nChanged by it: b.ts (new).");
  setList([{ id: "command-1", command: "watch", ended: "Exit code 0." }]);
  assert.deepEqual(log, ["begin", "collect", "collect", "end"]);
});
