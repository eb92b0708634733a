// Changes of an agent: each has its record before its file, and all can be taken back.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { editor } from "../../changes/editorModel.ts";
import { openChanges } from "../../changes/openChanges.ts";
import { uriOf } from "../../changes/seenFiles.ts";
import type { Folders, Workload } from "../workload.ts";

const before: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "b\n".repeat(30),
  "c.txt": "c\n",
  "d/d.txt": "d\nd\n",
};
const never = new AbortController().signal;

function filesIn(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true }).map(String);
  const files = names.filter((name) => statSync(join(root, name)).isFile());
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(root, name), "utf8")]));
}

function open({ storage, user }: Folders, report: () => void) {
  editor.start(user);
  return openChanges(join(storage, "chats", "blobs"), join(storage, "changes.jsonl"), report);
}

export const workload: Workload = {
  writers: [
    "src/changes/engine/records/recordLog.ts",
    "src/changes/engine/files/namedContents.ts",
    "src/changes/engine/files/fileAccess.ts",
    "src/changes/engine/files/heldFolder.ts",
    "src/changes/engine/programs/folderWatch.ts",
    "src/changes/engine/programs/snapshotFiles.ts",
    "src/platform/files/durable/temporaryFiles.ts",
  ],
  prepare({ user }) {
    for (const [name, text] of Object.entries(before)) {
      mkdirSync(dirname(join(user, name)), { recursive: true });
      writeFileSync(join(user, name), text);
    }
  },
  async run(folders, told) {
    let reports = 0;
    const changes = open(folders, () => {
      reports += 1;
    });
    const { writer } = changes;
    const edit = (path: string, oldText: string, newText: string) =>
      told.step(`edit ${path}`, () => writer.edit(path, [{ oldText, newText }], never));
    const write = (path: string, text: string) =>
      told.step(`write ${path}`, () => writer.write(path, text, never));
    await edit("a.txt", "one", "ONE");
    await Promise.all([write("b.txt", "other\n"), edit("c.txt", "c", "C"), write("e/new.txt", "new\n")]);
    await told.step("move", () => writer.move("a.txt", "moved.txt", never));
    await told.step("remove", () => writer.remove("d/d.txt", never));
    changes.programs.warm();
    await told.step("program", async () => {
      const program = await changes.programs.begin(never, () => {});
      // The faults are those of this process.
      execFileSync("/bin/sh", ["-c", "echo program > c.txt; echo new > f.txt; rm -f b.txt"], {
        cwd: folders.user,
      });
      const { failure } = await program.end();
      if (failure !== undefined) throw new Error(failure);
    });
    await told.space();
    await write("last.txt", "last\n");
    changes.dispose();
    told.said(`${reports} reports`);
  },
  async check(folders, told) {
    const { user } = folders;
    const changes = open(folders, () => assert.fail("the records can be read"));
    await changes.accept(uriOf("none")); // waits until the records are read
    const files = filesIn(user);
    const listed = new Set(changes.files.flatMap(({ path, movedFrom }) => [path, movedFrom ?? path]));
    for (const name of new Set([...Object.keys(before), ...Object.keys(files)]))
      assert.ok(files[name] === before[name] || listed.has(name), `${name} has changed without a record`);
    for (const what of told.kept.filter((one) => one.startsWith("write ")))
      assert.ok(listed.has(what.slice("write ".length)), `${what} is pending`);
    await changes.rejectTogether(changes.files.map(({ uri }) => uri).toReversed());
    assert.deepEqual(filesIn(user), before);
    changes.dispose();
    // The log of the records and the list of contents each say it once, however long the disk is full.
    if (told.isFull && told.hasEnded)
      assert.ok(
        told.said.every((what) => Number.parseInt(what, 10) <= 2),
        String(told.said),
      );
  },
};
