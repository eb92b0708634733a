// A link inside the workspace stands for the file that it leads to.
import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;

/** A folder with `src/a.txt`, a link `b.txt` to it, and a link `lib` to `src`. */
function openLinks() {
  const storage = temporaryFolder();
  const root = join(temporaryFolder(), "work");
  mkdirSync(join(root, "src"), { recursive: true });
  editor.start(root);
  const file = join(root, "src", "a.txt");
  writeFileSync(file, "one\ntwo\nthree\n");
  symlinkSync(join("src", "a.txt"), join(root, "b.txt"));
  symlinkSync("src", join(root, "lib"));
  return { root, file, changes: openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`) };
}

test("a file that is edited by all of its names is one file: its hunks, its rejection and its rewind", async () => {
  const { root, file, changes } = openLinks();
  const made = [
    await changes.writer.edit("src/a.txt", [{ oldText: "one", newText: "ONE" }], never),
    await changes.writer.edit("b.txt", [{ oldText: "three", newText: "THREE" }], never),
    await changes.writer.write("lib/a.txt", "ONE\n2\nTHREE\n", never),
  ];
  assert.deepEqual(
    changes.files.map(({ path, hunks }) => [path, hunks.length]),
    [["src/a.txt", 1]],
  );
  assert.deepEqual(await changes.rewind(made, async () => assert.fail("asked")), {
    changes: [{ uri: uriOf("src/a.txt").toString(), before: made[2]?.after, after: made[0]?.before }],
    kept: [],
  });
  assert.equal(readFileSync(file, "utf8"), "one\ntwo\nthree\n");
  assert.equal(readlinkSync(join(root, "b.txt")), join("src", "a.txt"));
  assert.deepEqual(changes.files, []);
  changes.dispose();
});

test("unsaved text of the file is changed in its editor, by each of its names", async () => {
  const { file, changes } = openLinks();
  const document = editor.open(uriOf("src/a.txt"));
  document.type(0, 0, "my ");
  await changes.writer.edit("b.txt", [{ oldText: "two", newText: "TWO" }], never);
  assert.equal(document.getText(), "my one\nTWO\nthree\n");
  assert.equal(readFileSync(file, "utf8"), "one\ntwo\nthree\n");
  changes.dispose();
});

test("a link with unsaved text of the user is refused with nothing changed", async () => {
  const { file, changes } = openLinks();
  const document = editor.open(uriOf("b.txt"));
  document.type(0, 0, "my ");
  await assert.rejects(changes.writer.write("b.txt", "agent\n", never), {
    message:
      "b.txt was not changed, because it has unsaved changes in the editor of b.txt. Save or revert them there first.",
  });
  assert.equal(readFileSync(file, "utf8"), "one\ntwo\nthree\n");
  changes.dispose();
});

test("a link itself is neither deleted nor moved; a file below a link to a folder is", async () => {
  const { root, file, changes } = openLinks();
  const refusal = { message: "b.txt is a link to src/a.txt, so it was left alone." };
  await assert.rejects(changes.writer.remove("b.txt", never), refusal);
  await assert.rejects(changes.writer.move("b.txt", "c.txt", never), refusal);
  assert.ok(lstatSync(join(root, "b.txt")).isSymbolicLink());
  const moved = await changes.writer.move("lib/a.txt", "lib/c.txt", never);
  const removed = await changes.writer.remove("lib/c.txt", never);
  assert.deepEqual(
    changes.files.map(({ path, kind }) => [path, kind]),
    [["src/a.txt", "deleted"]],
  );
  await changes.rewind([...moved, removed], async () => assert.fail("asked"));
  assert.equal(readFileSync(file, "utf8"), "one\ntwo\nthree\n");
  changes.dispose();
});
