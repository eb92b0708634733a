// Hunks that a rewind took away are pending again after its undo.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { FileChange, PendingChanges } from "../../../src/session/changes/pendingChanges.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { editor } from "./editorModel.ts";
import { openChanges } from "./openChanges.ts";
import { uriOf } from "./seenFiles.ts";

const never = new AbortController().signal;

/** The folder of a test, in which each window continues the one before. */
function openFolder(texts: Readonly<Record<string, string>>) {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  for (const [name, text] of Object.entries(texts)) writeFileSync(uriOf(name).path, text);
  return {
    text: (name: string) => readFileSync(uriOf(name).path, "utf8"),
    openWindow: () => openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`),
  };
}

/** Rewinds these changes, or those of the last rewind. */
async function rewind(changes: PendingChanges, made?: readonly FileChange[], answer?: "keep" | "overwrite") {
  const ask = async (paths: readonly string[]) => answer ?? assert.fail(`asked about ${paths}`);
  const done = await changes.rewind(made ?? changes.lastRewind?.changes ?? [], ask, "chat");
  assert.equal(done?.failure, undefined);
}

function pathsOf({ files }: PendingChanges): readonly string[] {
  return files.map(({ path }) => path);
}

/** All that a view shows of pending changes. */
function shownOf({ files }: PendingChanges): readonly unknown[] {
  return files
    .map(({ uri: _, hunks, ...file }) => ({ ...file, hunks: hunks.map(({ id: __, ...hunk }) => hunk) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

test("of changed, created, deleted and moved files, also in a later window and after two undos", async () => {
  const texts = {
    "changed.txt": "one\ntwo\nthree\n",
    "crlf.txt": "\ufeffone\r\ntwo\r\n",
    "deleted.txt": "deleted\n",
    "moved.txt": "one\ntwo\n",
  };
  const { text, openWindow } = openFolder(texts);
  const first = openWindow();
  editor.open(uriOf("crlf.txt"));
  const edit = (name: string, oldText: string, newText = oldText.toUpperCase()) =>
    first.writer.edit(name, [{ oldText, newText }], never);
  await edit("changed.txt", "one");
  const made = [
    await edit("changed.txt", "three", "3\n3"),
    await edit("crlf.txt", "two"),
    await first.writer.write("new.txt", "new\n", never),
    await first.writer.remove("deleted.txt", never),
    ...(await first.writer.move("moved.txt", "b/moved.txt", never)),
    await edit("b/moved.txt", "one"),
  ];
  const before = shownOf(first);
  assert.equal(before.length, 5);
  await rewind(first, made);
  assert.deepEqual(pathsOf(first), ["changed.txt"], "hunks of the earlier question");
  first.dispose();

  const second = openWindow();
  await second.accept(uriOf("none")); // waits until the records are read
  for (let times = 0; times < 2; times++) {
    await rewind(second);
    assert.deepEqual(shownOf(second), before);
    assert.equal(existsSync(uriOf("deleted.txt").path), false);
    if (times > 0) break;
    await rewind(second);
    assert.deepEqual(pathsOf(second), ["changed.txt"]);
  }
  await second.rejectTogether(second.files.map(({ uri }) => uri));
  for (const [name, original] of Object.entries(texts)) assert.equal(text(name), original);
  assert.deepEqual([existsSync(uriOf("new.txt").path), pathsOf(second)], [false, []]);
  second.dispose();
});

test("not in a file that others changed since, which stays as it is", async () => {
  const { text, openWindow } = openFolder({ "a.txt": "one\n", "b.txt": "one\n" });
  const changes = openWindow();
  const made = [
    await changes.writer.write("a.txt", "agent\n", never),
    await changes.writer.write("b.txt", "agent\n", never),
  ];
  await rewind(changes, made);
  writeFileSync(uriOf("b.txt").path, "user\n");
  await rewind(changes, undefined, "keep");
  assert.deepEqual([pathsOf(changes), text("b.txt")], [["a.txt"], "user\n"]);
  changes.dispose();
});

test("not those that were accepted before the rewind", async () => {
  const { openWindow } = openFolder({ "a.txt": "one\ntwo\nthree\n" });
  const changes = openWindow();
  const made = await changes.writer.write("a.txt", "ONE\ntwo\nTHREE\n", never);
  await changes.accept(uriOf("a.txt"), changes.fileOf(uriOf("a.txt"))?.hunks[0]?.id);
  const before = shownOf(changes);
  await rewind(changes, [made]);
  await rewind(changes);
  assert.deepEqual(shownOf(changes), before);
  changes.dispose();
});

test("the text that the user types after the undo is not part of them", async () => {
  const { openWindow } = openFolder({ "a.txt": "one\ntwo\nthree\n" });
  const changes = openWindow();
  const document = editor.open(uriOf("a.txt"));
  const made = await changes.writer.write("a.txt", "ONE\ntwo\nthree\n", never);
  await rewind(changes, [made]);
  await rewind(changes);
  document.type(2, 0, "typed ");
  await changes.reject(uriOf("a.txt"));
  assert.equal(document.getText(), "one\ntwo\ntyped three\n");
  changes.dispose();
});
