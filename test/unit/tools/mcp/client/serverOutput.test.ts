import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { replace } from "../../../vscodeDouble.ts";

const { ServerOutput } = await import("../../../../../src/tools/mcp/client/serverOutput.ts");

/** The output, and the lines of its channel. */
function outputOf(t: TestContext) {
  const lines: string[] = [];
  const createOutputChannel = () => ({ appendLine: (line: string) => lines.push(line), dispose() {} });
  replace("window", { createOutputChannel }, t);
  const output = new ServerOutput();
  t.after(() => output.dispose());
  return { output, lines };
}

test("a secret is left out wherever the output is cut into pieces", (t) => {
  const { output, lines } = outputOf(t);
  const text = "starts\r\nthe token is s3cret-token, not s3cret\u001b[31m red\u001b[0m\n";
  for (let at = 0; at <= text.length; at++) {
    const printer = output.printer("mine", ["s3cret-token"]);
    printer.write(text.slice(0, at));
    printer.write(text.slice(at));
  }
  assert.deepEqual([...new Set(lines)], ["[mine] starts", "[mine] the token is ***, not s3cret red"]);
});

test("what is shown of a start is bounded, and so is each line; the rest of a long line is left out", (t) => {
  const { output, lines } = outputOf(t);
  const printer = output.printer("mine", ["s3cret-token"]);
  const long = `${"x".repeat(7_995)}s3cret-token`;
  for (const letter of [long.slice(0, 8_001), long.slice(8_001), " and more\n", "next\n", "unfinished"])
    printer.write(letter);
  printer.line("It has ended.");
  assert.deepEqual(lines.splice(0), [
    `[mine] ${"x".repeat(2_000)}`,
    "[mine] next",
    "[mine] unfinished",
    "[mine] It has ended.",
  ]);
  for (let count = 0; count < 10_000; count++) printer.write(`${"y".repeat(1_000)}\n`);
  const all = lines.join("\n");
  assert.ok(all.length < 1_100_000);
  assert.match(all, /the rest is left out\.$/);
});
