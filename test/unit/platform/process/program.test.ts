import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { leftMs, startProgram } from "../../../../src/platform/process/program.ts";

const isWindows = process.platform === "win32";

test("a busy window has all that a program has printed by its end", {
  skip: isWindows && "it has no sh",
}, async () => {
  const line = "(sleep 0.1; echo the reason >&2) & exit 3";
  const { child, ended } = startProgram(["sh", "-c", line], { folder: tmpdir(), env: process.env }, "ignore");
  let printed = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  // The window does something else until the time for what is left running has passed.
  child.once("exit", () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, leftMs + 200));
  assert.deepEqual(await ended, { code: 3, signal: null, hasLeftOthers: false });
  assert.equal(printed, "the reason\n");
});
