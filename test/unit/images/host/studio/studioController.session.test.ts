// State of the studio over several requests and sessions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { imageSchemas } from "../../../../../src/images/host/imageSchemas.ts";
import { createLayerStore } from "../../../../../src/images/host/studio/layers/layerStore.ts";
import { draftOf, make, png, studioOf, tempFolder } from "../studioOf.ts";

test("no image name leads outside its folder", () => {
  const parse = (type: string, body: object) => imageSchemas.parseFromStudio({ v: 1, type, body });
  const types = ["openPicture", "saveAs", "reuse", "remove", "addPicture"];
  for (const type of types) assert.ok(parse(type, { name: "20261122-a fox (1).png" }), type);
  for (const name of ["../a.png", "a/../../b.png", "..", ".", "..\\a.png", "/etc/passwd"]) {
    for (const type of types) assert.equal(parse(type, { name }), undefined, `${type} ${name}`);
    assert.equal(parse("want", { of: { kind: "picture", name } }), undefined);
    assert.equal(parse("copy", { name, as: "path" }), undefined);
  }
});

test("New clears prompt and images, which can be restored", async (t) => {
  const stored: number[] = [];
  const deps = { saveLayers: (layers: readonly unknown[]) => void stored.push(layers.length) };
  const { controller, state } = await studioOf(t, { draft: { prompt: "a red fox" }, deps });
  controller.add([{ name: "a.png", data: png(256, 256) }]);
  await controller.handle({ v: 1, type: "new", body: {} });
  assert.deepEqual([state().draft.prompt, state().layers.length, state().hasEarlier], ["", 0, true]);
  await controller.handle({ v: 1, type: "bringBack", body: {} });
  const names = state().layers.map(({ name }) => name);
  assert.deepEqual([state().draft.prompt, names, state().hasEarlier], ["a red fox", ["a.png"], false]);
  assert.deepEqual(stored.slice(-1), [1]);
});

test("searches the gallery by prompt, model and name, also after another image was added", async (t) => {
  const { controller, posted: messages } = await studioOf(t);
  for (const prompt of ["a red fox", "a lake", "a fox by a lake"]) {
    await controller.handle({
      v: 1,
      type: "draft",
      body: { draft: { ...draftOf(messages), prompt } as never },
    });
    await controller.handle(make);
  }
  const sizes = () =>
    messages.flatMap((message) => (message.type === "gallery" ? [message.size] : [])).at(-1);
  const version = () =>
    messages.flatMap((message) => (message.type === "gallery" ? [message.version] : [])).at(-1);
  await controller.handle({ v: 1, type: "search", body: { text: "FOX  canvas" } });
  assert.equal(sizes(), 2);
  await controller.handle({ v: 1, type: "items", body: { version: version() ?? 0, from: 0, count: 10 } });
  const items = messages.findLast((message) => message.type === "items");
  const words = items?.type === "items" ? items.items.map(({ facts }) => facts?.prompt) : [];
  assert.deepEqual(words.sort(), ["a fox by a lake", "a red fox"]);
  await controller.handle({
    v: 1,
    type: "draft",
    body: { draft: { ...draftOf(messages), prompt: "fox" } as never },
  });
  await controller.handle(make);
  assert.equal(sizes(), 3);
  await controller.handle({ v: 1, type: "search", body: { text: " " } });
  assert.equal(sizes(), 4);
});

test("after a request was cut off by the window, the next session reports it with its possible cost", async (t) => {
  const store = createLayerStore(tempFolder(t));
  const first = await studioOf(t, { draft: { prompt: "a red fox" }, deps: { saveNote: store.saveNote } });
  const arrived = first.service.nextRequest({ path: "/images/generations" });
  const generation = first.controller.handle(make);
  await arrived;
  first.controller.stop();
  await generation;
  const left = { strokes: undefined, request: await store.readNote("request") };
  const second = await studioOf(t, { deps: { saveNote: store.saveNote } });
  second.controller.restore([], left);
  const { kind, text = "" } = second.state().outcome ?? {};
  assert.equal(kind, "failed");
  assert.match(
    text,
    /“a red fox” was being generated, so the picture was lost\. .* may have charged \$0\.01/,
  );
  await second.controller.serviceChanged();
  assert.equal(second.state().outcome?.text, text, "whichever service is active");
  assert.notEqual(await store.readNote("request"), undefined, "until it is dismissed");
  await second.controller.handle({ v: 1, type: "dismiss", body: {} });
  assert.equal(await store.readNote("request"), undefined);
});

test("an answered or stopped request leaves nothing, and strokes are restored", async (t) => {
  const store = createLayerStore(tempFolder(t));
  const { controller } = await studioOf(t, {
    draft: { prompt: "a red fox" },
    deps: { saveNote: store.saveNote },
  });
  await controller.handle(make);
  assert.equal(await store.readNote("request"), undefined);
  const strokes = {
    base: "1",
    steps: [{ kind: "brush", radius: 3, points: [[1, 2]] }, { kind: "invert" }],
    isOpen: true,
  } as const;
  await controller.handle({ v: 1, type: "strokes", body: { strokes: strokes as never } });
  await store.save([]);
  assert.deepEqual(imageSchemas.parseStrokes(await store.readNote("strokes")), strokes);
  const next = await studioOf(t);
  next.controller.restore([], { strokes, request: undefined });
  await next.controller.handle({ v: 1, type: "ready", body: {} });
  assert.ok(next.posted.some((message) => message.type === "strokes" && message.strokes === strokes));
});
