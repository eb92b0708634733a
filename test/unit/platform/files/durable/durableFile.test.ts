import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  createDurably,
  moveDurably,
  replaceDurably,
  writeDurably,
  writeDurablyNow,
} from "../../../../../src/platform/files/durable/durableFile.ts";
import { createTemporaryFiles } from "../../../../../src/platform/files/durable/temporaryFiles.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const places = createTemporaryFiles(undefined);

test("a file is created completely or not at all", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "made.md");
  await createDurably(path, places, (temporary) => appendFile(temporary, "all of it"));
  assert.equal(readFileSync(path, "utf8"), "all of it");
  const failing = async (temporary: string) => {
    await writeFile(temporary, "half");
    throw new Error("the disk is full");
  };
  await assert.rejects(createDurably(join(folder, "half.md"), places, failing), /disk is full/);
  assert.deepEqual(readdirSync(folder), ["made.md"]);
});

test("an existing entry is not replaced, not even a dangling link", async () => {
  const folder = temporaryFolder();
  const write = (temporary: string) => writeFile(temporary, "theirs");
  writeFileSync(join(folder, "mine.md"), "mine");
  symlinkSync(join(folder, "elsewhere"), join(folder, "link.md"));
  for (const name of ["mine.md", "link.md"])
    await assert.rejects(createDurably(join(folder, name), places, write), { code: "EEXIST" });
  assert.equal(readFileSync(join(folder, "mine.md"), "utf8"), "mine");
  assert.equal(existsSync(join(folder, "elsewhere")), false);
  assert.equal(readdirSync(folder).length, 2);
});

test("a file can be moved into a folder that does not exist yet", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), "text");
  await moveDurably(join(folder, "a"), join(folder, "deep", "b"));
  assert.equal(readFileSync(join(folder, "deep", "b"), "utf8"), "text");
  assert.equal(existsSync(join(folder, "a")), false);
});

test("a file with a name of maximum length is created and replaced", async () => {
  const folder = temporaryFolder();
  const named = (end: string) => join(folder, end.padStart(255, "n"));
  await createDurably(named("a.md"), places, (temporary) => writeFile(temporary, "made"));
  await writeDurably(named("b.md"), "written");
  writeDurablyNow(named("c.md"), "now");
  const texts = ["a.md", "b.md", "c.md"].map((end) => readFileSync(named(end), "utf8"));
  assert.deepEqual(texts, ["made", "written", "now"]);
  assert.equal(readdirSync(folder).length, 3);
});

function* cutOff(): Generator<string> {
  yield "half";
  throw new Error("the disk is full");
}

test("a replacement that fails keeps the old content, and leaves nothing beside it", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "a");
  await writeDurably(path, "old");
  await assert.rejects(writeDurably(path, cutOff()), /disk is full/);
  assert.deepEqual([readFileSync(path, "utf8"), readdirSync(folder)], ["old", ["a"]]);
});

test("a file of the user is replaced as a whole, with its mode, where a link points", async () => {
  const folder = temporaryFolder();
  const [path, link] = [join(folder, ".env"), join(folder, "link")];
  writeFileSync(path, "old", { mode: 0o640 });
  symlinkSync(path, link);
  await replaceDurably(link, "new", 0o600, places);
  assert.deepEqual([readFileSync(path, "utf8"), statSync(path).mode & 0o777], ["new", 0o640]);
  assert.deepEqual(readdirSync(folder).sort(), [".env", "link"]);
});
