// A file that can't be read is not a file that does not exist.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;

function openFolder() {
  const [root, storage] = [temporaryFolder(), temporaryFolder()];
  editor.start(root);
  return openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
}

test("a file whose state can't be read is neither overwritten nor deleted", async () => {
  const changes = openFolder();
  const { path } = uriOf("a.txt");
  writeFileSync(path, "the user's\n");
  for (const code of ["NoPermissions", "Unavailable", "Unknown"]) {
    editor.failure = () => code;
    await assert.rejects(changes.writer.write("a.txt", "agent\n", never), /a\.txt can't be read: /);
    await assert.rejects(changes.writer.remove("a.txt", never), /a\.txt can't be read: /);
    assert.equal(readFileSync(path, "utf8"), "the user's\n");
  }
  changes.dispose();
});

test("a file below a file does not exist", async () => {
  const changes = openFolder();
  editor.failure = () => "FileNotADirectory";
  await assert.rejects(changes.writer.remove("a.txt/b.txt", never), /There is no file a\.txt\/b\.txt/);
  changes.dispose();
});

test("a rewind does not take a file that can't be read for a deleted one", async () => {
  const changes = openFolder();
  const { path } = uriOf("a.txt");
  writeFileSync(path, "former\n");
  const made = await changes.writer.write("a.txt", "agent\n", never);
  writeFileSync(path, "the user's\n");
  let calls = 0;
  // From the moment after the question on.
  editor.failure = () => (calls > 0 ? "Unavailable" : undefined);
  const done = await changes.rewind([made], async () => {
    calls += 1;
    return "overwrite";
  });
  assert.match(done?.failure ?? "", /a\.txt can't be read: its file system is not available/);
  assert.equal(readFileSync(path, "utf8"), "the user's\n");
  changes.dispose();
});
