// The studio against the real sandbox over HTTP: what is sent, what is kept, what is said.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decode, encode } from "fast-png";
import { dialects } from "../../../src/api/dialect.ts";
import { imageSize } from "../../../src/api/imageSize.ts";
import { createGallery } from "../../../src/features/images/gallery.ts";
import { imageSchemas, parseFacts } from "../../../src/features/images/imageSchemas.ts";
import { createLayerStore } from "../../../src/features/images/layerStore.ts";
import type { ToStudio } from "../../../src/shared/studioProtocol.ts";
import type { PictureFacts, StudioDraft } from "../../../src/shared/studioState.ts";
import { diskFiles, studioOf, tempFolder } from "./studioOf.ts";

function png(width: number, height: number, level = 90): Uint8Array {
  return encode({ width, height, data: new Uint8Array(width * height).fill(level), channels: 1 });
}

const make = { v: 1, type: "make", body: {} } as const;

test("a picture is asked for with what was chosen alone, kept with its facts, and shown", async (t) => {
  const {
    service,
    folder,
    controller,
    told: reported,
    asked,
    state,
  } = await studioOf(t, { draft: { prompt: "a red fox" } });
  assert.deepEqual([state().price, state().problem, state().model], ["$0.01", "", "canvas"]);
  await controller.handle(make);
  const sent = service.requests.find(({ path }) => path.endsWith("/images/generations"));
  assert.deepEqual(JSON.parse(sent?.bodyText ?? ""), {
    prompt: "a red fox",
    model: "canvas",
    size: "256x256",
    moderation: "auto",
  });
  assert.deepEqual(asked, [["generate", 0.01]]);
  const name = "20261122-021305-a-red-fox.png";
  assert.deepEqual(readdirSync(folder).sort(), [name, `${name}.json`]);
  assert.deepEqual(imageSize(readFileSync(join(folder, name))), { width: 256, height: 256, type: "png" });
  const facts = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as PictureFacts;
  assert.deepEqual(facts, {
    v: 1,
    prompt: "a red fox",
    model: "canvas",
    seed: null,
    costUsd: 0.01,
    isPlayMoney: false,
    at: "2026-11-22T02:13:05.000Z",
    way: "generate",
    width: 256,
    height: 256,
    service: "Sandbox",
    isBlurred: false,
    choices: { size: "256x256", moderation: "auto" },
    inputs: [],
  });
  assert.equal(state().outcome?.text, `Saved as ${name}, $0.01.`);
  assert.deepEqual(reported.at(-1), { v: 1, type: "reveal", name });
  await controller.handle(make);
  assert.ok(
    readdirSync(folder).includes("20261122-021305-a-red-fox-2.png"),
    "the first one is not written over",
  );
});

