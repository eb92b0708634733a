// The studio with the real sandbox over HTTP: requests, stored files, messages.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dialects } from "../../../../../src/api/dialect/dialect.ts";
import { imageSize } from "../../../../../src/api/imageSize.ts";
import { createGallery } from "../../../../../src/images/host/gallery/gallery.ts";
import { imageSchemas, parseFacts } from "../../../../../src/images/host/imageSchemas.ts";
import type { PictureFacts, StudioDraft } from "../../../../../src/images/protocol/studioState.ts";
import { diskFiles, make, png, studioOf, tempFolder } from "../studioOf.ts";

test("requests an image with the chosen settings only, stores it with its facts, and shows it", async (t) => {
  const {
    service,
    folder,
    controller,
    posted: reported,
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
  assert.deepEqual(imageSize(readFileSync(join(folder, name))), {
    width: 256,
    height: 256,
    type: "png",
    isTurned: false,
  });
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
    "the first one is not overwritten",
  );
});

test("sends both spellings of the safety setting, and reports the service's findings", async (t) => {
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
  assert.equal(readdirSync(folder).length, stored, "a black square is not stored");
});

test("calls the sandbox's money play money on the button, in messages and beside the image", async (t) => {
  const { api } = await studioOf(t);
  const service = async () => ({ name: "Sandbox", api, dialect: dialects.standard, isSandbox: true });
  const { controller, state, folder } = await studioOf(t, { draft: { prompt: "a tree" }, deps: { service } });
  assert.equal(state().price, "$0.01 play money");
  await controller.handle(make);
  assert.match(state().outcome?.text ?? "", /, \$0\.01 play money\./);
  const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".json"));
  assert.equal(parseFacts(readFileSync(join(folder, name), "utf8"))?.isPlayMoney, true);
});

test("removes a failure when another service or none is chosen", async (t) => {
  const { service, controller, state } = await studioOf(t, { draft: { prompt: "a tree" } });
  service.setFaults([{ kind: "status", status: 402, match: { path: "/images/generations" } }]);
  await controller.handle(make);
  assert.equal(state().outcome?.kind, "failed");
  await controller.serviceChanged();
  assert.equal(state().outcome, null);
});

test("sends nothing that breaks a rule; the message names rule and value", async (t) => {
  const { service, controller, state, asked } = await studioOf(t, { draft: { prompt: "x".repeat(1501) } });
  const posts = () => service.requests.filter(({ method }) => method === "POST").length;
  const refused = async (pattern: RegExp) => {
    await controller.handle(make);
    assert.match(state().problem, pattern);
    assert.match(state().outcome?.text ?? "", pattern);
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

test("keeps an image that could not be written", async (t) => {
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
    posted: reported,
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

test("stopping aborts the request and names its possible cost", async (t) => {
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
