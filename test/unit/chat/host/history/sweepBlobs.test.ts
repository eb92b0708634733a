import assert from "node:assert/strict";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sweepBlobs } from "../../../../../src/chat/host/history/sweepBlobs.ts";
import { createBlobStore } from "../../../../../src/platform/files/blobStore.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const dayMs = 86_400_000;

test("unreferenced contents are deleted after a day; all others stay, also those of deleted conversations", async () => {
  const folder = temporaryFolder();
  const blobs = createBlobStore(join(folder, "blobs"));
  const put = async (text: string) => blobs.put(text, "txt");
  const [shown, trashed, damaged, unnamed, fresh, again] = await Promise.all(
    ["shown", "trashed", "damaged", "unnamed", "fresh", "again"].map(put),
  );
  mkdirSync(join(folder, "trash"));
  writeFileSync(join(folder, "a.jsonl"), `{"e":"node","node":{"attachments":[{"blob":"${shown}"}]}}`);
  writeFileSync(join(folder, "trash", "b.jsonl"), `{"blob":"${trashed}"}`);
  writeFileSync(join(folder, "a.bad"), `torn{"blob":"${damaged}`);
  const now = Date.now();
  const old = new Date(now - 2 * dayMs);
  for (const name of [shown, trashed, damaged, unnamed, again])
    utimesSync(join(folder, "blobs", String(name)), old, old);
  await put("again");
  const left = () => readdirSync(join(folder, "blobs")).filter((name) => name.endsWith(".txt"));
  assert.equal(await sweepBlobs(folder, now), 1);
  assert.deepEqual(left().sort(), [shown, trashed, damaged, fresh, again].sort());
  // The sweep does not run again in the same week; then it also deletes what has become old.
  assert.equal(await sweepBlobs(folder, now + 2 * dayMs), 0);
  assert.equal(await sweepBlobs(folder, now + 8 * dayMs), 2);
  assert.deepEqual(left().sort(), [shown, trashed, damaged].sort());
});

test("without attachments there is nothing to do", async () => {
  assert.equal(await sweepBlobs(temporaryFolder(), Date.now()), 0);
});
