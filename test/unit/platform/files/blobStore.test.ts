import assert from "node:assert/strict";
import { readlinkSync, realpathSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createBlobStore } from "../../../../src/platform/files/blobStore.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

test("whoever stores a content that is being stored waits until it is on the disk, and learns of a failure", async (t) => {
  const folder = temporaryFolder();
  const file = await open(join(folder, "any"), "w");
  const flush = Promise.withResolvers<void>();
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  const flushed = prototype.sync;
  // What other tests of this process still write is not held: Linux tells the file of a handle.
  const isOwn = ({ fd }: FileHandle) =>
    process.platform !== "linux" || readlinkSync(`/proc/self/fd/${fd}`).startsWith(realpathSync(folder));
  let held = 0;
  const sync = t.mock.method(prototype, "sync", function (this: FileHandle) {
    if (!isOwn(this)) return flushed.call(this);
    held++;
    return flush.promise;
  });
  await file.close();
  const blobs = createBlobStore(join(folder, "blobs"));
  let ended = 0;
  const puts = [1, 2].map(() => blobs.put("same", "txt").finally(() => ended++));
  const other = blobs.put("other", "txt");
  while (held < 2) await new Promise(setImmediate);
  assert.equal(ended, 0);
  flush.reject(new Error("The disk is full."));
  await Promise.all([...puts, other].map((put) => assert.rejects(put, /The disk is full/)));
  sync.mock.restore();
  const name = await blobs.put("same", "txt");
  assert.equal(String(await blobs.read(name)), "same");
});
