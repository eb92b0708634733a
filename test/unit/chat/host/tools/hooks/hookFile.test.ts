// Files with hooks, as the editor, the Copilot CLI and Claude Code write them, and with faults.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type HookFile, readHookFile } from "../../../../../../src/chat/host/tools/hooks/hookFile.ts";

const file: HookFile = {
  label: ".github/hooks/a.json",
  path: "/w/.github/hooks/a.json",
  folder: "/w",
  isOwn: false,
};
const read = (value: unknown, system: NodeJS.Platform = "linux") =>
  readHookFile(typeof value === "string" ? value : JSON.stringify(value), file, system);
const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });
const commands = (value: unknown, system?: NodeJS.Platform) =>
  read(value, system).hooks.map(({ event, shell = "", command: line }) => [event, shell, line].join("|"));

test("a hook has its command for the system, its folder, variables and time limit", () => {
  const entry = command("./all.sh", {
    windows: "all.cmd",
    osx: "./mac.sh",
    cwd: "tools",
    env: { LOG: "a.log" },
    timeout: 15,
  });
  const value = { hooks: { PreToolUse: [entry] } };
  assert.deepEqual(read(value), {
    hooks: [
      {
        event: "PreToolUse",
        command: "./all.sh",
        cwd: "tools",
        env: { LOG: "a.log" },
        timeoutMs: 15_000,
        file,
      },
    ],
    problems: [],
  });
  assert.deepEqual(commands(value, "win32"), ["PreToolUse||all.cmd"]);
  assert.deepEqual(commands(value, "darwin"), ["PreToolUse||./mac.sh"]);
  assert.equal(read({ hooks: { Stop: [command("a")] } }).hooks[0]?.timeoutMs, 30_000);
  assert.equal(read({ hooks: { Stop: [command("a", { timeout: 1e9 })] } }).hooks[0]?.timeoutMs, 600_000);
});

test("the formats of the Copilot CLI and of Claude Code are read, as the editor reads them", () => {
  const cli = {
    version: 1,
    hooks: {
      preToolUse: [{ type: "command", bash: "./a.sh", powershell: "./a.ps1", timeoutSec: 5 }],
      agentStop: [{ type: "command", bash: "./b.sh" }],
    },
  };
  assert.deepEqual(commands(cli), ["PreToolUse|bash|./a.sh", "Stop|bash|./b.sh"]);
  assert.deepEqual(commands(cli, "win32"), ["PreToolUse|powershell|./a.ps1"]);
  assert.match(
    read(cli, "win32").problems.join(),
    /hook 1 of Stop is not run: it has no command for this system/,
  );
  const claude = {
    hooks: { PostToolUse: [{ matcher: "Edit", hooks: [command("./a.sh"), command("./b.sh")] }] },
  };
  assert.deepEqual(commands(claude), ["PostToolUse||./a.sh", "PostToolUse||./b.sh"]);
  assert.deepEqual(read({ ...claude, disableAllHooks: true }), { hooks: [], problems: [] });
});

test("events without a hook here are named by a sentence", () => {
  const { hooks, problems } = read({
    hooks: { SessionStart: [command("a")], userPromptSubmitted: [command("b")], Stop: [command("c")] },
  });
  assert.equal(hooks.length, 1);
  assert.deepEqual(problems, [
    ".github/hooks/a.json has hooks at SessionStart, userPromptSubmitted, which are not run here: hooks run at PreToolUse, PostToolUse, Stop.",
  ]);
});

for (const [name, value, problem] of [
  ["text that is no JSON", "{hooks", /is not JSON, so its hooks are not run/],
  ["no hooks", [], /has no object hooks/],
  ["a list in place of events", { hooks: [] }, /has no object hooks/],
  ["an event without a list", { hooks: { Stop: {} } }, /Stop is no list/],
  ["another type", { hooks: { Stop: [{ type: "prompt", command: "a" }] } }, /hook 1 of Stop .* its type/],
  ["no type", { hooks: { Stop: [{ command: "a" }] } }, /its type/],
  ["no command", { hooks: { Stop: [command(" ")] } }, /no command/],
  ["a command that is a number", { hooks: { Stop: [{ type: "command", command: 1 }] } }, /no command/],
  ["a null byte", { hooks: { Stop: [command("a\0b")] } }, /no command/],
  ["a long command", { hooks: { Stop: [command("a".repeat(4_001))] } }, /longer than 4,000/],
  ["many variables", { hooks: { Stop: [command("a", { env: { A: "b".repeat(4_000) } })] } }, /longer than/],
  ["a variable that is no text", { hooks: { Stop: [command("a", { env: { A: 1 } })] } }, /no text/],
  [
    "a variable with a bad name",
    { hooks: { Stop: [command("a", { env: { "A=B": "c" } })] } },
    /invalid name/,
  ],
  ["an env that is a list", { hooks: { Stop: [command("a", { env: [] })] } }, /env is no object/],
  ["a folder that is no text", { hooks: { Stop: [command("a", { cwd: 1 })] } }, /cwd is no path/],
  ["a negative time", { hooks: { Stop: [command("a", { timeout: -1 })] } }, /timeout is no number/],
  ["a time in words", { hooks: { Stop: [command("a", { timeout: "5" })] } }, /timeout is no number/],
] as const)
  test(`a fault is named, and its hook does not run: ${name}`, () => {
    const { hooks, problems } = read(value);
    assert.deepEqual(hooks, []);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", problem);
    assert.match(problems[0] ?? "", /^\.github\/hooks\/a\.json/);
  });

test("a fault of one hook leaves the others, and there are at most 50", () => {
  const { hooks, problems } = read({
    hooks: { Stop: [{}, ...Array.from({ length: 60 }, () => command("a"))] },
  });
  assert.equal(hooks.length, 50);
  assert.equal(problems.length, 2);
});
