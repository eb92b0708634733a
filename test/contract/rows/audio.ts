import assert from "node:assert/strict";
import { type BinaryReply, toBytes } from "../../../src/api/binary.ts";
import { failureOf, type RowSuite } from "../suite/suite.ts";
import { send } from "../suite/wire.ts";
import { noPicture, upload, wav } from "./images/pictures.ts";
import { tooLarge } from "./tooLarge.ts";

const sample = { input: "Ahoy.", model: "speaker" };
const voiceFile = upload(wav(1.5), "voice.wav", "audio/wav");

async function bytesOf(reply: Promise<BinaryReply>): Promise<Buffer> {
  return Buffer.from(await toBytes(await reply));
}

/** POST /audio/speech (spec E7). */
export const speech: RowSuite = {
  sample,
  rules: (dialect) => ({
    input: { good: ["a", ".".repeat(4096)], bad: ["", "x".repeat(4097), 7] },
    model: { good: ["speaker", "narrator", "mimic"], bad: ["", 7] },
    // Only the public service documents the maximum length of a name (wire.md section 11).
    voice: {
      good: ["ada", "ben", "cleo"],
      bad: ["", 7, ...(dialect === "venice" ? ["x".repeat(513)] : [])],
      unfit: ["dora", "Ada", "x".repeat(512), ...(dialect === "venice" ? [] : ["x".repeat(513)])],
    },
    // Each model has its own formats.
    response_format: { good: ["wav", "pcm"], bad: ["ogg", 7], unfit: ["mp3"] },
    speed: { good: [0.25, 1, 4], bad: [0.24, 4.01, "1"] },
    streaming: { good: [true, false], bad: ["yes", 1] },
    // Unknown hints are ignored.
    language: { good: ["en", "english", "xx", "x".repeat(32)], bad: ["e", "x".repeat(33), 7] },
    prompt: { good: ["", "calm", "x".repeat(500)], bad: ["x".repeat(501), 7] },
    temperature: { good: [0, 2], bad: [-0.1, 2.1, "1"] },
    top_p: { good: [0, 1], bad: [-0.1, 1.1, "1"] },
  }),
  everywhere: [],
  sandboxed: [
    {
      name: "returns each format of the model with its content type",
      async run({ api }) {
        const expected = [
          ["speaker", "wav", "audio/wav", /^RIFF....WAVE/s],
          ["speaker", "pcm", "audio/pcm", /^/],
          ["narrator", "mp3", "audio/mpeg", /^(ID3|\xff[\xe0-\xff])/],
          ["mimic", "opus", "audio/opus", /^OggS/],
        ] as const;
        for (const [model, response_format, type, magic] of expected) {
          const reply = await api.audio.speech({ ...sample, model, response_format });
          assert.equal(reply.contentType, type);
          const bytes = await toBytes(reply);
          assert.equal(reply.contentLength, bytes.byteLength);
          assert.match(Buffer.from(bytes).toString("latin1"), magic);
          assert.ok(bytes.byteLength > 500, response_format);
        }
      },
    },
    {
      name: "uses the model's default format",
      async run({ api }) {
        for (const [model, type] of [
          ["speaker", "audio/wav"],
          ["narrator", "audio/mpeg"],
          ["mimic", "audio/opus"],
        ] as const) {
          const reply = await api.audio.speech({ ...sample, model });
          assert.equal(reply.contentType, type);
          await toBytes(reply);
        }
      },
    },
    {
      name: "streams sentence by sentence without a length, with the same audio",
      async run({ api }) {
        const long = {
          ...sample,
          input: "One is here. Two is here. Three is here.",
          response_format: "pcm",
        } as const;
        const whole = await bytesOf(api.audio.speech(long));
        const reply = await api.audio.speech({ ...long, streaming: true });
        assert.equal(reply.contentLength, undefined);
        const pieces: Uint8Array[] = [];
        for await (const piece of reply.body) pieces.push(piece);
        assert.ok(pieces.length > 1);
        assert.deepEqual(Buffer.concat(pieces), whole);
      },
    },
    {
      name: "is half as long at twice the speed",
      async run({ api }) {
        const lengthAt = async (speed: number) =>
          (
            await bytesOf(
              api.audio.speech({ ...sample, input: "Some words to say.", response_format: "pcm", speed }),
            )
          ).byteLength;
        const [normal, fast] = [await lengthAt(1), await lengthAt(2)];
        assert.ok(Math.abs(normal / fast - 2) < 0.1, `${normal} to ${fast} bytes`);
      },
    },
    {
      name: "refuses an unlisted model",
      async run({ api }) {
        assert.equal((await failureOf(api.audio.speech({ ...sample, model: "nobody" }))).kind, "not-found");
      },
    },
    {
      name: "counts towards the window of audio models",
      async run({ target }) {
        const { headers } = await send(target, { path: "/audio/speech", body: sample });
        assert.equal(headers.get("x-ratelimit-limit-requests"), "60");
      },
    },
  ],
};

/** POST /audio/voices (wire.md section 1). */
export const createVoice: RowSuite = {
  sample: { file: voiceFile, model: "mimic" },
  rules: {
    file: {
      good: [voiceFile],
      bad: [upload(Buffer.alloc(0), "empty.wav"), "text", 7],
      unfit: [noPicture, upload(wav(0.5), "short.wav")],
    },
    model: { good: ["mimic"], bad: [""], unfit: ["speaker"] },
  },
  reply: { nullable: [], required: ["id", "model"], tolerant: [] },
  everywhere: [],
  sandboxed: [
    {
      name: "returns a handle that works with its own model only",
      async run({ api, target }) {
        const { id, model } = await api.audio.createVoice({ file: voiceFile, model: "mimic" });
        assert.equal(model, "mimic");
        assert.match(id, target.dialect.id === "venice" ? /^vv_[0-9a-f]+$/ : /^[a-z]+_[0-9a-f]+$/);
        const own = await bytesOf(
          api.audio.speech({ ...sample, model: "mimic", voice: id, response_format: "pcm" }),
        );
        const other = await bytesOf(api.audio.speech({ ...sample, model: "mimic", response_format: "pcm" }));
        assert.notDeepEqual(own, other);
        const { kind, details } = await failureOf(api.audio.speech({ ...sample, voice: id }));
        assert.deepEqual(
          [kind, details.status, details.issues?.[0]?.field],
          ["invalid-request", 400, "voice"],
        );
      },
    },
    {
      name: "refuses an unlisted model",
      async run({ api }) {
        const call = api.audio.createVoice({ file: voiceFile, model: "nobody" });
        assert.equal((await failureOf(call)).kind, "not-found");
      },
    },
    tooLarge("/audio/voices", "file", ({ api }, file) => api.audio.createVoice({ file, model: "mimic" })),
  ],
};
