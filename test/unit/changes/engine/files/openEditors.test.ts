// Nothing is written behind unsaved changes: not in a notebook or another editor that only knows them itself, not in an
// editor that has the file under another name, and no whole text over typed lines that the model has not read.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FileChange, PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import { createKnownTexts } from "../../../../../src/changes/engine/records/knownTexts.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { events } from "../../editorDocument.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const unasked = async () => assert.fail("asked");
const before = '{"cells": ["x = 1", "y = 2"]}\n';

function openFolder() {
  const [storage, root] = [temporaryFolder(), join(temporaryFolder(), "work")];
  mkdirSync(root);
  editor.start(root);
  const put = (name: string, text: string) => writeFileSync(uriOf(name).path, text);
  const read = (name: string) => readFileSync(uriOf(name).path, "utf8");
  put("a.ipynb", before);
  return { put, read, changes: openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`) };
}

/** Everything that writes a file which an agent has changed. */
const writers: Readonly<
  Record<string, (changes: PendingChanges, made: readonly FileChange[]) => Promise<unknown>>
> = {
  edit: ({ writer }) => writer.edit("a.ipynb", [{ oldText: "x = 1", newText: "x = 0" }], never),
  write: ({ writer }) => writer.write("a.ipynb", "{}\n", never),
  move: ({ writer }) => writer.move("a.ipynb", "b.ipynb", never),
  remove: ({ writer }) => writer.remove("a.ipynb", never),
  reject: (changes) => changes.reject(uriOf("a.ipynb")),
  "reject one change": (changes) =>
    changes.reject(uriOf("a.ipynb"), changes.fileOf(uriOf("a.ipynb"))?.hunks[0]?.id),
  rewind: async (changes, made) => changes.rewind(made, unasked),
};

for (const isNotebook of [true, false])
  for (const [name, write] of Object.entries(writers))
    test(`${name} is refused while ${isNotebook ? "a notebook" : "a custom editor"} has unsaved changes, and works after`, async () => {
      const { read, changes } = openFolder();
      const made = [await changes.writer.edit("a.ipynb", [{ oldText: "y = 2", newText: "y = 3" }], never)];
      const [now, { files }] = [read("a.ipynb"), changes];
      const other = { isNotebook, uri: uriOf("a.ipynb"), isDirty: true };
      editor.others.push(other);
      await assert.rejects(write(changes, made), {
        message:
          "a.ipynb was not changed, because it has unsaved changes in an editor that is not a text editor. Save or revert them there first.",
      });
      assert.equal(read("a.ipynb"), now);
      assert.deepEqual(changes.files, files);
      other.isDirty = false;
      await write(changes, made);
      changes.dispose();
    });

test("accepting writes nothing, so it is possible while a notebook has unsaved changes", async () => {
  const { changes } = openFolder();
  await changes.writer.edit("a.ipynb", [{ oldText: "y = 2", newText: "y = 3" }], never);
  editor.others.push({ isNotebook: true, uri: uriOf("a.ipynb"), isDirty: true });
  await changes.accept(uriOf("a.ipynb"));
  assert.deepEqual(changes.files, []);
  changes.dispose();
});

test("a rewind keeps the file of a notebook with unsaved changes, says why, and brings the others back", async () => {
  const { put, read, changes } = openFolder();
  put("b.txt", "one\n");
  const made = [
    await changes.writer.edit("a.ipynb", [{ oldText: "y = 2", newText: "y = 3" }], never),
    await changes.writer.write("b.txt", "two\n", never),
  ];
  editor.others.push({ isNotebook: true, uri: uriOf("a.ipynb"), isDirty: true });
  const done = await changes.rewind(made, unasked);
  assert.match(done?.kept[0]?.reason ?? "", /a\.ipynb was not changed, because it has unsaved changes/);
  assert.deepEqual([read("a.ipynb"), read("b.txt")], [before.replace("y = 2", "y = 3"), "one\n"]);
  changes.dispose();
});

test("changes that a link or its file has in another editor count, too", async () => {
  const { put, read, changes } = openFolder();
  symlinkSync("a.ipynb", uriOf("link.ipynb").path);
  const other = { isNotebook: true, uri: uriOf("link.ipynb"), isDirty: true };
  editor.others.push(other);
  await assert.rejects(changes.writer.write("a.ipynb", "{}\n", never), /unsaved changes in an editor/);
  other.isDirty = false;
  put("b.txt", "one\n");
  symlinkSync("b.txt", uriOf("link.txt").path);
  editor.open(uriOf("link.txt")).type(0, 0, "typed ");
  for (const name of ["b.txt", "link.txt"])
    await assert.rejects(changes.writer.write(name, "agent\n", never), /in the editor of link\.txt/);
  assert.deepEqual([read("a.ipynb"), read("b.txt")], [before, "one\n"]);
  changes.dispose();
});

test("a custom editor that shows a document follows it: its tab is told later that all is saved", async () => {
  const { read, changes } = openFolder();
  const document = editor.open(uriOf("a.ipynb"));
  const other = { isNotebook: false, uri: uriOf("a.ipynb"), isDirty: true };
  editor.others.push(other);
  const edit = (oldText: string, newText: string) =>
    changes.writer.edit("a.ipynb", [{ oldText, newText }], never);
  const made = edit("y = 2", "y = 3");
  setImmediate(() => {
    other.isDirty = false;
    events.tabs.fire();
  });
  await made;
  assert.match(read("a.ipynb"), /y = 3/);
  document.type(0, 0, " ");
  other.isDirty = true;
  await edit("y = 3", "y = 4");
  assert.match(document.getText(), /^ .*y = 4/, "the unsaved text is the document's");
  changes.dispose();
});

test("a whole text replaces typed lines only if the model has read them", async () => {
  const { put, read, changes } = openFolder();
  put("a.txt", "const limit = 10;\n");
  const document = editor.open(uriOf("a.txt"));
  document.type(0, 0, "// typed\n");
  const knownTo = createKnownTexts();
  const [known, stranger] = [knownTo("task"), knownTo("other")];
  const write = (text: string, by = known) => changes.writer.write("a.txt", text, never, { known: by });
  const refusal = { message: /^a\.txt was not written: it has unsaved text .* Read it with read_file/ };
  await assert.rejects(changes.writer.write("a.txt", "x\n", never), refusal);
  await assert.rejects(write("x\n"), refusal);
  known.add(document.getText());
  await assert.rejects(write("x\n", stranger), refusal);
  // An edit of a text that it knows makes one that it knows.
  const edits = [{ oldText: "10", newText: "20" }];
  await changes.writer.edit("a.txt", edits, never, { known });
  assert.equal(document.getText(), "// typed\nconst limit = 20;\n");
  await write("// typed\nconst limit = 30;\n");
  await write("// typed\nconst limit = 40;\n");
  document.type(0, 0, "// more\n");
  await assert.rejects(write("x\n"), refusal);
  await changes.writer.edit("a.txt", [{ oldText: "40", newText: "50" }], never, { known });
  assert.equal(document.getText(), "// more\n// typed\nconst limit = 50;\n");
  await assert.rejects(write("x\n"), refusal, "it has not read what was typed before its edit");
  assert.equal(read("a.txt"), "const limit = 10;\n");
  changes.dispose();
});

test("a saved text needs no reading, and neither does a new file", async () => {
  const { put, read, changes } = openFolder();
  put("a.txt", "one\n");
  editor.open(uriOf("a.txt"));
  await changes.writer.write("a.txt", "two\n", never);
  await changes.writer.write("new.txt", "new\n", never);
  assert.deepEqual([read("a.txt"), read("new.txt")], ["two\n", "new\n"]);
  changes.dispose();
});

test("a closed file in another encoding is changed as its editor shows it", async () => {
  const { put, changes } = openFolder();
  put("a.txt", "");
  writeFileSync(uriOf("a.txt").path, Buffer.from("caf\xe9 one\n", "latin1"));
  await assert.rejects(changes.writer.write("a.txt", "x\n", never), /not a text file in UTF-8/);
  editor.documents = [];
  editor.encoding = "windows1252";
  const made = [await changes.writer.edit("a.txt", [{ oldText: "é one", newText: "és two" }], never)];
  assert.equal(readFileSync(uriOf("a.txt").path, "latin1"), "cafés two\n");
  await changes.rewind(made, unasked);
  assert.equal(readFileSync(uriOf("a.txt").path, "latin1"), "café one\n");
  changes.dispose();
});
