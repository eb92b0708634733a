// What programs write by one name of a file is restored by its other names, too, whether the files are watched or not.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FileChange } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";

const never = new AbortController().signal;

/** Folder, files and what a program does, as command lines. */
const cases: Readonly<Record<string, string>> = {
  "writes by one name": "echo program >a.txt",
  "changes the mode by one name": "chmod 600 d/b.txt",
  "makes a name and writes by it": "ln c.txt d/new.txt && echo program >d/new.txt",
  "writes by one name, and removes it": "echo program >a.txt && rm a.txt",
  "writes by one name, and replaces it": "echo program >a.txt && rm a.txt && echo other >a.txt",
  "moves one name, and writes by it": "mv a.txt d/moved.txt && echo program >>d/moved.txt",
  "makes a name, writes by it and removes it": "ln c.txt d/x && echo program >>d/x && rm d/x",
  "makes a name, changes the mode by it and removes it": "ln c.txt x && chmod 600 x && rm x",
};

function seen() {
  const entries = readdirSync(editor.root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return paths.sort().map((path) => [path, readFileSync(path, "utf8"), statSync(path).mode]);
}

for (const [name, line] of Object.entries(cases))
  for (const isWarm of [false, true])
    test(`a program that ${name}${isWarm ? " while files are watched" : ""} leaves nothing after a rewind`, async () => {
      const storage = temporaryFolder();
      editor.start(temporaryFolder());
      const sh = (command: string) => execFileSync("/bin/sh", ["-c", command], { cwd: editor.root });
      sh("mkdir d && echo one >a.txt && ln a.txt d/b.txt && echo two >c.txt && chmod 640 c.txt");
      const before = seen();
      const changes = openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
      if (isWarm) changes.programs.warm();
      const made: FileChange[] = [];
      for (const command of ["true", line]) {
        const run = await changes.programs.begin(never, (some) => void made.push(...some));
        sh(command);
        const { kept } = await run.end();
        assert.deepEqual(kept, []);
      }
      const done = await changes.rewind(made, async () => assert.fail("asked"));
      assert.deepEqual([done?.kept, done?.failure], [[], undefined]);
      assert.deepEqual(seen(), before);
      changes.dispose();
    });
