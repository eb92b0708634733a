// What a command in the sandbox changes is told, pending and rewound byte for byte, as that of one without a sandbox.
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { watch } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import type { FileChange, PendingChanges } from "../../../../../../src/changes/engine/pendingChanges.ts";
import type { CommandRuns } from "../../../../../../src/chat/host/tools/commands/commandRuns.ts";
import { ProgramChanges } from "../../../../../../src/chat/host/tools/commands/programChanges.ts";
import { CommandSandbox } from "../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import type { CallContext, ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { startProgram } from "../../../../../../src/platform/process/program.ts";
import { installBubblewrap } from "../../../../../tools/installBubblewrap.ts";
import { cacheDirectory } from "../../../../../tools/paths.ts";
import { editor, loadWithEditor } from "../../../../changes/editorModel.ts";
import { openChanges } from "../../../../changes/openChanges.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

await installBubblewrap();
const { createCommandTools } = await loadWithEditor<{
  readonly createCommandTools: (runs: CommandRuns) => readonly ChatTool[];
}>("src/chat/host/tools/commands/commandTools.ts");

// Not in the folder of temporary files, which the sandbox does not show.
mkdirSync(cacheDirectory(), { recursive: true });
const base = realpathSync(mkdtempSync(join(cacheDirectory(), "sandboxed-changes-")));
const sandbox = new CommandSandbox({
  isWanted: () => true,
  workspaceFolders: () => [editor.root],
  writableFolders: () => [],
  hidden: [],
});
after(() => {
  sandbox.dispose();
  rmSync(base, { recursive: true, force: true });
});
const { isOn } = await sandbox.ready();

const unused = (): never => assert.fail("not called here");
/** Runs commands in the sandbox as a terminal does, without one. */
const runs: CommandRuns = {
  ...{ sandbox, start: unused, startTask: unused, read: unused, stop: unused, forget: unused },
  ...{ list: [], onDidChange: () => ({ dispose() {} }), dispose() {}, warm() {} },
  async run(command, _, signal, __, place = editor.root, access) {
    const sandboxed = sandbox.wrap(place, access ?? assert.fail("it was to run in the sandbox"));
    const words: [string, ...string[]] = [...sandboxed.words, "/bin/sh", "-c", command];
    const program = startProgram(words, { folder: place, env: process.env }, "ignore", { hasMonitor: true });
    const stop = () => program.signal("SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    const { code } = await program.ended;
    signal.removeEventListener("abort", stop);
    sandboxed.release();
    signal.throwIfAborted();
    return `Exit code ${code}.`;
  },
};

const files: Readonly<Record<string, readonly [text: string, mode: number]>> = {
  "a.txt": ["one\ntwo\nthree\n", 0o640],
  "run.sh": ["#!/bin/sh\n", 0o755],
  "src/b.ts": ["\ufeffone\r\ntwo\r\n", 0o644],
  "src/deep/c.bin": ["\0\u0001\0", 0o600],
  "gone.txt": ["", 0o644],
  ".vscode/tasks.json": ["{}\n", 0o644],
  ".git/config": ["[core]\n", 0o644],
};

interface Opened {
  readonly changes: PendingChanges;
  readonly made: FileChange[];
  /** The result of a call. */
  call(input: object, signal?: AbortSignal): Promise<string>;
}

/** A workspace with these files, and the tool for commands. */
function open(name: string): Opened {
  const root = join(base, name);
  mkdirSync(root);
  editor.start(root);
  for (const [path, [text, mode]] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  }
  const storage = temporaryFolder();
  const changes = openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
  const made: FileChange[] = [];
  const [command] = createCommandTools(runs);
  const tool = new ProgramChanges(async () => changes, runs).recorded(command ?? assert.fail());
  const context = { changed: (some: readonly FileChange[]) => void made.push(...some), began() {} };
  return {
    ...{ changes, made },
    async call(input, signal = new AbortController().signal) {
      await tool.prepare?.({ ...input });
      return (await tool.run?.({ ...input }, signal, context as unknown as CallContext)) ?? "";
    },
  };
}

/** Each file with its content and mode. */
function seen(): Readonly<Record<string, readonly [string, number]>> {
  const names = readdirSync(editor.root, { recursive: true }).map(String).sort();
  return Object.fromEntries(
    names
      .map((name) => [name, lstatSync(join(editor.root, name))] as const)
      .filter(([, found]) => found.isFile())
      .map(([name, { mode }]) => [
        name,
        [readFileSync(join(editor.root, name), "latin1"), mode & 0o777] as const,
      ]),
  );
}

const lines = [
  "sed -i s/two/TWO/ a.txt src/b.ts",
  "chmod 700 run.sh && echo more >>a.txt",
  "rm gone.txt && mv src/deep/c.bin c.bin",
  "mkdir -p out/deep && seq 100 >out/deep/generated.txt && cp -p out/deep/generated.txt src/",
  "rm -r src && printf 'new\\n' >gone.txt",
  // What the sandbox refuses changes nothing.
  "echo x >.vscode/tasks.json; echo x >>.git/config; rm -rf .git .vscode; echo x >../outside.txt",
];

test("after commands in the sandbox, a rewind restores every byte and mode", {
  skip: isOn ? false : "there is no bubblewrap here",
}, async (t) => {
  const { changes, made, call } = open("rewind");
  t.after(() => changes.dispose());
  const first = seen();
  const told: (readonly string[])[] = [];
  for (const command of lines) {
    const [, names = ""] = /^Changed by it: (.*)\.$/m.exec(await call({ command })) ?? [];
    told.push(names.split(", ").toSorted());
  }
  assert.deepEqual(told, [
    ["a.txt (+1 −1)", "src/b.ts (+1 −1)"],
    ["a.txt (+1 −0)", "run.sh"],
    ["c.bin (new)", "gone.txt (deleted)", "src/deep/c.bin (deleted)"],
    ["out/deep/generated.txt (new)", "src/generated.txt (new)"],
    ["gone.txt (new)", "src/b.ts (deleted)", "src/generated.txt (deleted)"],
    [""],
  ]);
  assert.ok(!existsSync(join(base, "outside.txt")));
  const done = await changes.rewind(made, async (paths) => assert.fail(`asks about ${paths.join(", ")}`));
  assert.deepEqual([done?.kept, done?.failure], [[], undefined]);
  assert.deepEqual(seen(), first);
  assert.deepEqual(changes.files, []);
});

test("a command in the sandbox that is stopped has changed what a rewind restores", {
  skip: isOn ? false : "there is no bubblewrap here",
}, async (t) => {
  const { changes, made, call } = open("stopped");
  t.after(() => changes.dispose());
  const first = seen();
  const stop = new AbortController();
  const events = watch(editor.root);
  const running = call(
    { command: "sed -i s/one/ONE/ a.txt; rm run.sh; echo x >half.txt; sleep 600" },
    stop.signal,
  );
  for await (const { filename } of events) if (filename === "half.txt") break;
  stop.abort();
  await assert.rejects(running);
  assert.notDeepEqual(seen(), first);
  await changes.rewind(made, async (paths) => assert.fail(`asks about ${paths.join(", ")}`));
  assert.deepEqual(seen(), first);
});
