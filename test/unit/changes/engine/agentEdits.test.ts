// Changes by an agent, also several that a model asks for at once: they end as if each had waited for the one before.
import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { moments } from "../editorDocument.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;
const unasked = async () => assert.fail("asked");

/** A folder with the files `0.txt` to `19.txt`, and a link `link.txt` to the first one. */
function openFiles() {
  const [storage, root] = [temporaryFolder(), join(temporaryFolder(), "work")];
  mkdirSync(root);
  editor.start(root);
  for (let index = 0; index < 20; index++) writeFileSync(join(root, `${index}.txt`), `one ${index}\ntwo\n`);
  symlinkSync("0.txt", join(root, "link.txt"));
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  return { read, changes: openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`) };
}

/** Saves of an open file wait for `go`; `saving` resolves when one does. */
function hangSaves(name: string) {
  const document = editor.open(uriOf(name));
  const [gate, saving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const save = document.save.bind(document);
  document.save = async () => {
    saving.resolve();
    await gate.promise;
    return save();
  };
  return { go: gate.resolve, saving: saving.promise };
}

const statesOf = (ended: readonly PromiseSettledResult<unknown>[]) => ended.map(({ status }) => status);

test("changes of one file, by each of its names, are made in the order of the calls", async () => {
  const { read, changes } = openFiles();
  const names = ["0.txt", "link.txt", "./0.txt"];
  const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`);
  const made = await Promise.all(
    texts.map((newText, index) =>
      changes.writer.edit(
        names[index % 3] as string,
        [{ oldText: texts[index - 1] ?? "one 0", newText }],
        never,
      ),
    ),
  );
  assert.equal(read("0.txt"), "text 29\ntwo\n");
  for (const [index, { before }] of made.slice(1).entries()) assert.equal(before, made[index]?.after);
  await changes.rewind(made, unasked);
  assert.equal(read("0.txt"), "one 0\ntwo\n");
  changes.dispose();
});

test("changes of many files are all made, pending, and rewound", async () => {
  const { read, changes } = openFiles();
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => changes.writer.write(`${index}.txt`, `new ${index}\n`, never)),
  );
  for (let index = 0; index < 20; index++) assert.equal(read(`${index}.txt`), `new ${index}\n`);
  assert.equal(changes.files.length, 20);
  await changes.rewind(made, unasked);
  for (let index = 0; index < 20; index++) assert.equal(read(`${index}.txt`), `one ${index}\ntwo\n`);
  assert.deepEqual(changes.files, []);
  changes.dispose();
});

test("files are listed in the order of the calls, though one is saved later", async () => {
  const { changes } = openFiles();
  const { go, saving } = hangSaves("1.txt");
  const write = (name: string) => changes.writer.write(name, "new\n", never);
  await write("new.txt");
  const made = ["1.txt", "0.txt", "2.txt"].map(write);
  await Promise.all([saving, made[1], made[2]]);
  go();
  await made[0];
  await changes.writer.move("3.txt", "moved.txt", never);
  await write("4.txt");
  assert.deepEqual(
    changes.files.map(({ path }) => path),
    ["new.txt", "1.txt", "0.txt", "2.txt", "moved.txt", "4.txt"],
  );
  changes.dispose();
});

test("a move waits for the changes before it, and those after it find the moved file", async () => {
  const { read, changes } = openFiles();
  const edit = (name: string, oldText: string, newText: string) =>
    changes.writer.edit(name, [{ oldText, newText }], never);
  const [, moved, after, deleted, gone] = await Promise.allSettled([
    edit("1.txt", "one 1", "ONE"),
    changes.writer.move("1.txt", "moved.txt", never),
    edit("moved.txt", "ONE", "One"),
    changes.writer.remove("2.txt", never),
    edit("2.txt", "one", "ONE"),
  ]);
  assert.deepEqual([moved.status, after.status, deleted.status], ["fulfilled", "fulfilled", "fulfilled"]);
  assert.match(String((gone as PromiseRejectedResult).reason), /There is no file 2\.txt/);
  assert.equal(read("moved.txt"), "One\ntwo\n");
  changes.dispose();
});

