// Files of the workspace that are no regular files: reading one must end.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { readDiskLines, readHead } from "../../../../src/tools/files/diskLines.ts";
import type { WorkspaceFiles } from "../../../../src/tools/files/workspaceFiles.ts";
import { editor, loadWithEditor } from "../../changes/editorModel.ts";
import { put, uriOf } from "../../changes/seenFiles.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const { editorFiles } = await loadWithEditor<{ readonly editorFiles: WorkspaceFiles }>(
  "src/tools/files/editorFiles.ts",
);

test("a pipe, a socket, a device and a folder are refused by each way to read, and none waits for its end", async (t) => {
  editor.start(temporaryFolder());
  const path = (name: string) => uriOf(name).path;
  put("a.txt", "text");
  execFileSync("mkfifo", [path("pipe")]);
  symlinkSync(path("pipe"), path("link"));
  symlinkSync("/dev/zero", path("zero"));
  mkdirSync(path("folder"));
  // The path of a socket must be short.
  const socket = join(temporaryFolder(), "s");
  const server = createServer().listen(socket);
  t.after(() => server.close());
  symlinkSync(socket, path("socket"));
  const { signal } = new AbortController();
  for (const name of ["pipe", "link", "zero", "folder", "socket"]) {
    const file = { path: path(name), encoding: undefined };
    const ways = [
      () => editorFiles.read(name, 1000),
      () => editorFiles.readText(name, 1000),
      () => editorFiles.look(name),
      () => readHead(file.path, 10),
      () => readDiskLines(file, { from: 1, count: 1 }, signal),
    ];
    for (const way of ways) await assert.rejects(way, `${name}: ${way}`);
  }
  assert.equal(await editorFiles.readText("a.txt", 1000), "text");
  assert.deepEqual(await readHead(path("a.txt"), 2), Buffer.from("te"));
});