test("both spellings of safety go out, and what the service found is said", async (t) => {
  const { service, folder, controller, state } = await studioOf(t, { draft: { prompt: "nude study" } });
  await controller.handle(make);
  assert.match(state().outcome?.text ?? "", /The service blurred this picture: it found adult content/);
  assert.equal((await controller.folder?.gallery.items(0, 1))?.[0]?.facts?.isBlurred, true);
  const draft: StudioDraft = { ...state().draft, blursAdult: false };
  await controller.handle({ v: 1, type: "draft", body: { draft: { ...draft, format: "", quality: "" } } });
  await controller.handle(make);
  assert.doesNotMatch(state().outcome?.text ?? "", /blurred/);
  controller.add([{ name: "a.png", data: png(256, 256) }]);
  await controller.handle(make);
  const bodies = service.requests.filter(({ method }) => method === "POST").map(({ bodyText }) => bodyText);
  assert.deepEqual(
    bodies.map((body) => (JSON.parse(body) as { moderation?: string; safe_mode?: unknown }).moderation),
    ["auto", "low", undefined],
  );
  assert.match(bodies[2] ?? "", /"safe_mode":"?false/);
  const stored = readdirSync(folder).length;
  controller.add([]);
  await controller.handle({ v: 1, type: "removeLayer", body: { id: state().layers[0]?.id ?? "" } });
  await controller.handle({
    v: 1,
    type: "draft",
    body: { draft: { ...draft, prompt: "content-violation" } as never },
  });
  await controller.handle(make);
  assert.equal(state().outcome?.kind, "blocked");
  assert.equal(readdirSync(folder).length, stored, "a black square is not kept");
});

test("what is refused on an edit is said with the prompt that the service proposes", async (t) => {
  const { controller, state } = await studioOf(t, { draft: { prompt: "content-violation" } });
  controller.add([{ name: "a.png", data: png(256, 256) }]);
  await controller.handle(make);
  const { outcome } = state();
  assert.equal(outcome?.kind, "failed");
  assert.equal(outcome?.suggestion, "Describe the change without the forbidden content");
  await controller.handle({ v: 1, type: "useSuggestion", body: {} });
  assert.equal(state().draft.prompt, outcome?.suggestion);
});

test("the sandbox's money is called play money on the button, in words and beside the picture", async (t) => {
  const { api } = await studioOf(t);
  const service = async () => ({ name: "Sandbox", api, dialect: dialects.standard, isSandbox: true });
  const { controller, state, folder } = await studioOf(t, { draft: { prompt: "a tree" }, deps: { service } });
  assert.equal(state().price, "$0.01 play money");
  await controller.handle(make);
  assert.match(state().outcome?.text ?? "", /, \$0\.01 play money\./);
  const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".json"));
  assert.equal(parseFacts(readFileSync(join(folder, name), "utf8"))?.isPlayMoney, true);
});

test("what failed at one service is gone when another one is chosen, or none", async (t) => {
  const { service, controller, state } = await studioOf(t, { draft: { prompt: "a tree" } });
  service.setFaults([{ kind: "status", status: 402, match: { path: "/images/generations" } }]);
  await controller.handle(make);
  assert.equal(state().outcome?.kind, "failed");
  await controller.serviceChanged();
  assert.equal(state().outcome, null);
});

for (const dialect of ["standard", "venice"] as const) {
  test(`edits of one to three pictures go to their routes, in order (${dialect})`, async (t) => {
    const { service, controller, state } = await studioOf(t, {
      dialect,
      draft: { prompt: "warmer", quality: "low" },
    });
    controller.add([{ name: "base.png", data: png(256, 256, 10) }]);
    assert.deepEqual([state().way, state().model, state().price], ["edit", "retouch", "$0.04"]);
    await controller.handle(make);
    assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
    controller.add([
      { name: "second.png", data: png(256, 256, 20) },
      { name: "third.png", data: png(256, 256, 30) },
    ]);
    assert.deepEqual([state().way, state().model, state().price], ["combine", "retouch-layers", "$0.04"]);
    const third = state().layers[2];
    await controller.handle({ v: 1, type: "moveLayer", body: { id: third?.id ?? "", to: 0 } });
    await controller.handle(make);
    assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
    const sent = service.requests.find(({ path }) => path.endsWith("/image/multi-edit"));
    const body = JSON.parse(sent?.bodyText ?? "") as { images: string[]; quality: string; modelId: string };
    assert.deepEqual([body.quality, body.modelId], ["low", "retouch-layers"]);
    const levels = body.images.map((image) => decode(Buffer.from(image, "base64")).data[0]);
    assert.deepEqual(levels, [30, 10, 20]);
    assert.equal(service.requests.filter(({ path }) => path.endsWith("/image/edit")).length, 1);
  });
}

for (const [dialect, most] of [
  ["standard", 3],
  ["venice", 6],
] as const) {
  test(`as many pictures go together as the model and the dialect take: ${most} (${dialect})`, async (t) => {
    const { service, controller, state } = await studioOf(t, { dialect, draft: { prompt: "warmer" } });
    assert.equal(state().mostLayers, most);
    const pictures = Array.from({ length: most }, (_, at) => ({
      name: `${at}.png`,
      data: png(256, 256, at * 20),
    }));
    controller.add(pictures);
    controller.add([{ name: "more.png", data: png(256, 256) }]);
    assert.equal(state().layers.length, most);
    assert.match(state().outcome?.text ?? "", new RegExp(`at most ${most} pictures`));
    const last = state().layers.at(-1)?.id ?? "";
    await controller.handle({ v: 1, type: "moveLayer", body: { id: last, to: most - 2 } });
    assert.equal(state().layers[most - 2]?.id, last);
    await controller.handle(make);
    assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
    const sent = service.requests.find(({ path }) => path.endsWith("/image/multi-edit"));
    assert.equal((JSON.parse(sent?.bodyText ?? "") as { images: string[] }).images.length, most);
  });
}

