// Commands that are typed into the user's shell: they arrive as they are, and wait until they may start.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { createOutput } from "../../../../../../src/chat/host/tools/commands/commandOutput.ts";
import { createTypedCommand } from "../../../../../../src/chat/host/tools/commands/typedCommand.ts";
import { allProcesses } from "../../../../../../src/platform/process/processes.ts";
import { environment } from "../../../../../../src/shared/names/ids.ts";
import { randomCases } from "../../../../../runner/cases.ts";

const never = new AbortController().signal;

test("any command is one word for bash, without a tab or a line break, which a prompt would obey", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab'\"\\$`!*?#~ ;&|<>(){}[]\n\t%=-"), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, async (command) => {
      const typed = await createTypedCommand(command, tmpdir());
      assert.ok(typed);
      await typed.dispose();
      assert.ok(!/[\t\n]/.test(typed.line));
      const { stdout } = await promisify(execFile)("bash", [
        "-c",
        `printf %s ${typed.line.replace(`/bin/sh ${typed.script} `, "")}`,
      ]);
      assert.equal(stdout, command);
    }),
    { numRuns: randomCases(100) },
  );
});

/** Runs a line in bash; resolves to its output. */
function inBash(line: string) {
  const child = spawn("bash", ["-c", line], { stdio: ["ignore", "pipe", "ignore"] });
  return { child, text: child.stdout.toArray().then((pieces) => Buffer.concat(pieces).toString()) };
}

const printed = `pwd; cat; echo "[$${environment.key}] $PAGER" 'it'"'"s; exit 7`;

test("a command begins with an empty input and without the key once it may", async () => {
  const typed = await createTypedCommand(printed, tmpdir());
  assert.ok(typed);
  const { child, text } = inBash(`export ${environment.key}=canary; ${typed.line}`);
  const closed = once(child, "close");
  assert.ok((await typed.open(never)) > 1);
  await typed.dispose();
  assert.equal(await text, `${realpathSync(tmpdir())}\n[] cat it's\n`);
  assert.deepEqual(await closed, [7, null]);
});

test("a command that is given up never begins, whether it waits or not", async () => {
  for (const waits of [true, false]) {
    const typed = await createTypedCommand(printed, tmpdir());
    assert.ok(typed);
    const { child, text } = inBash(typed.line);
    const closed = once(child, "close");
    while (waits && !existsSync(typed.script.replace(/run$/, "id"))) await nextTurn();
    await typed.dispose();
    await closed;
    assert.equal(await text, "");
  }
});

test("a command that something has changed on its way never begins", async () => {
  const typed = await createTypedCommand("echo 'a b'", tmpdir());
  assert.ok(typed);
  for (const line of [typed.line.replace("a b", "a  b"), `${typed.line} more`, `/bin/sh ${typed.script}`])
    assert.equal(await inBash(line).text, "");
  await typed.dispose();
});

test("a reported line is the typed one, also without an end of it, and not if the user has typed before it", async () => {
  const typed = await createTypedCommand("sleep 1; echo done", tmpdir());
  assert.ok(typed);
  const { line } = typed;
  for (const reported of [line, line.slice(1), line.slice(0, -1), ` ${line}`])
    assert.ok(typed.isAloneIn(reported), reported);
  for (const reported of [`sleep 1000\n${line}`, `sleep 1000${line}`, `true; ${line}`, "sleep 1000", ""])
    assert.equal(typed.isAloneIn(reported), false, reported);
  await typed.dispose();
});

test("without a command that waits, opening ends with the signal", async () => {
  const typed = await createTypedCommand("echo", tmpdir());
  await assert.rejects(typed?.open(AbortSignal.timeout(20)) ?? Promise.resolve(), { name: "AbortError" });
  await typed?.dispose();
});

test("what can't be typed is refused: control characters, others than ASCII, long lines", async () => {
  for (const command of ["a\u001b[A", "a\rb", "a\u0003", "a\u202eb", "é", "a".repeat(999), "'".repeat(250)])
    assert.equal(await createTypedCommand(command, tmpdir()), undefined, JSON.stringify(command));
});

test("output is what a terminal shows in the end: without escape sequences and overwritten states", () => {
  const shown = (...pieces: readonly string[]) => {
    const output = createOutput();
    for (const piece of pieces) output.add(piece);
    return output.text();
  };
  assert.equal(shown("\u001b[3", "1mred\u001b[0m\r\n"), "red\n");
  assert.equal(shown("10 %\r20 %", "\r100 %\r\r\ndone\r\n"), "100 %\ndone\n");
  assert.equal(shown("10%\b\b\b50%\b", "\b\b99%\n"), "99%\n");
  assert.equal(shown("\b\bab\b\bc\n"), "cb\n");
  assert.equal(shown("\u001b]0;a title with ‘blanks’\u0007text\u001b]8;;http://a b\u001b\\"), "text");
  // What zsh writes after a line without an end.
  assert.equal(shown(`text\u001b[7m%\u001b[27m${" ".repeat(79)}\r \r`), "text\n");
  assert.equal(shown(`${" ".repeat(30)}indented\n`), `${" ".repeat(30)}indented\n`);
});

test("ps tells the same of this process as /proc", () => {
  const own = (platform: NodeJS.Platform) => allProcesses(platform).find(({ id }) => id === process.pid);
  assert.equal(own(process.platform)?.parent, process.ppid);
  assert.deepEqual(own("darwin"), own(process.platform));
});

test("a line of 60,000 returns is read in linear time", () => {
  const output = createOutput();
  output.add(`${"\r".repeat(59_999)}x`);
  assert.equal(output.text(), "x");
});
