// Whatever a program does, the watch tells each file that may have changed, or that it does not know.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FolderWatch } from "../../../../../src/changes/engine/programs/folderWatch.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const never = new AbortController().signal;
const isLinux = process.platform === "linux";

async function watched() {
  const root = temporaryFolder();
  for (const folder of ["a/b", "empty", "ignored/in"]) mkdirSync(join(root, folder), { recursive: true });
  const files = ["top.txt", "a/one.txt", "a/b/two.txt"].map((name) => join(root, name));
  for (const file of files) writeFileSync(file, "one\n");
  const watch = new FolderWatch(join(temporaryFolder(), "marks"));
  const isIgnored = async (path: string) => path.includes("ignored");
  await watch.begin({ roots: [root], files, isIgnored }, never);
  return {
    watch,
    /** What was told after a command, below the root. */
    async after(command: string) {
      execFileSync("/bin/sh", ["-c", command], { cwd: root });
      return (await watch.take())?.map((path) => path.slice(root.length + 1)).sort();
    },
  };
}

test("changed, new, moved and deleted files and modes are told once, those in ignored folders are not", {
  skip: isLinux ? false : "other systems don't tell changes in their order",
}, async () => {
  const { watch, after } = await watched();
  assert.deepEqual(await after("echo x >> a/b/two.txt; echo y > empty/new.txt; echo z > ignored/in/z.txt"), [
    "a/b/two.txt",
    "empty/new.txt",
  ]);
  assert.deepEqual(await after("true"), []);
  assert.deepEqual(await after("chmod 700 top.txt; mv a/one.txt a/b/1.txt; rm empty/new.txt"), [
    "a/b/1.txt",
    "a/one.txt",
    "empty/new.txt",
    "top.txt",
  ]);
  const many = await after("for i in $(seq 500); do echo x > a/$i.txt; done; echo x >> top.txt");
  assert.equal(many?.length, 501);
  watch.end();
});

test("what brings or takes folders, and what changes the rules of ignored files, is not known", {
  skip: isLinux ? false : "other systems don't tell changes in their order",
}, async () => {
  for (const command of [
    "mkdir new; echo x > new/x.txt",
    "rm -r a/b",
    "mv a/b c",
    "echo x > a/.gitignore",
    "for i in $(seq 3000); do echo x > a/$i.txt; done",
  ]) {
    const { watch, after } = await watched();
    assert.equal(await after(command), undefined, command);
    watch.end();
    assert.equal(await watch.take(), undefined);
  }
});