test("pictures of an earlier session that are too many by now are all kept, and it says how many go", async (t) => {
  const { service, controller, state } = await studioOf(t, { draft: { prompt: "warmer" } });
  controller.restore(
    Array.from({ length: 5 }, (_, at) => ({
      id: `l${at}`,
      name: `${at}.png`,
      data: png(256, 256),
      isMask: false,
    })),
  );
  await controller.handle(make);
  assert.equal(state().layers.length, 5);
  assert.match(state().problem, /at most 3 pictures at once.*there are 5\. Remove some\./);
  assert.ok(service.requests.every(({ method }) => method === "GET"));
});

test("a better prompt is offered for edits where the service has that, and sent only when it was chosen", async (t) => {
  const sentOf = async (dialect: "standard" | "venice", enhances: boolean) => {
    const { service, controller, state } = await studioOf(t, {
      dialect,
      draft: { prompt: "warmer", enhances },
    });
    assert.equal(state().controls.takesEnhancing, false, "not for pictures from words");
    controller.add([{ name: "a.png", data: png(256, 256) }]);
    await controller.handle(make);
    assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
    const sent = service.requests.find(({ path }) => path.endsWith("/image/edit"));
    return [state().controls.takesEnhancing, sent?.bodyText.includes("enhance_prompt")];
  };
  assert.deepEqual(await sentOf("standard", true), [false, false]);
  assert.deepEqual(await sentOf("venice", true), [true, true]);
  assert.deepEqual(await sentOf("venice", false), [true, false]);
});

test("quality is offered where it is honoured: not for one picture on venice", async (t) => {
  const offers = async (dialect: "standard" | "venice") => {
    const { controller, state } = await studioOf(t, { dialect, draft: { editModel: "retouch-layers" } });
    controller.add([{ name: "a.png", data: png(256, 256) }]);
    return state().controls.qualities;
  };
  assert.deepEqual(await offers("standard"), ["low", "medium", "high"]);
  assert.deepEqual(await offers("venice"), []);
});

test("nothing that breaks a rule is sent; the sentence names rule and value", async (t) => {
  const { service, controller, state, asked } = await studioOf(t, { draft: { prompt: "x".repeat(1501) } });
  const posts = () => service.requests.filter(({ method }) => method === "POST").length;
  const refused = async (said: RegExp) => {
    await controller.handle(make);
    assert.match(state().problem, said);
    assert.match(state().outcome?.text ?? "", said);
  };
  await refused(/at most 1,500 characters; this one has 1,501/);
  await controller.handle({
    v: 1,
    type: "draft",
    body: { draft: { ...state().draft, prompt: " " } as never },
  });
  await refused(/Enter a prompt that describes the picture/);
  await controller.handle({
    v: 1,
    type: "draft",
    body: { draft: { ...state().draft, prompt: "fine" } as never },
  });
  controller.add([{ name: "tiny.png", data: png(10, 10) }]);
  await refused(/tiny\.png: A picture needs at least 65,536 pixels; this one has 10 × 10 = 100/);
  await controller.handle({ v: 1, type: "removeLayer", body: { id: state().layers[0]?.id ?? "" } });
  controller.add([{ name: "b.gif", data: Buffer.from("474946383961000400040000", "hex") }]);
  await refused(/content is GIF/);
  assert.deepEqual([posts(), asked.length], [0, 0]);
});

