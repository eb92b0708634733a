import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../../tools/paths.ts";

const module = pathToFileURL(join(root, "test/runner/children.ts")).href;
/** Starts a process that would never end and keeps the output open. */
const parent = `
  import { spawn } from "node:child_process";
  import { endChildrenWithThisProcess } from ${JSON.stringify(module)};
  endChildrenWithThisProcess();
  const forever = "process.on('SIGTERM', () => {}); console.log('started'); setInterval(() => {}, 1000);";
  spawn(process.execPath, ["-e", forever], { stdio: "inherit" });
`;

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  test(`a process that ${signal} ends leaves none of those that it started`, async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", parent], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    await once(child.stdout, "readable");
    child.kill(signal);
    // The output ends when the last process that has it ends.
    assert.equal(await text(child.stdout), "started\n");
    assert.deepEqual(await exited, [code, null]);
  });
