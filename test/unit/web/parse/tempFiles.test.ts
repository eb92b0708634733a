import assert from "node:assert/strict";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { deleteOldFiles } from "../../../../src/web/parse/tempFiles.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

test("removes texts of a killed window, but not those in progress", async () => {
  const folder = temporaryFolder();
  for (const name of ["old.text", "arriving.text"]) writeFileSync(join(folder, name), "text");
  const [old, since] = [new Date(1_000_000), 2_000_000];
  utimesSync(join(folder, "old.text"), old, old);
  await deleteOldFiles(folder, since);
  assert.deepEqual(readdirSync(folder), ["arriving.text"]);
  await deleteOldFiles(join(folder, "none"), since);
});

test("continues after a file that can't be removed", async () => {
  const folder = temporaryFolder();
  const old = new Date(1_000_000);
  // The sweep does not remove folders.
  mkdirSync(join(folder, "held.text"));
  for (const name of ["a.text", "z.text"]) writeFileSync(join(folder, name), "text");
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), old, old);
  await deleteOldFiles(folder, 2_000_000);
  assert.deepEqual(readdirSync(folder), ["held.text"]);
});
