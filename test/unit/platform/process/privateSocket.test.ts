import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createSocketPath, listening, sweepSockets } from "../../../../src/platform/process/privateSocket.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const label = `sweep-${process.pid}`;
const later = () => Date.now() + 3_600_000;

test("the socket of a killed process is removed by the next one, and those of others stay", async (t) => {
  if (process.platform === "win32") return;
  const script = join(temporaryFolder(), "killed.cjs");
  writeFileSync(
    script,
    `require("node:net").createServer().listen(process.argv[2], () => process.send("ready"));`,
  );
  const killed = mkdtempSync(join(tmpdir(), `inference-${label}-`));
  const child = fork(script, [join(killed, "window.sock")]);
  await once(child, "message");
  const alive = await createSocketPath(label);
  const server = createServer();
  await listening(server, { path: alive.path });
  const shared = mkdtempSync(join(tmpdir(), `inference-${label}-`));
  chmodSync(shared, 0o777);
  const full = mkdtempSync(join(tmpdir(), `inference-${label}-`));
  writeFileSync(join(full, "other"), "");
  const target = temporaryFolder();
  mkdirSync(join(target, "inner"));
  const link = join(tmpdir(), `inference-${label}-link`);
  symlinkSync(target, link);
  t.after(() => {
    server.close();
    alive.remove();
    for (const path of [killed, shared, full, link]) rmSync(path, { recursive: true, force: true });
  });
  await sweepSockets(label, later());
  assert.ok(existsSync(join(killed, "window.sock")), "its process is alive");
  child.kill("SIGKILL");
  await once(child, "exit");
  await sweepSockets(label, Date.now());
  assert.ok(existsSync(killed), "too young");
  await sweepSockets(label, later());
  assert.ok(!existsSync(killed));
  for (const path of [dirname(alive.path), shared, full, join(target, "inner")])
    assert.ok(existsSync(path), path);
  assert.ok(lstatSync(link).isSymbolicLink());
});
