// The stored sounds, on a disk that fails for a moment.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SoundStore } from "../../../../../src/speech/host/sound/soundStore.ts";

const key = "0123456789abcdef0123456789abcdef01234567";

test("a folder that could not be read is read again by the next request", async (t) => {
  const parent = await mkdtemp(join(tmpdir(), "sounds-"));
  t.after(() => rm(parent, { recursive: true }));
  const folder = join(parent, "sounds");
  // A file in its place.
  await writeFile(folder, "");
  const store = new SoundStore({ folder });
  await assert.rejects(store.has(key));
  await rm(folder);
  await store.put(key, { format: "mp3", bytes: new Uint8Array([1, 2, 3]) });
  assert.equal(await store.has(key), true);
});
