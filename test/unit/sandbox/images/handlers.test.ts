// Image requests over HTTP: invalid ones are refused by field and rule, in both dialects.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { imageDimensionsFromData } from "image-dimensions";
import { drawPicture } from "../../../../src/sandbox/images/generate.ts";
import { editImage, generateImage, multiEditImage } from "../../../../src/sandbox/images/handlers.ts";
import { imageFormatOf } from "../../../../src/sandbox/images/inputImage.ts";
import { pngHead } from "../../../contract/rows/images/pictures.ts";
import { type Loopback, listen } from "../../../loopback/server.ts";
import { assertRefused, bytesIn, call, jsonIn, mediaState, part, refusalOf } from "../sandboxMedia.ts";

const standard = mediaState();
const venice = mediaState("venice");
let photo: Uint8Array;
let encoded: string;

before(async () => {
  const size = { width: 384, height: 256 };
  const drawing = {
    prompt: "a blue sea",
    seed: 0,
    size,
    format: "jpeg",

    finding: "fine",
  } as const;
  photo = (await drawPicture(drawing)).bytes;
  encoded = Buffer.from(photo).toString("base64");
});

const generate = (input: object, state = standard) =>
  call(generateImage, state, { prompt: "a cat", ...input });
const edit = (input: object, state = standard) =>
  call(editImage, state, { prompt: "warmer", image: encoded, ...input });
const multiEdit = (input: object, state = standard) =>
  call(multiEditImage, state, { prompt: "warmer", images: [encoded], ...input });

describe("generation", () => {
  test("returns base64 or a data URL, as requested", async () => {
    const whole = await generate({ size: "512x512", output_format: "webp", model: "canvas" });
    const { created, data } = jsonIn(whole) as { created: number; data: { b64_json: string }[] };
    assert.equal(created, 1_790_000_000);
    assert.equal(data.length, 1);
    const bytes = Buffer.from(data[0]?.b64_json ?? "", "base64");
    assert.equal(imageFormatOf(bytes), "webp");
    assert.deepEqual(imageDimensionsFromData(bytes), { width: 512, height: 512, type: "webp" });
    const linked = jsonIn(await generate({ size: "256x256", response_format: "url" })) as {
      data: { url: string }[];
    };
    assert.match(linked.data[0]?.url ?? "", /^data:image\/png;base64,iVBORw0KGgo/);
  });

  test("is a PNG of 1024 × 1024 by default, and uses the default model for an unknown one", async () => {
    const bodies = await Promise.all(
      [{}, { size: "auto" }, { model: "no-such-model" }].map((input) => generate(input)),
    );
    const [first, ...rest] = bodies.map(
      (body) => (jsonIn(body) as { data: { b64_json: string }[] }).data[0]?.b64_json,
    );
    assert.deepEqual(imageDimensionsFromData(Buffer.from(first ?? "", "base64")), {
      width: 1024,
      height: 1024,
      type: "png",
    });
    assert.deepEqual(rest, [first, first]);
  });

  const broken: Record<string, object> = {
    prompt: { prompt: "" },
    "prompt ": { prompt: "x".repeat(1501) },
    "prompt  ": { prompt: undefined },
    n: { n: 2 },
    size: { size: "100x100" },
    output_format: { output_format: "gif" },
    response_format: { response_format: "bytes" },
    moderation: { moderation: "high" },
    background: { background: "red" },
    output_compression: { output_compression: 101 },
    "output_compression ": { output_compression: 1.5 },
    quality: { quality: "best" },
    style: { style: "cubist" },
    user: { user: 7 },
    model: { model: 7 },
    "": { negative_prompt: "unknown member" },
  };
  for (const [field, input] of Object.entries(broken)) {
    test(`refuses ${JSON.stringify(input).slice(0, 40)}`, () =>
      assertRefused(() => generate(input), field.trim()));
  }

  test("accepts a prompt of 1500 characters, and every unused member", async () => {
    const unused = {
      background: "transparent",
      output_compression: 0,
      quality: "hd",
      style: "vivid",
      user: "me",
    };
    const { status } = await generate({ prompt: "x".repeat(1500), size: "256x256", n: 1, ...unused });
    assert.equal(status, 200);
  });

  test("reports blurred and blank images in the headers of each dialect", async () => {
    const said = async (input: object, state = standard) =>
      (await generate({ size: "256x256", ...input }, state)).headers;
    const nothing = { "x-service-is-blurred": "false", "x-service-is-content-violation": "false" };
    assert.deepEqual(await said({}), nothing);
    assert.deepEqual(await said({ prompt: "nsfw", moderation: "low" }), nothing);
    assert.deepEqual(await said({ prompt: "a nude" }), { ...nothing, "x-service-is-blurred": "true" });
    assert.deepEqual(await said({ prompt: "content-violation", moderation: "low" }, venice), {
      "x-venice-is-blurred": "false",
      "x-venice-is-content-violation": "true",
    });
  });
});

