import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sweepBlobs } from "../../../../src/chat/host/history/sweepBlobs.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

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
  const deleted = join(storage, "deleted");
  for (const name of readdirSync(deleted)) utimesSync(join(deleted, name), old, old);
  changes = open();
  await changes.reject(uriOf("a.txt"));
  assert.equal(readFileSync(join(root, "a.txt"), "utf8"), "former\n");
  assert.equal(readdirSync(deleted).length, 1, "the accepted one is gone");
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

/** A window with a deleted file whose content is as old as given. */
async function deletedFile(ageMs: number) {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  writeFileSync(uriOf("a.txt").path, "former\n");
  const stateFile = join(storage, "changes.jsonl");
  const open = (report?: (error: unknown) => void) => openChanges(join(storage, "blobs"), stateFile, report);
  const changes = open();
  await changes.writer.remove("a.txt", never);
  changes.dispose();
  const time = new Date(Date.now() - ageMs);
  for (const name of readdirSync(join(storage, "deleted")))
    utimesSync(join(storage, "deleted", name), time, time);
  return { stateFile, open };
}

async function assertRestorable(open: () => ReturnType<typeof openChanges>): Promise<void> {
  const changes = open();
  await changes.reject(uriOf("a.txt"));
  assert.equal(readFileSync(uriOf("a.txt").path, "utf8"), "former\n");
  changes.dispose();
}

test("contents stay while the records that name them can't be read", async () => {
  const { stateFile, open } = await deletedFile(9 * 86_400_000);
  renameSync(stateFile, `${stateFile}.away`);
  mkdirSync(stateFile);
  const errors: unknown[] = [];
  const changes = open((error) => errors.push(error));
  await changes.accept(uriOf("none"));
  assert.equal(errors.length, 1);
  changes.dispose();
  rmSync(stateFile, { recursive: true });
  renameSync(`${stateFile}.away`, stateFile);
  await assertRestorable(open);
});

test("new contents stay although no record names them yet", async () => {
  const { stateFile, open } = await deletedFile(3_600_000);
  renameSync(stateFile, `${stateFile}.away`);
  const changes = open();
  await changes.accept(uriOf("none"));
  changes.dispose();
  renameSync(`${stateFile}.away`, stateFile);
  await assertRestorable(open);
});
