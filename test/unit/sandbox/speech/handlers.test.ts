// Speech requests over HTTP: formats and voices per model, cloned voices bound to their model, every rule.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSpeech, createVoice } from "../../../../src/sandbox/speech/handlers.ts";
import { speak } from "../../../../src/sandbox/speech/speak.ts";
import { assertRefused, bytesIn, call, jsonIn, mediaState, part, refusalOf } from "../sandboxMedia.ts";

const standard = mediaState();
const text = "A long low mellow hum. And a second one.";
const speech = (input: object, state = standard) =>
  call(createSpeech, state, { input: text, model: "speaker", ...input });

/** Tones as long as the given text. */
async function sample(pitchHz: number, words = "a long low mellow hum, and more of it"): Promise<Uint8Array> {
  const order = {
    format: "wav",
    speed: 1,
    language: undefined,
    liveliness: 0,
    streaming: false,
    program: undefined,
  } as const;
  for await (const file of speak({ ...order, text: words, voice: { variant: "m3", pitchHz } })) return file;
  return new Uint8Array();
}

describe("speech", () => {
  test("has the model's own format by default, with its content type", async () => {
    const cases = [
      [{}, "audio/wav", /^RIFF/],
      [{ response_format: "pcm" }, "audio/pcm", /^/],
      [{ model: "narrator" }, "audio/mpeg", /^\xff\xf3/],
      [{ model: "mimic" }, "audio/opus", /^OggS/],
      [{ model: "mimic", response_format: "mp3" }, "audio/mpeg", /^\xff\xf3/],
    ] as const;
    for (const [input, contentType, magic] of cases) {
      const reply = await speech(input);
      const bytes = await bytesIn(reply);
      assert.equal(reply.body.kind === "bytes" && reply.body.contentType, contentType);
      assert.equal(reply.body.kind === "bytes" && reply.body.length, bytes.length);
      assert.match(bytes.toString("latin1", 0, 16), magic);
    }
  });

  test("is sent sentence by sentence when streamed, without a length, and is the same audio", async () => {
    const reply = await speech({ streaming: true, response_format: "pcm" });
    assert.equal(reply.body.kind === "bytes" && reply.body.length, undefined);
    const pieces: Uint8Array[] = [];
    if (reply.body.kind === "bytes") for await (const piece of reply.body.pieces) pieces.push(piece);
    assert.ok(pieces.length >= 2 && pieces.slice(0, 2).every(({ length }) => length > 20_000));
    assert.deepEqual(Buffer.concat(pieces), await bytesIn(await speech({ response_format: "pcm" })));
  });

  const broken: Record<string, object> = {
    input: { input: "" },
    "input ": { input: "x".repeat(4097) },
    "input  ": { input: undefined },
    model: { model: undefined },
    voice: { voice: "nobody" },
    "voice ": { voice: "dora" },
    "voice  ": { voice: "Ada" },
    "voice   ": { voice: "constructor" },
    response_format: { response_format: "ogg" },
    "response_format ": { response_format: "mp3" },
    "response_format  ": { model: "mimic", response_format: "flac" },
    "response_format   ": { model: "narrator", response_format: "flac" },
    speed: { speed: 0.2 },
    "speed ": { speed: 4.1 },
    streaming: { streaming: "yes" },
    language: { language: "d" },
    "language ": { language: "x".repeat(33) },
    prompt: { prompt: "x".repeat(501) },
    temperature: { temperature: 2.1 },
    "temperature ": { temperature: -1 },
    top_p: { top_p: 1.1 },
    "top_p ": { top_p: -0.1 },
    "": { voice_id: "unknown member" },
  };
  for (const [field, input] of Object.entries(broken)) {
    test(`refuses ${JSON.stringify(input).slice(0, 50)}`, () =>
      assertRefused(() => speech(input), field.trim()));
  }

  test("accepts each limit itself", async () => {
    const lowest = { speed: 0.25, language: "en", prompt: "", temperature: 0, top_p: 0 };
    const highest = { speed: 4, language: "x".repeat(32), prompt: "x".repeat(500), temperature: 2, top_p: 1 };
    for (const bounds of [lowest, highest])
      assert.equal((await speech({ ...bounds, voice: "cleo" })).status, 200);
    assert.equal((await speech({ input: "x ".repeat(2048), speed: 4 })).status, 200);
  });

  test("accepts no model of another type", async () => {
    for (const model of ["nobody", "canvas"])
      assert.equal((await refusalOf(() => speech({ model }))).status, 404);
  });

  test("style prompt and temperature matter only for models that support them", async () => {
    const bytes = async (input: object) => bytesIn(await speech({ response_format: "pcm", ...input }));
    const style = { prompt: "deep and calm" };
    assert.deepEqual(await bytes(style), await bytes({}));
    assert.deepEqual(await bytes({ temperature: 2 }), await bytes({}));
    const plain = await bytes({ model: "narrator" });
    assert.ok((await bytes({ model: "narrator", ...style })).length > plain.length * 1.1);
    assert.notDeepEqual(await bytes({ model: "narrator", temperature: 2 }), plain);
  });
});

