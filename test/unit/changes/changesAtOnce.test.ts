// A model asks for several changes at once: they end as if each had waited for the one before.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../temporaryFolder.ts";
import { editor } from "./editorModel.ts";
import { openChanges } from "./openChanges.ts";

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
  assert.deepEqual(
    ended.map(({ status }) => status),
    ["rejected", "fulfilled", "rejected", "rejected", "fulfilled"],
  );
  assert.deepEqual([read("0.txt"), read("3.txt")], ["1\ntwo\n", "1\ntwo\n"]);
  assert.equal(changes.files.length, 2);
  changes.dispose();
});
