// Edits of images with the real sandbox over HTTP.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode } from "fast-png";
import { encodePng } from "../../../../../src/sandbox/images/codecs/png.ts";
import { upright } from "../../../../../src/sandbox/images/drawing/upright.ts";
import { decodePicture } from "../../../../../src/sandbox/images/edit.ts";
import { assertRefused } from "../../../sandbox/sandboxMedia.ts";
import { cmykJpeg, exifSegment, jpegWith, quarters, tiff } from "../cameraFiles.ts";
import { make, png, studioOf } from "../studioOf.ts";

test("reports a refused edit with the prompt that the service suggests", async (t) => {
  const { controller, state } = await studioOf(t, { draft: { prompt: "content-violation" } });
  controller.add([{ name: "a.png", data: png(256, 256) }]);
  await controller.handle(make);
  const { outcome } = state();
  assert.equal(outcome?.kind, "failed");
  assert.equal(outcome?.suggestion, "Describe the change without the forbidden content");
  await controller.handle({ v: 1, type: "useSuggestion", body: {} });
  assert.equal(state().draft.prompt, outcome?.suggestion);
});

for (const dialect of ["standard", "venice"] as const) {
  test(`sends edits of one to three images to their routes, in order (${dialect})`, async (t) => {
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
  test(`accepts as many images as model and dialect support: ${most} (${dialect})`, async (t) => {
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

test("keeps all images of an earlier session above the limit, and reports how many are sent", async (t) => {
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

test("offers a better prompt for edits if supported, and sends it only if chosen", async (t) => {
  const sentOf = async (dialect: "standard" | "venice", enhances: boolean) => {
    const { service, controller, state } = await studioOf(t, {
      dialect,
      draft: { prompt: "warmer", enhances },
    });
    assert.equal(state().controls.takesEnhancing, false, "not for text to image");
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

test("offers quality if supported: not for one image on venice", async (t) => {
  const offers = async (dialect: "standard" | "venice") => {
    const { controller, state } = await studioOf(t, { dialect, draft: { editModel: "retouch-layers" } });
    controller.add([{ name: "a.png", data: png(256, 256) }]);
    return state().controls.qualities;
  };
  assert.deepEqual(await offers("standard"), ["low", "medium", "high"]);
  assert.deepEqual(await offers("venice"), []);
});

test("a mask follows the images, is replaced by a newer one, and is removed with its base", async (t) => {
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

test("removes messages about the images to edit once these change", async (t) => {
  const { controller, state } = await studioOf(t);
  controller.add(Array.from({ length: 20 }, (_, index) => ({ name: `${index}.png`, data: png(256, 256) })));
  assert.match(state().outcome?.text ?? "", /An edit takes at most \d+ pictures/);
  await controller.handle({ v: 1, type: "removeLayer", body: { id: state().layers[0]?.id ?? "" } });
  assert.equal(state().outcome, null);
  controller.showError("Something else.");
  await controller.handle({ v: 1, type: "removeLayer", body: { id: state().layers[0]?.id ?? "" } });
  assert.equal(state().outcome?.text, "Something else.");
});

test("a turned photo has the size that a person sees, and is sent once the page has drawn it upright", async (t) => {
  const { service, controller, state } = await studioOf(t, { draft: { prompt: "monochrome" } });
  const photo = await jpegWith(quarters(400, 300), exifSegment(tiff(6)));
  controller.add([{ name: "photo.jpg", data: photo }]);
  const [layer] = state().layers;
  assert.deepEqual([layer?.width, layer?.height, layer?.pixels], [300, 400, "redraw"]);
  assert.equal(state().problem, "photo.jpg is being converted.");
  await controller.handle(make);
  assert.equal(service.requests.filter(({ path }) => path.includes("/image/")).length, 0);

  const drawn = new Uint8Array(encodePng(upright(quarters(400, 300), 6)));
  await controller.handle({ v: 1, type: "replaceLayer", body: { id: layer?.id ?? "", bytes: drawn } });
  const after = state().layers[0];
  assert.deepEqual([after?.width, after?.height, after?.pixels], [300, 400, "plain"]);
  assert.equal(state().problem, "");
});

test("the painted left quarter of a turned photo is what changes", async (t) => {
  const { controller, state, gallery } = await studioOf(t, {
    draft: { prompt: "make it black and white", format: "png" },
  });
  controller.add([{ name: "photo.jpg", data: await jpegWith(quarters(400, 300), exifSegment(tiff(6))) }]);
  const drawn = upright(quarters(400, 300), 6);
  await controller.handle({
    v: 1,
    type: "replaceLayer",
    body: { id: state().layers[0]?.id ?? "", bytes: new Uint8Array(encodePng(drawn)) },
  });
  const { width, height } = drawn;
  const mask = encode({
    width,
    height,
    channels: 1,
    data: Uint8Array.from({ length: width * height }, (_, index) => (index % width < width / 4 ? 255 : 0)),
  });
  await controller.handle({ v: 1, type: "mask", body: { bytes: new Uint8Array(mask) } });
  await controller.handle(make);
  assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
  const result = decode((await gallery.read(state().outcome?.picture ?? "")) ?? new Uint8Array());
  const isGrey = (x: number, y: number) => {
    const index =
      (Math.floor(y * result.height) * result.width + Math.floor(x * result.width)) * result.channels;
    const [red = 0, green = 0, blue = 0] = result.data.subarray(index, index + 3);
    return red === green && green === blue;
  };
  assert.ok(result.height > result.width);
  for (const y of [0.1, 0.9]) {
    assert.equal(isGrey(0.05, y), true);
    assert.equal(isGrey(0.2, y), true);
    assert.equal(isGrey(0.3, y), false);
    assert.equal(isGrey(0.9, y), false);
  }
});

test("a mask that was painted over a turned photo by an earlier version goes with its pixels", async (t) => {
  const { controller, state } = await studioOf(t, { draft: { prompt: "warmer" } });
  const photo = await jpegWith(quarters(400, 300), exifSegment(tiff(6)));
  controller.restore([
    { id: "00000000-0000-4000-8000-000000000001", name: "photo.jpg", isMask: false, data: photo },
    { id: "00000000-0000-4000-8000-000000000002", name: "Mask", isMask: true, data: png(400, 300) },
  ]);
  const bytes = new Uint8Array(encodePng(upright(quarters(400, 300), 6)));
  await controller.handle({
    v: 1,
    type: "replaceLayer",
    body: { id: "00000000-0000-4000-8000-000000000001", bytes },
  });
  assert.deepEqual(
    state().layers.map(({ name }) => name),
    ["photo.jpg"],
  );
});

test("a picture that the page can't draw is refused by name with the reason, and the rest can be sent without it", async (t) => {
  const { controller, state } = await studioOf(t, { draft: { prompt: "warmer" } });
  controller.add([{ name: "scan.jpg", data: cmykJpeg(640, 320, 0xc1, 12) }]);
  await controller.handle({ v: 1, type: "undrawable", body: { id: state().layers[0]?.id ?? "" } });
  assert.match(
    state().problem,
    /^scan\.jpg: It is a 12-bit JPEG, which can't be converted here\. Save it as a usual JPEG/,
  );
});

test("the card of a refused request goes with the picture", async (t) => {
  const { controller, state } = await studioOf(t, { draft: { prompt: "warmer" } });
  const cut = png(256, 256).subarray(0, 100);
  controller.add([{ name: "cut.png", data: cut }]);
  await controller.handle(make);
  assert.equal(state().outcome?.kind, "failed");
  await controller.handle({ v: 1, type: "removeLayer", body: { id: state().layers[0]?.id ?? "" } });
  assert.equal(state().outcome, null);
});

test("the sandbox says what a rare JPEG is, not that it is damaged", async () => {
  for (const [bytes, kind] of [
    [cmykJpeg(640, 320), "CMYK"],
    [cmykJpeg(640, 320, 0xc1, 12), "12-bit"],
    [cmykJpeg(640, 320, 0xc3), "lossless"],
    [cmykJpeg(640, 320, 0xc9), "arithmetic-coded"],
    [cmykJpeg(640, 320, 0xca), "arithmetic-coded"],
  ] as const)
    await assertRefused(
      () => decodePicture(bytes, ["images", 1]),
      "images.1",
      new RegExp(`is a ${kind} JPEG`),
    );
});

test("sends a photo without the place and the device that its file names", async (t) => {
  const { service, controller, state } = await studioOf(t, { draft: { prompt: "warmer" } });
  const exif = Buffer.concat([tiff(1), Buffer.from("Apple iPhone GPS 48.8583N")]);
  const photo = await jpegWith(quarters(400, 300), exifSegment(exif));
  controller.add(["photo.jpg", "other.jpg"].map((name) => ({ name, data: new Uint8Array(photo) })));
  await controller.handle(make);
  assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
  const sent = service.requests.find(({ path }) => path.endsWith("/image/multi-edit"));
  const { images } = JSON.parse(sent?.bodyText ?? "") as { images: string[] };
  assert.equal(images.length, 2);
  for (const image of images) {
    const received = Buffer.from(image, "base64");
    assert.doesNotMatch(received.toString("latin1"), /iPhone|GPS|Exif/);
    assert.deepEqual(await decodePicture(received, []), await decodePicture(photo, []));
  }
});