test("an edit whose save is refused, because the file is newer, is taken back, and the newer file is left alone", async () => {
  const { read, changes } = openFiles();
  const document = editor.open(uriOf("1.txt"));
  moments.at = (moment) => {
    if (moment === "before the save") writeFileSync(uriOf("1.txt").path, "by another program\n");
  };
  await assert.rejects(changes.writer.edit("1.txt", [{ oldText: "one 1", newText: "ONE" }], never), {
    message:
      /1\.txt could not be saved: its file is newer than the text in the editor, or can't be written\.$/,
  });
  moments.at = () => {};
  assert.equal(document.getText(), "one 1\ntwo\n");
  assert.equal(read("1.txt"), "by another program\n");
  assert.deepEqual(changes.files, []);
  document.revert();
  await changes.writer.edit("1.txt", [{ oldText: "another", newText: "a" }], never);
  assert.equal(read("1.txt"), "by a program\n");
  changes.dispose();
});

test("a move saves unsaved text first, and one whose save is refused moves nothing", async () => {
  const { read, changes } = openFiles();
  for (const name of ["1.txt", "2.txt"]) editor.open(uriOf(name)).type(0, 0, "typed ");
  await changes.writer.move("1.txt", "moved.txt", never);
  assert.equal(read("moved.txt"), "typed one 1\ntwo\n");
  writeFileSync(uriOf("2.txt").path, "by another program\n");
  await assert.rejects(changes.writer.move("2.txt", "other.txt", never), {
    message: /^2\.txt was not moved, because it has unsaved text that could not be saved: its file is newer/,
  });
  assert.equal(read("2.txt"), "by another program\n");
  assert.equal(editor.find(uriOf("2.txt"))?.getText(), "typed one 2\ntwo\n");
  assert.ok(!existsSync(uriOf("other.txt").path));
  changes.dispose();
});

test("one that is refused or cancelled leaves its file alone, and stops no other", async () => {
  const { read, changes } = openFiles();
  const abort = new AbortController();
  const calls = [
    changes.writer.edit("0.txt", [{ oldText: "three", newText: "3" }], never),
    changes.writer.edit("0.txt", [{ oldText: "one 0", newText: "1" }], never),
    changes.writer.edit("0.txt", [{ oldText: "two", newText: "2" }], abort.signal),
    changes.writer.write("../out.txt", "", never),
    changes.writer.edit("3.txt", [{ oldText: "one 3", newText: "1" }], never),
  ];
  abort.abort();
  const ended = await Promise.allSettled(calls);
  assert.deepEqual(statesOf(ended), ["rejected", "fulfilled", "rejected", "rejected", "fulfilled"]);
  assert.deepEqual([read("0.txt"), read("3.txt")], ["1\ntwo\n", "1\ntwo\n"]);
  assert.equal(changes.files.length, 2);
  changes.dispose();
});

test("what is refused because of other files is refused with those of the same reply", async () => {
  const { changes } = openFiles();
  const write = (name: string) => changes.writer.write(name, "text\n", never);
  const repository = ["docs/config", "docs/HEAD", "docs/objects/x.md", "docs/refs/x.md"];
  const parts = await Promise.allSettled(repository.map(write));
  assert.deepEqual(statesOf(parts), ["fulfilled", "fulfilled", "rejected", "rejected"]);
  const nested = await Promise.allSettled(["x", "x/y.txt"].map(write));
  assert.deepEqual(statesOf(nested), ["fulfilled", "rejected"]);
  changes.dispose();
});

test("a link finds the file that the call before it creates", async () => {
  const { read, changes } = openFiles();
  symlinkSync("new.txt", join(editor.root, "latest.txt"));
  await Promise.all([
    changes.writer.write("new.txt", "one\n", never),
    changes.writer.edit("latest.txt", [{ oldText: "one", newText: "two" }], never),
  ]);
  assert.equal(read("new.txt"), "two\n");
  changes.dispose();
});

test("names of one file by hard links are changed apart", async () => {
  const { read, changes } = openFiles();
  linkSync(join(editor.root, "0.txt"), join(editor.root, "hard.txt"));
  const { go, saving } = hangSaves("0.txt");
  const made = Promise.all([
    changes.writer.edit("0.txt", [{ oldText: "one", newText: "ONE" }], never),
    changes.writer.edit("hard.txt", [{ oldText: "two", newText: "TWO" }], never),
  ]);
  await saving;
  go();
  await made;
  assert.deepEqual(["0.txt", "hard.txt"].map(read), ["ONE 0\ntwo\n", "one 0\nTWO\n"]);
  changes.dispose();
});

