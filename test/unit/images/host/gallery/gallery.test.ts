// The images of a folder and the stored facts of each.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { createGallery } from "../../../../../src/images/host/gallery/gallery.ts";
import {
  pictureMarkdown,
  relativePath,
  toHtml,
} from "../../../../../src/images/host/gallery/pictureMarkup.ts";
import {
  galleryNames,
  numbered,
  pictureName,
  plainName,
} from "../../../../../src/images/host/gallery/pictureNames.ts";
import { Thumbs } from "../../../../../src/images/host/gallery/thumbs.ts";
import { parseFacts } from "../../../../../src/images/host/imageSchemas.ts";
import type { PictureFacts } from "../../../../../src/images/protocol/studioState.ts";
import { diskFiles, tempFolder } from "../studioOf.ts";

const facts: PictureFacts = {
  prompt: "a fox",
  model: "canvas",
  seed: 7,
  costUsd: 0.01,
  isPlayMoney: false,
  at: "2026-11-22T02:13:05.000Z",
  way: "generate",
  width: 1,
  height: 1,
  service: "Sandbox",
  isBlurred: false,
  choices: { size: "256x256", safe_mode: true },
  inputs: ["a.png"],
};
const bytes = new Uint8Array([1, 2, 3]);

test("reads the stored facts of an image unchanged", async (t) => {
  const gallery = createGallery(diskFiles(tempFolder(t)), parseFacts);
  const name = await gallery.add("20261122-021305-a-fox.png", bytes, facts);
  await gallery.refresh();
  assert.deepEqual(await gallery.items(0, 10), [{ name, facts, note: "" }]);
});

test("shows damaged or newer facts as such, and never overwrites or removes them", async (t) => {
  const folder = tempFolder(t);
  const gallery = createGallery(diskFiles(folder), parseFacts);
  const contents = ["{ torn", "[]", '{"v":2,"prompt":"x"}', "", "\u0000\u0001"];
  for (const content of contents) {
    writeFileSync(join(folder, "20261122-021305-a.png"), bytes);
    writeFileSync(join(folder, "20261122-021305-a.png.json"), content);
    await gallery.refresh();
    const [item] = await gallery.items(0, 1);
    assert.equal(item?.facts, null);
    assert.match(item?.note ?? "", /can't be read. It was not changed/);
    await gallery.remove("20261122-021305-a.png");
    const stored = await gallery.add("20261122-021305-a.png", bytes, facts);
    assert.equal(stored, "20261122-021305-a-2.png", "facts that nobody could read are not another's");
    assert.equal(readFileSync(join(folder, "20261122-021305-a.png.json"), "utf8"), content);
    await gallery.remove(stored);
    assert.equal(existsSync(join(folder, `${stored}.json`)), false);
  }
});

test("lists images of any folder: ours newest first, then the others by name", () => {
  const names = [
    "z.png",
    "20261122-021305-a.png",
    "20261122-021305-a.png.json",
    "b.JPG",
    "20261123-000000-b.webp",
  ];
  assert.deepEqual(galleryNames([...names, ".hidden.png", "notes.md"]), [
    "20261123-000000-b.webp",
    "20261122-021305-a.png",
    "b.JPG",
    "z.png",
  ]);
});

test("image names contain no path, sort by time, and contain the words of the prompt", () => {
  assert.equal(
    pictureName("A Fox,\nrunning!", Date.UTC(2026, 10, 22, 2, 13, 5), "jpeg"),
    "20261122-021305-a-fox-running.jpg",
  );
  assert.equal(plainName("20261122-021305-a-fox.png"), "a-fox.png");
  assert.equal(numbered("a.fox.png", 3), "a.fox-3.png");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (prompt) => {
      const name = pictureName(prompt, 0, "png");
      assert.match(name, /^19700101-000000-[\p{L}\p{N}-]+\.png$/u);
      assert.ok(Buffer.byteLength(name) < 255);
    }),
  );
});

test("does not read an image outside the folder", async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "secret.txt"), "secret");
  const gallery = createGallery(diskFiles(join(folder, "inner")), parseFacts);
  await gallery.refresh();
  assert.equal(await gallery.read("../secret.txt"), undefined);
  assert.equal(await gallery.stamp("../secret.txt"), undefined);
});

test("caches thumbnails by the image's time stamp", async (t) => {
  const thumbs = new Thumbs(join(tempFolder(t), "thumbs"));
  assert.equal(await thumbs.read("folder/a.png", "1"), undefined);
  await thumbs.write("folder/a.png", "1", bytes);
  assert.deepEqual(Uint8Array.from((await thumbs.read("folder/a.png", "1")) ?? []), bytes);
  assert.equal(await thumbs.read("folder/a.png", "2"), undefined);
});

test("markup contains the words of any prompt, and paths are relative to the document", () => {
  assert.equal(pictureMarkdown("a b.png", "A [red]\nfox"), "![A \\[red\\] fox](<a b.png>)");
  assert.equal(pictureMarkdown("a.png", "fox"), "![fox](a.png)");
  assert.equal(
    toHtml("a b.png", 'say "hi" <b>', { width: 3, height: 2 }),
    '<img src="a%20b.png" alt="say &quot;hi&quot; &lt;b>" width="3" height="2">',
  );
  // A name is no query, no fragment and no escape of the address.
  assert.equal(pictureMarkdown("50% #1?.png", "fox"), "![fox](<50%25 %231%3F.png>)");
  assert.ok(toHtml("50% #1?.png", "fox").includes('src="50%25%20%231%3F.png"'));
  assert.equal(relativePath("/w/docs", "/w/images/a.png"), "../images/a.png");
  assert.equal(relativePath("/w", "/w/images/a.png"), "images/a.png");
});
