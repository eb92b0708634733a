import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createBlobStore } from "../../../../src/platform/files/blobStore.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

test("whoever stores a content that is being stored waits until it is on the disk, and learns of a failure", async (t) => {
  const folder = temporaryFolder();
  const file = await open(join(folder, "any"), "w");
  const flush = Promise.withResolvers<void>();
  const sync = t.mock.method(Object.getPrototypeOf(file), "sync", () => flush.promise);
  await file.close();
  const blobs = createBlobStore(join(folder, "blobs"));
  let ended = 0;
  const puts = [1, 2].map(() => blobs.put("same", "txt").finally(() => ended++));
  const other = blobs.put("other", "txt");
  while (sync.mock.callCount() < 2) await new Promise(setImmediate);
  assert.equal(ended, 0);
  flush.reject(new Error("The disk is full."));
  await Promise.all([...puts, other].map((put) => assert.rejects(put, /The disk is full/)));
  sync.mock.restore();
  const name = await blobs.put("same", "txt");
  assert.equal(String(await blobs.read(name)), "same");
});
