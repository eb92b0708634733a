// Each access to a file takes a message from the extension to the window, so a rewind makes few of them.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { FileChange } from "../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;

for (const what of ["new", "changed"] as const)
  test(`the rewind of a ${what} file accesses it at most six times`, async () => {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    const names = ["a.txt", "b.txt", "c.txt"];
    if (what === "changed") for (const name of names) writeFileSync(uriOf(name).path, "former\n");
    const made: FileChange[] = [];
    for (const name of names) made.push(await changes.writer.write(name, "agent\n", never));
    let count = 0;
    editor.failure = () => {
      count++;
      return undefined;
    };
    await changes.rewind(made, async () => assert.fail("asked"));
    editor.failure = () => undefined;
    for (const name of names)
      if (what === "new") assert.ok(!existsSync(uriOf(name).path));
      else assert.equal(readFileSync(uriOf(name).path, "utf8"), "former\n");
    assert.ok(count <= 6 * names.length, `${count} accesses to ${names.length} files`);
    changes.dispose();
  });
