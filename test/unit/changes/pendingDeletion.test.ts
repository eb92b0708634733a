import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sweepBlobs } from "../../../src/features/chat/history/sweepBlobs.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { editor } from "./editorModel.ts";
import { openChanges } from "./openChanges.ts";
import { uriOf } from "./seenFiles.ts";

const never = new AbortController().signal;

test("a deleted file can be restored in another window after no conversation refers to its content", async () => {
  const [root, chats, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  editor.start(root);
  writeFileSync(join(root, "a.txt"), "former\n");
  writeFileSync(join(root, "b.txt"), "accepted\n");
  const open = () => openChanges(join(chats, "blobs"), join(storage, "changes.jsonl"));
  let changes = open();
  await changes.writer.remove("a.txt", never);
  await changes.writer.remove("b.txt", never);
  await changes.accept(uriOf("b.txt"));
  const old = new Date(Date.now() - 9 * 86_400_000);
  const blobs = readdirSync(join(chats, "blobs"));
  for (const name of blobs) utimesSync(join(chats, "blobs", name), old, old);
  assert.equal(await sweepBlobs(chats, Date.now()), blobs.length);
  changes.dispose();
  changes = open();
  await changes.reject(uriOf("a.txt"));
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "former\n");
  assert.equal(readdirSync(join(storage, "deleted")).length, 1, "the accepted one is gone");
  changes.dispose();
});

test("the last rewind can be undone in another window after no conversation refers to the replaced content", async () => {
  const [root, chats, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  editor.start(root);
  writeFileSync(join(root, "a.txt"), "former\n");
  const open = () => openChanges(join(chats, "blobs"), join(storage, "changes.jsonl"));
  let changes = open();
  const made = await changes.writer.write("a.txt", "agent\n", never);
  writeFileSync(join(root, "a.txt"), "by hand\n");
  await changes.rewind([made], async () => "overwrite", "chat 1");
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "former\n");
  changes.dispose();
  for (const name of readdirSync(join(chats, "blobs"))) rmSync(join(chats, "blobs", name));
  changes = open();
  await changes.accept(uriOf("none"));
  assert.equal(changes.lastRewind?.of, "chat 1");
  await changes.rewind(changes.lastRewind.changes, async () => undefined, "chat 1");
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "by hand\n");
  changes.dispose();
});
