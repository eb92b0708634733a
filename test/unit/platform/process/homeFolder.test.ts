import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { homeFolder } from "../../../../src/platform/process/homeFolder.ts";
import { startProgram } from "../../../../src/platform/process/program.ts";

test("a program of a user whose home folder does not exist runs elsewhere", async () => {
  const missing = join(tmpdir(), "no-such-home", "me");
  const folder = homeFolder(missing);
  assert.ok(existsSync(folder));
  const program = startProgram([process.execPath, "-e", ""], { folder, env: process.env }, "ignore");
  program.child.stdout?.resume();
  program.child.stderr?.resume();
  assert.equal((await program.ended).code, 0);
  assert.equal(homeFolder(tmpdir()), tmpdir());
});
