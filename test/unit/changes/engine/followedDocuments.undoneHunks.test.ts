// Hunks that a rewind took away are pending again after its undo.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { FileChange, PendingChanges } from "../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { toBytes } from "../editorDocument.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;

/** The folder of a test, in which each window continues the one before. */
function openFolder(texts: Readonly<Record<string, string | Uint8Array>>) {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  for (const [name, text] of Object.entries(texts)) writeFileSync(uriOf(name).path, text);
  return {
    text: (name: string) => readFileSync(uriOf(name).path, "utf8"),
    log: `${storage}/changes.jsonl`,
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
  return files.map(({ uri: _, hunks, ...file }) => ({
    ...file,
    hunks: hunks.map(({ id: __, ...hunk }) => hunk),
  }));
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

/** A window with files that an agent has changed, and the call that does it. */
function openFiles(texts: Readonly<Record<string, string | Uint8Array>>) {
  const folder = openFolder(texts);
  const changes = folder.openWindow();
  const edit = (name: string, oldText: string, newText: string) =>
    changes.writer.edit(name, [{ oldText, newText }], never);
  return { ...folder, changes, edit };
}

test("in the order of the first change", async () => {
  const names = ["c.txt", "a.txt", "b.txt"];
  const { changes } = openFiles({});
  const made: FileChange[] = [];
  for (const name of names) made.push(await changes.writer.write(name, "new\n", never));
  await rewind(changes, made);
  await rewind(changes);
  assert.deepEqual(pathsOf(changes), names);
  changes.dispose();
});

test("not in place of what the agent has changed since", async () => {
  const { changes, text } = openFiles({ "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" });
  const made = [
    await changes.writer.remove("a.txt", never),
    await changes.writer.write("b.txt", "agent\n", never),
    await changes.writer.write("c.txt", "agent\n", never),
  ];
  await rewind(changes, made);
  writeFileSync(uriOf("a.txt").path, "user\n");
  await changes.writer.remove("a.txt", never);
  writeFileSync(uriOf("b.txt").path, "user\n");
  await changes.writer.write("b.txt", "agent\n", never);
  await rewind(changes);
  for (const name of ["a.txt", "b.txt", "c.txt"]) await changes.reject(uriOf(name));
  assert.deepEqual([text("a.txt"), text("b.txt"), text("c.txt")], ["user\n", "user\n", "one\n"]);
  changes.dispose();
});

for (const when of ["between the rewind and its undo", "after the undo, before the next rewind"])
  test(`not those of an earlier question that were accepted ${when}`, async () => {
    const { changes, edit } = openFiles({ "a.txt": "a\nb\nc\nd\n" });
    await edit("a.txt", "a", "A");
    const made = await edit("a.txt", "d", "D");
    await rewind(changes, [made]);
    if (when.startsWith("after")) await rewind(changes);
    await changes.accept(uriOf("a.txt"), changes.fileOf(uriOf("a.txt"))?.hunks[0]?.id);
    await rewind(changes, when.startsWith("after") ? [made] : undefined);
    assert.deepEqual(pathsOf(changes), []);
    changes.dispose();
  });

test("not of a moved file if the user's file is kept at its former place", async () => {
  const { changes, edit, text } = openFiles({ "a.txt": "one\n", "c.txt": "one\n" });
  const made = [...(await changes.writer.move("a.txt", "b.txt", never)), await edit("b.txt", "one", "ONE")];
  made.push(await edit("c.txt", "one", "ONE"));
  await rewind(changes, made);
  writeFileSync(uriOf("a.txt").path, "user\n");
  await rewind(changes, undefined, "keep");
  await changes.rejectTogether(changes.files.map(({ uri }) => uri));
  assert.deepEqual([text("a.txt"), text("b.txt"), text("c.txt")], ["user\n", "ONE\n", "one\n"]);
  changes.dispose();
});

test("not in a text whose lines the editor counts in another way than the closed file", async () => {
  const { changes, edit } = openFiles({ "a.txt": "one\rtwo\nthree\nfour\nfive\n" });
  await rewind(changes, [await edit("a.txt", "four", "FOUR")]);
  const document = editor.open(uriOf("a.txt"));
  await rewind(changes);
  await changes.reject(uriOf("a.txt"));
  assert.equal(document.getText(), "one\ntwo\nthree\nFOUR\nfive\n");
  changes.dispose();
});

for (const encoding of ["shiftjis", "utf16le", "windows1252"]) {
  const letter = encoding === "windows1252" ? "é" : "あ";
  const bytes = toBytes(`${letter} one\r\ntwo\r\nthree\r\n`, encoding);

  test(`${encoding}: of a closed file that was moved, too`, async () => {
    const { changes, edit } = openFiles({ "a.txt": bytes });
    const document = editor.open(uriOf("a.txt"), encoding);
    const made = [await edit("a.txt", "three", `${letter} THREE`)];
    editor.close(document);
    made.push(...(await changes.writer.move("a.txt", "b.txt", never)));
    const before = shownOf(changes);
    await rewind(changes, made);
    assert.deepEqual(Buffer.from(readFileSync(uriOf("a.txt").path)), Buffer.from(bytes));
    await rewind(changes);
    assert.deepEqual(shownOf(changes), before);
    await changes.reject(uriOf("b.txt"));
    assert.deepEqual(Buffer.from(readFileSync(uriOf("a.txt").path)), Buffer.from(bytes));
    changes.dispose();
  });

  test(`${encoding}: a rejection after the undo does not mix encodings in a file that was unsaved and is closed`, async () => {
    const { changes, edit } = openFiles({ "a.txt": bytes });
    const document = editor.open(uriOf("a.txt"), encoding);
    document.type(0, 0, "typed ");
    const made = await edit("a.txt", "three", `${letter} THREE`);
    await rewind(changes, [made]);
    await document.save();
    editor.close(document);
    await rewind(changes, undefined, "overwrite");
    const undone = readFileSync(uriOf("a.txt").path);
    await changes.reject(uriOf("a.txt"));
    assert.deepEqual(readFileSync(uriOf("a.txt").path), undone);
    changes.dispose();
  });
}

for (const [title, pending] of [
  ["null", null],
  ["a list", []],
  ["a record that is null", { "file:///x": null }],
  ["a record without hunks", { "file:///x": { left: "", record: { path: "x" } } }],
] as const)
  test(`a damaged log, with ${title}, loses the damaged records only`, async () => {
    const { changes, openWindow, log, text } = openFiles({ "a.txt": "one\n" });
    await rewind(changes, [await changes.writer.write("a.txt", "agent\n", never)]);
    changes.dispose();
    const lines = readFileSync(log, "utf8").split("\n");
    const last = JSON.parse(lines.findLast((line) => line.includes('"rewind"')) ?? "");
    appendFileSync(log, `\n${JSON.stringify([...last.slice(0, 2), { ...last[2], pending }])}\n`);
    const later = openWindow();
    await later.accept(uriOf("none"));
    await rewind(later);
    assert.deepEqual([pathsOf(later), text("a.txt")], [[], "agent\n"]);
    later.dispose();
  });