test("a deletion that is stopped while it waits for a save is not made", async () => {
  const { changes } = openFiles();
  const { go, saving } = hangSaves("0.txt");
  const abort = new AbortController();
  const calls = [
    changes.writer.edit("0.txt", [{ oldText: "one", newText: "1" }], abort.signal),
    changes.writer.remove("1.txt", abort.signal),
    changes.writer.write("new.txt", "", abort.signal),
  ];
  await saving;
  abort.abort();
  go();
  assert.deepEqual(statesOf(await Promise.allSettled(calls)), ["fulfilled", "rejected", "rejected"]);
  assert.deepEqual(
    ["1.txt", "new.txt"].map((name) => existsSync(join(editor.root, name))),
    [true, false],
  );
  changes.dispose();
});

test("a folder that becomes a link out of the workspace while a change waits is not written through", async () => {
  const { changes } = openFiles();
  const [inside, outside] = [join(editor.root, "src"), temporaryFolder()];
  mkdirSync(inside);
  for (const folder of [inside, outside]) writeFileSync(join(folder, "a.txt"), "one\n");
  const { go, saving } = hangSaves("src/a.txt");
  const first = changes.writer.edit("src/a.txt", [{ oldText: "one", newText: "two" }], never);
  await saving;
  const second = changes.writer.write("src/a.txt", "agent\n", never);
  // Refused before it waits for another one, so that the second change is waiting now.
  await assert.rejects(changes.writer.edit("3.txt", [{ oldText: "none", newText: "" }], never));
  renameSync(inside, join(editor.root, "old"));
  symlinkSync(outside, inside);
  go();
  await Promise.allSettled([first]);
  await assert.rejects(second, /src\/a\.txt is a link that leads out of the workspace/);
  changes.dispose();
});

test("a text that is longer than a file may be is refused, and nothing is written", async () => {
  const [root, storage] = [temporaryFolder(), temporaryFolder()];
  editor.start(root);
  const changes = openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
  await assert.rejects(
    changes.writer.write("a.txt", "é".repeat(13_200_000), never),
    /^Error: a\.txt was not changed: it would have 26400000 bytes, and the limit is 26214400\.$/,
  );
  assert.deepEqual(readdirSync(root), []);
  changes.dispose();
});

test("a text in which a comment stands for the file's code is refused with its line, by each tool that writes", async () => {
  const { read, changes } = openFiles();
  const old = "function a() {\n  one();\n  two();\n}\n";
  await changes.writer.write("0.txt", old, never);
  const elided = "function a() {\n  other();\n  // ... existing code ...\n}\n";
  const refusal = {
    message:
      "0.txt was not changed: its line 3 would be “// ... existing code ...” in place of code that the file has there. Write that code out, or change only the other lines with edit_file.",
  };
  await assert.rejects(changes.writer.write("0.txt", elided, never), refusal);
  const edit = { oldText: "  one();\n  two();", newText: "  other();\n  // ... existing code ..." };
  await assert.rejects(changes.writer.edit("0.txt", [edit], never), refusal);
  assert.equal(read("0.txt"), old);
  await changes.writer.write("new.txt", elided, never);
  await changes.writer.edit("new.txt", [{ oldText: "other", newText: "another" }], never);
  assert.equal(read("new.txt"), elided.replace("other", "another"), "a new file has what was written");
  changes.dispose();
});

test("a change that can't be recorded is refused, with its file as it was", async () => {
  const [storage, root] = [temporaryFolder(), temporaryFolder()];
  editor.start(root);
  writeFileSync(join(root, "a.txt"), "one\n");
  const log = join(storage, "changes.jsonl");
  const errors: unknown[] = [];
  const { writer } = openChanges(`${storage}/blobs`, log, (error) => errors.push(error));
  const edit = () => writer.edit("a.txt", [{ oldText: "one", newText: "ONE" }], never);
  mkdirSync(log);
  await assert.rejects(
    edit(),
    /a\.txt was not changed, because the change could not be recorded: it is a folder\./,
  );
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "one\n");
  rmdirSync(log);
  await edit();
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "ONE\n");
});
