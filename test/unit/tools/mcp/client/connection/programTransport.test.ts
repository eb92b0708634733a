import assert from "node:assert/strict";
import { test } from "node:test";
import { windowsLine } from "../../../../../../src/tools/mcp/client/connection/programTransport.ts";

/** What is left of a line after `cmd.exe` has read it: `^` makes the next character an ordinary one. */
const readByCmd = (line: string) => line.replace(/\^(.)/g, "$1");

test("Windows gets a line that gives a program its words as they are, and runs nothing else", () => {
  assert.equal(readByCmd(windowsLine(["npx", "-y", "a b", ""])), 'npx "-y" "a b" ""');
  assert.equal(readByCmd(windowsLine(["C:\\Program Files\\x.exe"])), "C:\\Program Files\\x.exe");
  assert.equal(readByCmd(windowsLine(["x", 'say "hi"', "C:\\dir\\"])), 'x "say \\"hi\\"" "C:\\dir\\\\"');
  for (const word of ["a&calc", "a|calc", "%PATH%", "a>b", "(a)", '"&calc&"', "a^b", "!x!", 'a\\"&calc'])
    assert.doesNotMatch(windowsLine(["x", word]), /(?<!\^)[&|%<>()!"]/, word);
});