describe("edits", () => {
  test("accept a file, base64 text and a data URL, and reply with the file", async () => {
    for (const image of [part(photo), encoded, `data:image/jpeg;base64,${encoded}`]) {
      const reply = await edit({ image });
      const bytes = await bytesIn(reply);
      assert.equal(imageFormatOf(bytes), "png");
      assert.equal(reply.body.kind === "bytes" && reply.body.length, bytes.length);
      const { width = 0, height = 1 } = imageDimensionsFromData(bytes) ?? {};
      assert.ok(Math.abs(width / height - 1.5) < 0.01);
    }
  });

  test("fetch an image by its URL, and refuse one that can't be fetched", async (t) => {
    const server: Loopback = await listen(({ url }, response) => {
      response.writeHead(url === "/photo" ? 200 : 404, { "content-type": "image/jpeg" }).end(photo);
    });
    t.after(() => server.close());
    assert.equal((await multiEdit({ images: [`${server.origin}/photo`] })).status, 200);
    await assertRefused(
      () => multiEdit({ images: [encoded, `${server.origin}/none`], modelId: "retouch-layers" }),
      "images.1",
      /404/,
    );
    await assertRefused(() => edit({ image: "http://10.0.0.1/x.png" }), "image", /not public/);
  });

  test("are PNG at 1K and JPEG above by default", async () => {
    const layered = { model: "retouch-layers" };
    const format = async (input: object) =>
      imageFormatOf(await bytesIn(await edit({ ...layered, ...input })));
    assert.equal(await format({}), "png");
    assert.equal(await format({ resolution: "2K" }), "jpeg");
    assert.equal(await format({ output_format: "jpg" }), "jpeg");
    assert.equal(await format({ resolution: "2K", output_format: "webp" }), "webp");
  });

  test("have exactly the requested ratio; a multi-edit without one has the closest", async () => {
    const size = async (reply: ReturnType<typeof edit>) =>
      imageDimensionsFromData(await bytesIn(await reply));
    const { width, height } = (await size(edit({ aspect_ratio: "21:9" }))) ?? { width: 0, height: 1 };
    assert.equal(width * 9, height * 21);
    const closest = (await size(multiEdit({ aspect_ratio: "auto" }))) ?? { width: 0, height: 1 };
    assert.equal(closest.width * 2, closest.height * 3);
  });

  test("find the model by either name, and combine three images by default", async () => {
    assert.equal((await edit({ modelId: "retouch" })).status, 200);
    assert.equal((await multiEdit({ images: [encoded, encoded, encoded] })).status, 200);
    assert.equal((await refusalOf(() => edit({ model: "no-such-model" }))).status, 404);
    await assertRefused(() => edit({ modelId: "no-such-model" }), "modelId");
    await assertRefused(() => multiEdit({ modelId: "canvas" }), "modelId");
  });

  const both: Record<string, object> = {
    prompt: { prompt: "" },
    "prompt ": { prompt: "x".repeat(32_769) },
    aspect_ratio: { aspect_ratio: "5:4" },
    "aspect_ratio ": { aspect_ratio: "4:3" },
    output_format: { output_format: "gif" },
    quality: { quality: "best" },
    resolution: { resolution: "" },
    "resolution ": { resolution: "8K" },
    "resolution  ": { resolution: "12345678901" },
    safe_mode: { safe_mode: "yes" },
    "": { mask: "unknown member" },
  };
  for (const [field, input] of Object.entries(both)) {
    test(`refuse ${JSON.stringify(input).slice(0, 40)}`, async () => {
      await assertRefused(() => edit(input), field.trim());
      await assertRefused(() => multiEdit(input), field.trim());
    });
  }

  test("check the limits of each image, and accept one to three", async () => {
    await assertRefused(() => edit({ image: undefined }), "image");
    await assertRefused(() => edit({ image: "" }), "image");
    await assertRefused(() => edit({ image: Buffer.from("no image").toString("base64") }), "image");
    await assertRefused(() => edit({ image: part(new Uint8Array()) }), "image", /empty/);
    // By their headers: such a picture is never decoded.
    await assertRefused(() => edit({ image: part(pngHead(255, 257)) }), "image", /65535 pixels/);
    await assertRefused(() => edit({ image: part(pngHead(7680, 4321)) }), "image", /33185280 pixels/);
    await assertRefused(() => multiEdit({ images: [] }), "images");
    await assertRefused(() => multiEdit({ images: [encoded, encoded, encoded, encoded] }), "images");
    await assertRefused(
      () => multiEdit({ images: [encoded, encoded], modelId: "retouch" }),
      "images",
      /takes 1/,
    );
    await assertRefused(() => multiEdit({ images: [encoded, "%%%"] }), "images.1");
  });

  // Rules of a single dialect are checked before this handler: the contract suite tests them.
  test("accept a quality, and know no model on multi-edits", async () => {
    assert.equal((await edit({ quality: "low" })).status, 200);
    assert.equal((await multiEdit({ quality: "low" }, venice)).status, 200);
    await assertRefused(() => multiEdit({ model: "retouch" }, venice), "");
    await assertRefused(() => multiEdit({ model: "retouch" }), "");
  });

  test("blur adult content in safe mode, which is the default, and answer 422 to forbidden content", async () => {
    assert.equal((await edit({ prompt: "nsfw" })).headers["x-service-is-blurred"], "true");
    assert.equal((await edit({ prompt: "nsfw", safe_mode: false })).headers["x-service-is-blurred"], "false");
    assert.equal((await multiEdit({ prompt: "nsfw" }, venice)).headers["x-venice-is-blurred"], "true");
    const refusal = await refusalOf(() => edit({ prompt: "content-violation", safe_mode: false }));
    assert.equal(refusal.status, 422);
    assert.equal(typeof refusal.details.members?.suggested_prompt, "string");
  });
});
