// The file with the tools of a workspace: trust, links and its size are looked at before it is read.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ownToolsPath, readOwnToolsFile } from "../../../../../../src/chat/host/tools/own/ownTools.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

function openFolder(): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".vscode"));
  return { folder, file: join(folder, ownToolsPath) };
}

test("a file of a workspace that is not trusted is not read, whatever it is", async () => {
  const { folder, file } = openFolder();
  assert.deepEqual(await readOwnToolsFile(folder, false), {});
  writeFileSync(file, "{}");
  // Sparse: far more than fits into a string.
  truncateSync(file, 1_900_000_000);
  assert.match((await readOwnToolsFile(folder, false)).problem ?? "", /^Trust this workspace/);
  assert.match((await readOwnToolsFile(folder, true)).problem ?? "", /larger than 1 MB/);
});

test("a link, a pipe and a link of the folder out of the workspace are not read", async () => {
  for (const target of ["/dev/zero", "/etc/hostname", "other.json", "missing"]) {
    const { folder, file } = openFolder();
    writeFileSync(join(folder, ".vscode/other.json"), "{}");
    symlinkSync(target, file);
    assert.match(
      (await readOwnToolsFile(folder, true)).problem ?? "",
      /is a link or not a regular file/,
      target,
    );
  }
  if (process.platform !== "win32") {
    const { folder, file } = openFolder();
    execFileSync("mkfifo", [file]);
    assert.match((await readOwnToolsFile(folder, true)).problem ?? "", /not a regular file/);
  }
  const [outside, folder] = [openFolder(), temporaryFolder()];
  writeFileSync(outside.file, '{"tools":[]}');
  symlinkSync(join(outside.folder, ".vscode"), join(folder, ".vscode"));
  const { text, problem } = await readOwnToolsFile(folder, true);
  assert.equal(text, undefined);
  assert.match(problem ?? "", /can't be read in the workspace/);
});

test("a file of a usual size is read; one byte above the limit is too much", async () => {
  const { folder, file } = openFolder();
  assert.deepEqual(await readOwnToolsFile(folder, true), {});
  writeFileSync(file, '{"tools":[]}');
  assert.deepEqual(await readOwnToolsFile(folder, true), { text: '{"tools":[]}' });
  writeFileSync(file, "x".repeat(1_000_000));
  assert.equal((await readOwnToolsFile(folder, true)).text?.length, 1_000_000);
  writeFileSync(file, "x".repeat(1_000_001));
  assert.match((await readOwnToolsFile(folder, true)).problem ?? "", /larger than 1 MB/);
});
