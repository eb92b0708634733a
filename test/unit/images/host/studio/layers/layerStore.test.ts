import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  createLayerStore,
  type StoredLayer,
} from "../../../../../../src/images/host/studio/layers/layerStore.ts";
import { createLayers } from "../../../../../../src/images/host/studio/layers/layers.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const plain = (layers: readonly StoredLayer[]) =>
  layers.map(({ id, name, isMask, data }) => [id, name, isMask, Buffer.from(data).toString()]);

/** The layers of a new studio that stores them in this folder. */
async function openLayers(folder: string | undefined) {
  const stored = createLayerStore(folder);
  const layers = createLayers(
    () => 3,
    (all) => void stored.save(all),
  );
  layers.restore(await stored.read());
  return { layers, settled: () => stored.read() };
}

test("restores the images to edit with order and mask, without removed ones", async () => {
  const folder = join(temporaryFolder(), "studio");
  const first = await openLayers(folder);
  for (const name of ["a.png", "b.png", "c.png"]) first.layers.add(name, bytes(name));
  first.layers.remove(first.layers.all[1]?.id ?? "");
  first.layers.setMask(bytes("mask"));
  first.layers.move(first.layers.all[1]?.id ?? "", 0);
  assert.deepEqual(plain(await first.settled()), plain(first.layers.all));
  const again = await openLayers(folder);
  assert.deepEqual(plain(again.layers.all), plain(first.layers.all));
  assert.deepEqual(
    again.layers.all.map(({ name }) => name),
    ["c.png", "a.png", "Mask"],
  );
  assert.equal((await readdir(folder)).length, 4);
  again.layers.clear();
  assert.deepEqual(await again.settled(), []);
  assert.deepEqual(await readdir(folder), ["layers.json"]);
});

test("a window without a storage folder stores no images", async () => {
  const layers = createLayers(
    () => 3,
    (all) => void createLayerStore(undefined).save(all),
  );
  layers.add("a.png", bytes("a"));
  const next = await openLayers(undefined);
  assert.deepEqual(next.layers.all, []);
  next.layers.add("b.png", bytes("b"));
  assert.deepEqual([layers.all.length, await next.settled()], [1, []]);
});

test("images added before the restore stay alone", () => {
  const layers = createLayers(() => 3);
  layers.add("new.png", bytes("new"));
  layers.restore([{ id: "x", name: "old.png", isMask: false, data: bytes("old") }]);
  assert.deepEqual(
    layers.all.map(({ name }) => name),
    ["new.png"],
  );
});

test("a damaged list, and one with paths outside the folder, is ignored", async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, "secret"), "secret");
  for (const list of ["{", "7", '[{"id":"../secret","name":"a","isMask":false}]', "[null]"]) {
    await writeFile(join(folder, "layers.json"), list);
    assert.deepEqual(await createLayerStore(folder).read(), [], list);
  }
});
