// Prices of pictures, speech, documents, pages and search: those of the listing, and nothing for refusals.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseText } from "../../../../src/sandbox/documents/handlers.ts";
import { drawPicture } from "../../../../src/sandbox/images/generate.ts";
import {
  editImage,
  generateImage,
  imageUsd,
  multiEditImage,
} from "../../../../src/sandbox/images/handlers.ts";
import { scrapePage } from "../../../../src/sandbox/scrape/handlers.ts";
import { searchWeb } from "../../../../src/sandbox/search/handlers.ts";
import { mediaServices } from "../../../../src/sandbox/services.ts";
import { createSpeech, createVoice } from "../../../../src/sandbox/speech/handlers.ts";
import { listen } from "../../../loopback/server.ts";
import { bytesIn, call, charged, mediaState, part, refusalOf } from "../sandboxMedia.ts";

const size = { width: 256, height: 256 };
const drawing = { prompt: "sea", seed: 0, size, format: "png", finding: "fine" } as const;

test("search, scrape and text parser cost a flat 0.01 USD", async (t) => {
  const state = mediaState();
  const server = await listen(
    (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).end("x"),
  );
  t.after(() => server.close());
  await call(searchWeb, state, { query: "anything" });
  await call(scrapePage, state, { url: server.origin });
  await call(parseText, state, { file: part(Buffer.from("text")) });
  const expected = ["search", "scrape", "text-parser"].map((name) => [`augment-${name}`, 1, 0.01]);
  assert.deepEqual(charged(state), expected);
});

test("speech is priced by characters, not UTF-16 units, streamed or not", async () => {
  const state = mediaState();
  await call(createSpeech, state, { input: "Hi 😀.", model: "speaker" });
  await bytesIn(await call(createSpeech, state, { input: "Hello.", model: "narrator", streaming: true }));
  assert.deepEqual(charged(state), [
    ["speaker", 5, 0.0000175],
    ["narrator", 6, 0.000036],
  ]);
});

test("pictures are priced by model, resolution, tier and inputs", async () => {
  const state = mediaState();
  const image = Buffer.from((await drawPicture(drawing)).bytes).toString("base64");
  await call(generateImage, state, { prompt: "sea", size: "256x256", model: "canvas-large" });
  await call(generateImage, state, { prompt: "sea", size: "256x256", model: "unknown" });
  await call(editImage, state, { prompt: "warm", image });
  await call(multiEditImage, state, { prompt: "warm", images: [image] });
  const layered = { prompt: "warm", images: [image, image, image], modelId: "retouch-layers" };
  await call(multiEditImage, state, { ...layered, quality: "low", resolution: "2K" });
  assert.deepEqual(charged(state), [
    ["canvas-large", 1, 0.04],
    ["canvas", 1, 0.01],
    ["retouch", 1, 0.04],
    ["retouch-layers", 1, 0.08],
    ["retouch-layers", 1, 0.06],
  ]);
});

test("the most specific price of the listing applies", () => {
  const usd = (pricing: object, inputs = 1) =>
    imageUsd({ model_spec: { pricing } }, { resolution: "2K", quality: undefined, inputs });
  const leaf = (amount: number) => ({ usd: amount });
  assert.equal(usd({ generation: leaf(1), resolutions: { "2K": leaf(2) } }), 2);
  assert.equal(usd({ inpaint: leaf(1), resolutions: { "4K": leaf(2) } }), 1);
  assert.equal(usd({ inpaint: leaf(1), quality: { "2K": { low: leaf(3), high: leaf(4) } } }), 4);
  assert.equal(usd({ inpaint: leaf(1), inputImages: { included: 1, additional: leaf(0.5) } }, 3), 2);
  assert.equal(usd({}), 0);
});

test("refused and blank results, and uploads alone, are free", async () => {
  const state = mediaState();
  await refusalOf(() => call(generateImage, state, { prompt: "" }));
  await refusalOf(() => call(editImage, state, { prompt: "x", image: Buffer.from("no").toString("base64") }));
  await refusalOf(() => call(createSpeech, state, { input: "x", model: "speaker", response_format: "mp3" }));
  await refusalOf(() => call(parseText, state, { file: part(Buffer.from([0, 1, 2])) }));
  await refusalOf(() => call(scrapePage, state, { url: "http://10.0.0.1/" }));
  await refusalOf(() => call(searchWeb, state, { query: "" }));
  await refusalOf(() => call(createVoice, state, { file: part(Buffer.from("no")), model: "mimic" }));
  await call(generateImage, state, { prompt: "content-violation", size: "256x256" });
  assert.deepEqual(charged(state), []);
});

test("each route has its service, which validates its own input", () => {
  const services = Object.entries(mediaServices(mediaState().media));
  assert.equal(services.length, 9);
  assert.ok(services.every(([, { checksItself }]) => checksItself === true));
});
