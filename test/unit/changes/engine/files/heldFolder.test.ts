// The check of a place and the write to it are one act: a link that appears between them leads nothing outside.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type * as fileAccess from "../../../../../src/changes/engine/files/fileAccess.ts";
import { createTemporaryFiles } from "../../../../../src/platform/files/durable/temporaryFiles.ts";
import { isTemporaryName } from "../../../../../src/platform/files/durable/temporaryName.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { uriOf } from "../../seenFiles.ts";

const { replaceFile, removeFile, moveQuietly, setMode } = await loadWithEditor<typeof fileAccess>(
  "src/changes/engine/files/fileAccess.ts",
);
const temporary = createTemporaryFiles(undefined);
const bytes = Buffer.from("agent\n");
const refusal =
  /was not changed, because another program has put a link in its place, or in that of its folder|is a link that leads out of the workspace/;

/** A workspace with `folder/file.txt` and `file.txt`, and a folder outside of it with `kept.txt`. */
function openFolders() {
  const outside = temporaryFolder();
  writeFileSync(join(outside, "kept.txt"), "kept\n", { mode: 0o640 });
  const root = temporaryFolder();
  mkdirSync(join(root, "folder"));
  for (const name of ["folder/file.txt", "file.txt"]) writeFileSync(join(root, name), "former\n");
  editor.start(root);
  return { root, outside };
}

function assertUntouched(outside: string): void {
  assert.deepEqual(readdirSync(outside), ["kept.txt"]);
  assert.equal(readFileSync(join(outside, "kept.txt"), "utf8"), "kept\n");
  if (process.platform !== "win32") assert.equal(statSync(join(outside, "kept.txt")).mode & 0o777, 0o640);
}

/** Puts a link in the place of an entry of the workspace. */
function swap(root: string, name: string, target: string): void {
  renameSync(join(root, name), join(root, `${name}.aside`));
  symlinkSync(target, join(root, name), "junction");
}

/** Resolves once a temporary file is in a folder. */
async function temporaryIn(folder: string): Promise<void> {
  while (!readdirSync(folder).some(isTemporaryName)) await setImmediate();
}

test("a folder that becomes a link while its file is written: the write is refused, and nothing is left anywhere", async () => {
  const { root, outside } = openFolders();
  const isReady = temporaryIn(join(root, "folder")).then(() => swap(root, "folder", outside));
  await assert.rejects(
    replaceFile(uriOf("folder/file.txt"), "folder/file.txt", bytes, { temporary, isReady }),
    refusal,
  );
  assertUntouched(outside);
  assert.equal(readFileSync(join(root, "folder.aside/file.txt"), "utf8"), "former\n");
});

test("a file that becomes a link while it is written: the write is refused", async () => {
  const { root, outside } = openFolders();
  const isReady = temporaryIn(root).then(() => swap(root, "file.txt", join(outside, "kept.txt")));
  await assert.rejects(replaceFile(uriOf("file.txt"), "file.txt", bytes, { temporary, isReady }), refusal);
  assertUntouched(outside);
  assert.deepEqual(readdirSync(root).sort(), ["file.txt", "file.txt.aside", "folder"]);
});

test("what is reached through a link since its check is neither written, deleted, moved nor given a mode", async () => {
  const { root, outside } = openFolders();
  swap(root, "folder", outside);
  const [uri, path] = [uriOf("folder/kept.txt"), "folder/kept.txt"];
  await assert.rejects(replaceFile(uri, path, bytes, { temporary }), refusal);
  await assert.rejects(replaceFile(uriOf("folder/new/a.txt"), path, bytes, { temporary }), refusal);
  await assert.rejects(removeFile(uri, path), refusal);
  await assert.rejects(moveQuietly(uri, uriOf("moved.txt"), "It could not be moved"), refusal);
  await assert.rejects(
    moveQuietly(uriOf("file.txt"), uriOf("folder/b.txt"), "It could not be moved"),
    refusal,
  );
  await assert.rejects(setMode(uri, 0o777, temporary), refusal);
  assertUntouched(outside);
});

test("new folders are made, and a workspace folder that is opened through a link is written", async () => {
  const { root } = openFolders();
  const link = join(temporaryFolder(), "link");
  symlinkSync(root, link, "junction");
  editor.start(link);
  await replaceFile(uriOf("a/b/c.txt"), "a/b/c.txt", bytes, { temporary });
  assert.equal(readFileSync(join(root, "a/b/c.txt"), "utf8"), "agent\n");
  assert.deepEqual(readdirSync(join(root, "a/b")), ["c.txt"]);
});

test("a process that swaps folder and file for links gets nothing written outside", {
  skip: process.platform !== "linux" && "only Linux writes by the handle of a folder",
}, async () => {
  const { root, outside } = openFolders();
  const swapper = spawn(process.execPath, [join(import.meta.dirname, "swapper.ts"), root, outside], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(swapper.stdout, "data");
    const counts = { written: 0, refused: 0 };
    for (let round = 0; round < randomCases(600); round++)
      for (const name of [`folder/n${round}.txt`, `folder/new${round}/a.txt`, "file.txt", "folder/kept.txt"])
        await replaceFile(uriOf(name), name, bytes, { temporary }).then(
          () => (counts.written += 1),
          () => (counts.refused += 1),
        );
    assert.ok(counts.written > 0 && counts.refused > 0, JSON.stringify(counts));
  } finally {
    swapper.kill("SIGKILL");
    await once(swapper, "exit");
  }
  assertUntouched(outside);
  rmSync(root, { recursive: true, force: true });
  assert.ok(!existsSync(root));
});