describe("cloned voices", () => {
  test("sound different for each sample, and belong to their own model", async () => {
    const sounds = [];
    for (const pitchHz of [95, 210]) {
      const reply = await call(createVoice, standard, { file: part(await sample(pitchHz)), model: "mimic" });
      const { id, model } = jsonIn(reply) as { id: string; model: string };
      assert.match(id, /^voice_\w+$/);
      assert.equal(model, "mimic");
      sounds.push(await bytesIn(await speech({ model: "mimic", voice: id, response_format: "wav" })));
      await assertRefused(() => speech({ voice: id }), "voice", /made for mimic/);
    }
    assert.notDeepEqual(sounds[0], sounds[1]);
  });

  test("have venice's handles there, which are unknown to a sandbox of the other dialect", async () => {
    const venice = mediaState("venice");
    const { id } = jsonIn(await call(createVoice, venice, { file: part(await sample(120)), model: "mimic" }));
    assert.match(String(id), /^vv_\w+$/);
    await assertRefused(() => speech({ model: "mimic", voice: id }), "voice");
  });

  test("need a model that clones, and a WAV file with a second of voice", async () => {
    const voice = async (file: Uint8Array, model = "mimic") =>
      call(createVoice, standard, { file: part(file), model });
    const [good, short] = [await sample(120), await sample(120, "hm")];
    await assertRefused(() => voice(good, "speaker"), "model", /can't clone/);
    assert.equal((await refusalOf(() => voice(good, "nobody"))).status, 404);
    await assertRefused(() => voice(Buffer.from("ID3 an MP3 file")), "file", /WAV/);
    await assertRefused(() => voice(new Uint8Array()), "file", /empty/);
    await assertRefused(() => voice(short), "file", /Too short: 0\.\d s/);
    await assertRefused(() => call(createVoice, standard, { file: "text", model: "mimic" }), "file");
    await assertRefused(() => call(createVoice, standard, { file: part(good) }), "model");
    await assertRefused(
      () => call(createVoice, standard, { file: part(good), model: "mimic", name: "me" }),
      "",
    );
    const silent = Buffer.concat([good.subarray(0, 44), Buffer.alloc(good.length - 44)]);
    await assertRefused(() => voice(silent), "file", /silent/);
    const heavy = {
      ...part(good),
      size: 1,
      open: async function* () {
        for (let count = 0; count < 26; count++) yield Buffer.alloc(1024 * 1024);
      },
    };
    assert.equal(
      (await refusalOf(() => call(createVoice, standard, { file: heavy, model: "mimic" }))).status,
      413,
    );
  });

  test("are known to a sandbox that starts later, or in another window; a mistyped handle is not", async () => {
    const good = await sample(150, "hello there");
    const { voices } = mediaState().media;
    const { id, model, traits } = voices.add("mimic", good);
    assert.notEqual(voices.add("mimic", good).id, id);
    const later = mediaState().media.voices;
    assert.deepEqual(later.find(id), { id, model, traits });
    const [, digits = ""] = id.split("_");
    for (let index = 0; index < digits.length; index++) {
      const other = digits[index] === "7" ? "8" : "7";
      const mistyped = `voice_${digits.slice(0, index)}${other}${digits.slice(index + 1)}`;
      assert.equal(later.find(mistyped), undefined, mistyped);
    }
    for (const handle of ["", "voice_", "voice_0", `${id}0`, id.slice(0, -2), "gwen"])
      assert.equal(later.find(handle), undefined, handle);
  });
});
