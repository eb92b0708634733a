import assert from "node:assert/strict";
import { test } from "node:test";
import { windowsLine } from "../../../../src/platform/process/lineProgram.ts";

/** What is left of a line after `cmd.exe` has read it: `^` makes the next character an ordinary one. */
const readByCmd = (line: string) => line.replace(/\^(.)/g, "$1");

test("Windows gets a line that gives a program its words as they are, and runs nothing else", () => {
  assert.equal(readByCmd(windowsLine(["npx", "-y", "a b", ""])), 'npx "-y" "a b" ""');
  assert.equal(readByCmd(windowsLine(["C:\\Program Files\\x.exe"])), "C:\\Program Files\\x.exe");
  assert.equal(readByCmd(windowsLine(["x", 'say "hi"', "C:\\dir\\"])), 'x "say \\"hi\\"" "C:\\dir\\\\"');
  const shim = windowsLine(["C:\\Users\\A & B (1)\\npm\\opencode.cmd", "acp"]);
  assert.equal(readByCmd(shim), 'C:\\Users\\A & B (1)\\npm\\opencode.cmd "acp"');
  assert.doesNotMatch(shim, /(?<!\^)[&|%<>()!" ](?!\^"acp)/);
  for (const word of ["a&calc", "a|calc", "%PATH%", "a>b", "(a)", '"&calc&"', "a^b", "!x!", 'a\\"&calc'])
    assert.doesNotMatch(windowsLine(["x", word]), /(?<!\^)[&|%<>()!"]/, word);
});
