// Pictures in the user's folder with their facts, thumbnails, and the pictures to edit with their mask.
import assert from "node:assert/strict";
import { join } from "node:path";
import type * as vscode from "vscode";
import type { folderFiles } from "../../../../src/images/host/gallery/folderFiles.ts";
import { createGallery } from "../../../../src/images/host/gallery/gallery.ts";
import { Thumbs } from "../../../../src/images/host/gallery/thumbs.ts";
import { parseFacts } from "../../../../src/images/host/imageSchemas.ts";
import { createLayerStore } from "../../../../src/images/host/studio/layers/layerStore.ts";
import type { PictureFacts } from "../../../../src/images/protocol/studioState.ts";
import {
  createTemporaryFiles,
  temporaryListsIn,
} from "../../../../src/platform/files/durable/temporaryFiles.ts";
import { Uri } from "../../changes/editorDocument.ts";
import { loadWithEditor } from "../../changes/editorModel.ts";
import type { Folders, Workload } from "../workload.ts";

const picture = Buffer.from("the bytes of a picture ".repeat(20));
const facts: PictureFacts = {
  prompt: "a fox",
  model: "canvas",
  seed: 7,
  costUsd: 0.01,
  isPlayMoney: false,
  at: "2026-11-22T02:13:05.000Z",
  way: "generate",
  width: 64,
  height: 64,
  service: "One",
  isBlurred: false,
  choices: {},
  inputs: [],
};
const layer = { id: "11111111-2222-4333-8444-555555555555", name: "photo", isMask: false, data: picture };
const strokes = { painted: [1, 2, 3] };

async function open({ storage, user }: Folders) {
  const module = await loadWithEditor<{ readonly folderFiles: typeof folderFiles }>(
    "src/images/host/gallery/folderFiles.ts",
  );
  const temporary = createTemporaryFiles(temporaryListsIn(storage));
  const files = module.folderFiles(new Uri(join(user, "images")) as unknown as vscode.Uri, temporary);
  return {
    gallery: createGallery(files, parseFacts),
    thumbs: new Thumbs(join(storage, "thumbnails")),
    layers: createLayerStore(join(storage, "studio")),
    temporary,
  };
}

export const workload: Workload = {
  writers: [
    "src/images/host/gallery/folderFiles.ts",
    "src/images/host/gallery/thumbs.ts",
    "src/images/host/studio/layers/layerStore.ts",
  ],
  async run(folders, told) {
    const { gallery, thumbs, layers, temporary } = await open(folders);
    await told.step("layers", () => layers.save([layer]));
    await told.step("strokes", () => layers.saveNote("strokes", strokes));
    await told.step("picture fox.png", () => gallery.add("fox.png", picture, facts));
    await told.step("picture fox-2.png", () => gallery.add("fox.png", picture, facts));
    await told.step("thumb", () => thumbs.write("fox.png", "1", picture));
    await told.step("other layers", () => layers.save([]));
    await told.space();
    await told.step("picture last.png", () => gallery.add("last.png", picture, facts));
    temporary.dispose();
  },
  async check(folders, told) {
    const { gallery, thumbs, layers } = await open(folders);
    await gallery.refresh();
    const kept = (what: string) => told.kept.includes(what);
    for (const { name, facts: found, note } of await gallery.items(0, 9)) {
      assert.deepEqual(Buffer.from((await gallery.read(name)) ?? []), picture, `${name} is whole`);
      assert.equal(note, "", "its facts are whole or missing");
      if (kept(`picture ${name}`)) assert.equal(found?.prompt, "a fox");
    }
    for (const what of told.kept.filter((one) => one.startsWith("picture ")))
      assert.ok(gallery.has(what.slice("picture ".length)), what);
    const thumb = await thumbs.read("fox.png", "1");
    if (thumb || kept("thumb")) assert.deepEqual(Buffer.from(thumb ?? []), picture);
    const stored = await layers.read();
    if (kept("layers") && !told.begun.includes("other layers"))
      assert.deepEqual(
        stored.map(({ id, data }) => [id, Buffer.from(data)]),
        [[layer.id, picture]],
      );
    for (const { data } of stored) assert.deepEqual(Buffer.from(data), picture);
    const found = await layers.readNote("strokes");
    if (found !== undefined || kept("strokes")) assert.deepEqual(found, strokes);
  },
};
