// Deletions and moves by an agent, after files have appeared and vanished outside of its tools.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;

function openFolder(files: Readonly<Record<string, string>>) {
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  editor.start(root);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const open = () => openChanges(`${root}.state/blobs`, `${root}.state/changes.jsonl`);
  const place = (name: string) => join(root, name);
  return {
    root,
    open,
    changes: open(),
    place,
    text: (name: string) => (existsSync(place(name)) ? readFileSync(place(name), "utf8") : undefined),
    write: (name: string, text: string) => writeFileSync(place(name), text),
    remove: (name: string) => rmSync(place(name)),
  };
}

const kinds = ({ files }: PendingChanges) => files.map(({ path, kind }) => `${kind} ${path}`);

test("a file that the user creates at the place of a deleted one is the user's", async () => {
  const { changes, text, write } = openFolder({ "a.txt": "former\n" });
  await changes.writer.remove("a.txt", never);
  write("a.txt", "mine\nmore\n");
  await changes.writer.edit("a.txt", [{ oldText: "more", newText: "MORE" }], never);
  assert.deepEqual(kinds(changes), ["changed a.txt"]);
  await changes.reject(uriOf("a.txt"));
  assert.equal(text("a.txt"), "mine\nmore\n");
  write("a.txt", "again\n");
  await changes.writer.remove("a.txt", never);
  await changes.reject(uriOf("a.txt"));
  assert.equal(text("a.txt"), "again\n");
  changes.dispose();
});

test("the file that was deleted last is the one that is restored", async () => {
  const { changes, text, write } = openFolder({ "a.txt": "former\n" });
  await changes.writer.remove("a.txt", never);
  write("a.txt", "mine\n");
  await changes.writer.remove("a.txt", never);
  await changes.reject(uriOf("a.txt"));
  assert.equal(text("a.txt"), "mine\n");
  changes.dispose();
});

test("a file that the user creates at the place of a deleted one moves as the user's", async () => {
  const { changes, text, write } = openFolder({ "a.txt": "former\n" });
  await changes.writer.remove("a.txt", never);
  write("a.txt", "mine\n");
  await assert.rejects(changes.reject(uriOf("a.txt")), /exists again/);
  await changes.writer.move("a.txt", "b.txt", never);
  assert.deepEqual(kinds(changes), ["moved b.txt"]);
  await changes.reject(uriOf("b.txt"));
  assert.deepEqual([text("a.txt"), text("b.txt")], ["mine\n", undefined]);
  changes.dispose();
});

test("a move onto the place of a changed file that vanished restores nothing of it", async () => {
  const { changes, text, remove } = openFolder({ "a.txt": "a\n", "b.txt": "b\n" });
  await changes.writer.edit("b.txt", [{ oldText: "b", newText: "B" }], never);
  remove("b.txt");
  await changes.writer.move("a.txt", "b.txt", never);
  await changes.reject(uriOf("b.txt"));
  assert.deepEqual([text("a.txt"), text("b.txt"), kinds(changes)], ["a\n", undefined, []]);
  changes.dispose();
});

test("a created file that moves onto the place of a changed one that vanished can be rejected", async () => {
  const { changes, text, remove } = openFolder({ "b.txt": "b\n" });
  await changes.writer.write("new.txt", "new\n", never);
  await changes.writer.edit("b.txt", [{ oldText: "b", newText: "B" }], never);
  remove("b.txt");
  await changes.writer.move("new.txt", "b.txt", never);
  assert.deepEqual(kinds(changes), ["created b.txt"]);
  await changes.reject(uriOf("b.txt"));
  assert.deepEqual([text("b.txt"), kinds(changes)], [undefined, []]);
  changes.dispose();
});

for (const how of ["in the Explorer", "by another program"])
  test(`a deletion can be rejected after the file that took its place is deleted ${how}`, async () => {
    const { changes, text, remove } = openFolder({ "a.txt": "a\n", "b.txt": "b\n" });
    await changes.writer.remove("b.txt", never);
    await changes.writer.move("a.txt", "b.txt", never);
    if (how === "in the Explorer") editor.delete(uriOf("b.txt"));
    else remove("b.txt");
    await changes.reject(uriOf("b.txt"));
    if (how !== "in the Explorer") await changes.reject(uriOf("b.txt"));
    assert.deepEqual([text("b.txt"), kinds(changes)], ["b\n", []]);
    changes.dispose();
  });

test("a deletion can be rejected after the user renamed a file to its place and on", async () => {
  const { changes, text } = openFolder({ "a.txt": "a\n", "b.txt": "b\n" });
  await changes.writer.remove("b.txt", never);
  await changes.writer.edit("a.txt", [{ oldText: "a", newText: "A" }], never);
  editor.rename(uriOf("a.txt"), uriOf("b.txt"));
  editor.rename(uriOf("b.txt"), uriOf("c.txt"));
  await changes.reject(uriOf("b.txt"));
  await changes.reject(uriOf("c.txt"));
  assert.deepEqual([text("b.txt"), text("c.txt"), kinds(changes)], ["b\n", "a\n", []]);
  changes.dispose();
});

