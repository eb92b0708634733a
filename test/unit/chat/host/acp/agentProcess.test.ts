import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hasEnded, newWriterName } from "../../../../../src/platform/files/durable/writerName.ts";
import { loadWithEditor } from "../../../changes/editorModel.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const { sweepAgentFolders } = await loadWithEditor<{ sweepAgentFolders(storage: string): Promise<void> }>(
  "src/chat/host/acp/agentProcess.ts",
);

test("what the agent of a killed window has left running ends when the next one starts, and its folder is removed", async (t) => {
  const storage = temporaryFolder();
  const { pid = 0 } = spawnSync(process.execPath, ["--version"]);
  const [machine = ""] = newWriterName().split(".");
  const ended = `${machine}.${pid.toString(36)}.00000000`;
  assert.ok(hasEnded(ended));
  const folders = [ended, newWriterName()].map((name) => join(storage, name));
  const daemons = folders.map((folder) => {
    mkdirSync(folder);
    const env = { ...process.env, INFERENCE_AGENT_FOLDER: folder };
    const daemon = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { env, stdio: "ignore" });
    t.after(() => daemon.kill("SIGKILL"));
    return daemon;
  });
  const [left, own] = daemons;
  assert.ok(left && own);
  await Promise.all(daemons.map((daemon) => once(daemon, "spawn")));
  const isOver = once(left, "exit");
  await sweepAgentFolders(storage);
  // Only Linux tells with which variables a process was started.
  if (process.platform !== "linux") left.kill("SIGKILL");
  await isOver;
  assert.deepEqual(folders.map(existsSync), [false, true]);
  assert.equal(own.exitCode ?? own.signalCode, null);
});