test("a mask stands behind the pictures, is replaced by a newer one, and goes with its base", async (t) => {
  const { controller, state } = await studioOf(t);
  const mask = (level: number) =>
    controller.handle({
      v: 1,
      type: "mask",
      body: { bytes: png(256, 256, level) as Uint8Array<ArrayBuffer> },
    });
  controller.add([{ name: "base.png", data: png(256, 256) }]);
  await mask(0);
  const [, first] = state().layers;
  await mask(255);
  const [base, second] = state().layers;
  assert.deepEqual([state().layers.length, second?.isMask], [2, true]);
  assert.notEqual(second?.id, first?.id);
  await controller.handle({ v: 1, type: "moveLayer", body: { id: second?.id ?? "", to: 0 } });
  await controller.handle({
    v: 1,
    type: "draft",
    body: { draft: { ...state().draft, prompt: "fine" } as never },
  });
  assert.match(state().problem, /so it can't be a mask/);
  await controller.handle({ v: 1, type: "moveLayer", body: { id: second?.id ?? "", to: 1 } });
  await controller.handle({ v: 1, type: "removeLayer", body: { id: base?.id ?? "" } });
  assert.deepEqual(state().layers, []);
});

test("a picture that could not be written is not lost", async (t) => {
  const folder = tempFolder(t);
  const disk = diskFiles(folder);
  let isFull = true;
  const create: typeof disk.create = async (name, data) => {
    if (isFull) throw new Error("no space left on the disk");
    return disk.create(name, data);
  };
  const gallery = createGallery({ ...disk, create }, imageSchemas.parseFacts);
  const ensureFolder = async () => ({ gallery, label: "pictures", id: folder });
  const {
    controller,
    state,
    told: reported,
  } = await studioOf(t, { draft: { prompt: "kept" }, deps: { ensureFolder } });
  await controller.handle(make);
  const { outcome } = state();
  assert.equal(outcome?.kind, "unsaved");
  assert.match(outcome?.text ?? "", /could not be saved: no space left on the disk/);
  await controller.handle({
    v: 1,
    type: "want",
    body: { of: { kind: "picture", name: outcome?.picture ?? "" } },
  });
  const last = reported.at(-1);
  assert.ok(last?.type === "bytes" && last.data && imageSize(last.data)?.width === 256);
  await controller.handle({ v: 1, type: "saveAgain", body: {} });
  assert.equal(state().outcome?.kind, "unsaved");
  isFull = false;
  await controller.handle({ v: 1, type: "saveAgain", body: {} });
  assert.equal(state().outcome?.kind, "kept");
  assert.equal(controller.unsaved, undefined);
  assert.equal(readdirSync(folder).length, 2);
});

test("stopping ends the request and says what it may have cost", async (t) => {
  const { service, controller, state } = await studioOf(t, { draft: { prompt: "slow", size: "1792x1024" } });
  const arrived = service.nextRequest({ path: "/images/generations" });
  const making = controller.handle(make);
  const request = await arrived;
  assert.equal(state().run?.phase, "waiting");
  await controller.handle({ v: 1, type: "stop", body: {} });
  await making;
  await request.ended;
  assert.equal(request.aborted, true);
  assert.equal(state().run, null);
  assert.match(state().outcome?.text ?? "", /^Stopped\. The service may still charge/);
});

test("no name of a picture leads out of its folder", () => {
  const said = (type: string, body: object) => imageSchemas.parseFromStudio({ v: 1, type, body });
  const types = ["openPicture", "saveAs", "reuse", "remove", "addPicture"];
  for (const type of types) assert.ok(said(type, { name: "20261122-a fox (1).png" }), type);
  for (const name of ["../a.png", "a/../../b.png", "..", ".", "..\\a.png", "/etc/passwd"]) {
    for (const type of types) assert.equal(said(type, { name }), undefined, `${type} ${name}`);
    assert.equal(said("want", { of: { kind: "picture", name } }), undefined);
    assert.equal(said("copy", { name, as: "path" }), undefined);
  }
});

test("what is said of the pictures to edit goes once they are others", async (t) => {
  const { controller, state } = await studioOf(t);
  controller.add(Array.from({ length: 20 }, (_, index) => ({ name: `${index}.png`, data: png(256, 256) })));
  assert.match(state().outcome?.text ?? "", /An edit takes at most \d+ pictures/);
  await controller.handle({ v: 1, type: "removeLayer", body: { id: state().layers[0]?.id ?? "" } });
  assert.equal(state().outcome, null);
  controller.showError("Something else.");
  await controller.handle({ v: 1, type: "removeLayer", body: { id: state().layers[0]?.id ?? "" } });
  assert.equal(state().outcome?.text, "Something else.");
});

test("New empties words and pictures, which can be brought back", async (t) => {
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

test("the gallery is searched by prompt, model and name, also after another picture has come", async (t) => {
  const { controller, told: reported } = await studioOf(t);
  for (const prompt of ["a red fox", "a lake", "a fox by a lake"]) {
    await controller.handle({
      v: 1,
      type: "draft",
      body: { draft: { ...draftOf(reported), prompt } as never },
    });
    await controller.handle(make);
  }
  const sizes = () =>
    reported.flatMap((message) => (message.type === "gallery" ? [message.size] : [])).at(-1);
  const version = () =>
    reported.flatMap((message) => (message.type === "gallery" ? [message.version] : [])).at(-1);
  await controller.handle({ v: 1, type: "search", body: { text: "FOX  canvas" } });
  assert.equal(sizes(), 2);
  await controller.handle({ v: 1, type: "items", body: { version: version() ?? 0, from: 0, count: 10 } });
  const items = reported.findLast((message) => message.type === "items");
  const words = items?.type === "items" ? items.items.map(({ facts }) => facts?.prompt) : [];
  assert.deepEqual(words.sort(), ["a fox by a lake", "a red fox"]);
  await controller.handle({
    v: 1,
    type: "draft",
    body: { draft: { ...draftOf(reported), prompt: "fox" } as never },
  });
  await controller.handle(make);
  assert.equal(sizes(), 3);
  await controller.handle({ v: 1, type: "search", body: { text: " " } });
  assert.equal(sizes(), 4);
});

function draftOf(reported: readonly ToStudio[]): StudioDraft {
  const last = reported.findLast((message) => message.type === "state");
  if (last?.type !== "state") throw new Error("nothing was told");
  return last.state.draft;
}

test("a request that the window cut is told of by the next one, with what it may have cost", async (t) => {
  const keep = createLayerStore(tempFolder(t));
  const first = await studioOf(t, { draft: { prompt: "a red fox" }, deps: { saveNote: keep.saveNote } });
  const arrived = first.service.nextRequest({ path: "/images/generations" });
  const made = first.controller.handle(make);
  await arrived;
  first.controller.stop();
  await made;
  const left = { strokes: undefined, request: await keep.readNote("request") };
  const second = await studioOf(t, { deps: { saveNote: keep.saveNote } });
  second.controller.restore([], left);
  const { kind, text = "" } = second.state().outcome ?? {};
  assert.equal(kind, "failed");
  assert.match(
    text,
    /“a red fox” was being generated, so the picture was lost\. .* may have charged \$0\.01/,
  );
  await second.controller.serviceChanged();
  assert.equal(second.state().outcome?.text, text, "whichever service is chosen by now");
  assert.notEqual(await keep.readNote("request"), undefined, "until it was read");
  await second.controller.handle({ v: 1, type: "dismiss", body: {} });
  assert.equal(await keep.readNote("request"), undefined);
});

test("a request that was answered or stopped leaves nothing, and strokes are there again", async (t) => {
  const keep = createLayerStore(tempFolder(t));
  const { controller } = await studioOf(t, {
    draft: { prompt: "a red fox" },
    deps: { saveNote: keep.saveNote },
  });
  await controller.handle(make);
  assert.equal(await keep.readNote("request"), undefined);
  const strokes = {
    base: "1",
    steps: [{ kind: "brush", radius: 3, points: [[1, 2]] }, { kind: "invert" }],
    isOpen: true,
  } as const;
  await controller.handle({ v: 1, type: "strokes", body: { strokes: strokes as never } });
  await keep.save([]);
  assert.deepEqual(imageSchemas.parseStrokes(await keep.readNote("strokes")), strokes);
  const next = await studioOf(t);
  next.controller.restore([], { strokes, request: undefined });
  await next.controller.handle({ v: 1, type: "ready", body: {} });
  assert.ok(next.told.some((message) => message.type === "strokes" && message.strokes === strokes));
});