test("rejecting a move restores both files, and leaves nothing pending", async () => {
  const { changes, text } = openFolder({ "a.txt": "a\n", "b.txt": "b\n" });
  await changes.writer.remove("b.txt", never);
  await changes.writer.move("a.txt", "b.txt", never);
  await changes.reject(uriOf("b.txt"));
  assert.deepEqual([text("a.txt"), text("b.txt"), kinds(changes)], ["a\n", "b\n", []]);
  changes.dispose();
});

test("rewinding a move onto a deleted file leaves the deletion pending", async () => {
  const { changes, text } = openFolder({ "a.txt": "a\n", "b.txt": "b\n" });
  const removed = await changes.writer.remove("b.txt", never);
  const moved = await changes.writer.move("a.txt", "b.txt", never);
  await changes.rewind(moved, async () => "overwrite");
  assert.deepEqual(kinds(changes), ["deleted b.txt"]);
  await changes.rewind([removed], async () => "overwrite");
  assert.deepEqual([text("a.txt"), text("b.txt"), kinds(changes)], ["a\n", "b\n", []]);
  changes.dispose();
});

for (const by of ["agent", "user"])
  test(`a file that the ${by} moves back is not moved`, async () => {
    const { changes, text } = openFolder({ "a.txt": "one\ntwo\n" });
    await changes.writer.move("./a.txt", "b.txt", never);
    if (by === "agent") await changes.writer.move("b.txt", "a.txt", never);
    else editor.rename(uriOf("b.txt"), uriOf("a.txt"));
    assert.deepEqual(kinds(changes), []);
    await changes.writer.move("a.txt", "b.txt", never);
    await changes.writer.edit("b.txt", [{ oldText: "two", newText: "TWO" }], never);
    if (by === "agent") await changes.writer.move("b.txt", "a.txt", never);
    else editor.rename(uriOf("b.txt"), uriOf("a.txt"));
    assert.deepEqual(kinds(changes), ["changed a.txt"]);
    await changes.reject(uriOf("a.txt"));
    assert.deepEqual([text("a.txt"), kinds(changes)], ["one\ntwo\n", []]);
    changes.dispose();
  });

test("a moved file that is deleted is restored at its former place, also after the agent wrote another one there", async () => {
  const { changes, text } = openFolder({ "a.txt": "a\n" });
  await changes.writer.move("a.txt", "b.txt", never);
  await changes.writer.write("a.txt", "new\n", never);
  await changes.writer.remove("b.txt", never);
  assert.deepEqual(kinds(changes), ["changed a.txt"]);
  await changes.reject(uriOf("a.txt"));
  assert.deepEqual([text("a.txt"), text("b.txt"), kinds(changes)], ["a\n", undefined, []]);
  changes.dispose();
});

test("hunks are kept while the folder can't be reached at the start", async () => {
  const { changes, open, root, text } = openFolder({ "a.txt": "a\n" });
  await changes.writer.edit("a.txt", [{ oldText: "a", newText: "A" }], never);
  changes.dispose();
  renameSync(root, `${root}.away`);
  const away = open();
  await away.accept(uriOf("none"));
  assert.deepEqual(kinds(away), ["changed a.txt"]);
  away.dispose();
  renameSync(`${root}.away`, root);
  const back = open();
  await back.reject(uriOf("a.txt"));
  assert.equal(text("a.txt"), "a\n");
  back.dispose();
});

test("hunks of a file that can't be read at the start are kept", async () => {
  const { changes, open, place, remove, text } = openFolder({ "a.txt": "a\n" });
  await changes.writer.edit("a.txt", [{ oldText: "a", newText: "A" }], never);
  changes.dispose();
  remove("a.txt");
  mkdirSync(place("a.txt"));
  const away = open();
  await away.accept(uriOf("none"));
  assert.deepEqual(kinds(away), ["changed a.txt"]);
  away.dispose();
  rmSync(place("a.txt"), { recursive: true });
  writeFileSync(place("a.txt"), "A\n");
  const back = open();
  await back.reject(uriOf("a.txt"));
  assert.equal(text("a.txt"), "a\n");
  back.dispose();
});

test("what the agent changed is kept if the process is killed at once", async () => {
  const { changes, open, text } = openFolder({ "a.txt": "a\n", "b.txt": "b\n" });
  await changes.writer.edit("a.txt", [{ oldText: "a", newText: "A" }], never);
  await changes.writer.remove("b.txt", never);
  // The first window writes nothing more.
  const next = open();
  await next.reject(uriOf("a.txt"));
  await next.reject(uriOf("b.txt"));
  assert.deepEqual([text("a.txt"), text("b.txt")], ["a\n", "b\n"]);
  next.dispose();
  changes.dispose();
});

test("a file that only an editor has, because it was deleted, is not moved", async () => {
  const { changes, place, text, remove } = openFolder({ "a.txt": "a\n" });
  const document = editor.open(uriOf("a.txt"));
  document.type(0, 0, "typed ");
  remove("a.txt");
  await assert.rejects(changes.writer.move("a.txt", "b.txt", never), {
    message: "a.txt was not moved, because only its editor has it: the file was deleted.",
  });
  assert.deepEqual(
    [text("b.txt"), existsSync(place("a.txt")), document.getText()],
    [undefined, false, "typed a\n"],
  );
  changes.dispose();
});
