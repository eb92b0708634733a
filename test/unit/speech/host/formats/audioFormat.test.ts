// Joining recordings: files of the sandbox's encoders, or handmade ones.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { WrittenFormat } from "../../../../../src/sandbox/speech/sound.ts";
import { speak } from "../../../../../src/sandbox/speech/speak.ts";
import { asWav, joinSound } from "../../../../../src/speech/host/formats/joinSound.ts";
import { pcmToWav, readWav, wavSeconds } from "../../../../../src/speech/host/formats/wav.ts";

/** The decoder of the same library, which has no types. */
const { Decoder } = createRequire(import.meta.url)("@evan/opus/wasm/index.js") as {
  Decoder: new (options: { channels: 1; sample_rate: 24_000 }) => { decode(packet: Uint8Array): Uint8Array };
};

async function spoken(text: string, format: WrittenFormat, streaming = false): Promise<Buffer> {
  const order = { text, format, streaming, voice: { variant: "m3", pitchHz: 120 }, speed: 1 };
  const pieces: Uint8Array[] = [];
  for await (const piece of speak({ ...order, language: undefined, liveliness: 0, program: undefined }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

const one = "This is the first part of it.";
const two = "And this is the second part, which is longer.";

test("WAV: one header, all samples, streamed files of open length included", async () => {
  const [a, b] = [await spoken(one, "wav"), await spoken(two, "wav", true)];
  const joined = joinSound("wav", [a, b]);
  assert.ok(joined);
  const sound = readWav(joined);
  assert.equal(sound?.samples.length, a.length - 44 + b.length - 44);
  assert.equal(Buffer.from(joined).readUInt32LE(4), joined.length - 8);
  const other = pcmToWav(new Uint8Array(100), 8000);
  assert.equal(joinSound("wav", [a, other]), undefined);
});

test("PCM: joined unchanged, or with the header of a WAV file", async () => {
  const [a, b] = [await spoken(one, "pcm"), await spoken(two, "pcm")];
  assert.equal(joinSound("pcm", [a, b])?.length, a.length + b.length);
  const sound = readWav(asWav([a, b]));
  assert.ok(sound);
  assert.deepEqual(Buffer.from(sound.samples), Buffer.concat([a, b]));
  assert.equal(wavSeconds(sound), (a.length + b.length) / 48_000);
});

test("MP3: frames only, without tags and the frames with the length of one part", async () => {
  const [a, b] = [await spoken(one, "mp3"), await spoken(two, "mp3")];
  assert.deepEqual(Buffer.from(joinSound("mp3", [a, b]) ?? []), Buffer.concat([a, b]));
  const tag = Buffer.concat([
    Buffer.from("ID3\x04\0\0\0\0\0\x05", "latin1"),
    Buffer.from("\xff\xfbabc", "latin1"),
  ]);
  const info = Buffer.alloc(192);
  // A frame of MPEG 2, layer III, 64 kbit/s, 24 kHz, with the Xing header of a file that has its length.
  info.set([0xff, 0xf3, 0x84, 0xc4]);
  info.write("Xing", 13, "latin1");
  const trailer = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125)]);
  const tagged = Buffer.concat([tag, info, a, trailer]);
  assert.deepEqual(Buffer.from(joinSound("mp3", [tagged, b]) ?? []), Buffer.concat([a, b]));
  assert.equal(joinSound("mp3", [a, Buffer.from("no sound at all")]), undefined);
});

test("AAC: ADTS frames one after the other", () => {
  const frame = (content: string) => {
    const bytes = Buffer.alloc(7 + content.length);
    bytes.set([
      0xff,
      0xf1,
      0x50,
      0x80 | (bytes.length >> 11),
      (bytes.length >> 3) & 0xff,
      (bytes.length & 7) << 5,
      0xfc,
    ]);
    bytes.write(content, 7, "latin1");
    return bytes;
  };
  const [a, b] = [Buffer.concat([frame("one"), frame("two")]), Buffer.concat([frame("three")])];
  const tag = Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1");
  assert.deepEqual(Buffer.from(joinSound("aac", [Buffer.concat([tag, a]), b]) ?? []), Buffer.concat([a, b]));
});

/** The pages of an Ogg file: flags, numbers, positions and packets. */
function readPages(bytes: Uint8Array) {
  const file = Buffer.from(bytes);
  const pages = [];
  for (let at = 0; at < file.length; ) {
    assert.equal(file.toString("latin1", at, at + 4), "OggS");
    const lacing = [...file.subarray(at + 27, at + 27 + file.readUInt8(at + 26))];
    const packets: Buffer[] = [];
    let start = at + 27 + lacing.length;
    let length = 0;
    for (const part of lacing) {
      length += part;
      if (part === 255) continue;
      packets.push(file.subarray(start, start + length));
      start += length;
      length = 0;
    }
    const position = Number(file.readBigUInt64LE(at + 6));
    pages.push({ flags: file.readUInt8(at + 5), number: file.readUInt32LE(at + 18), position, packets });
    at = start;
  }
  return pages;
}

test("Opus: one stream with continuous positions whose packets all decode", async () => {
  const [a, b] = [await spoken(one, "opus"), await spoken(two, "opus")];
  const joined = joinSound("opus", [a, b]);
  assert.ok(joined);
  const pages = readPages(joined);
  assert.deepEqual(
    pages.map(({ number }) => number),
    pages.map((_, index) => index),
  );
  assert.deepEqual([pages[0]?.flags, pages.at(-1)?.flags], [2, 4]);
  assert.ok(pages.slice(1, -1).every(({ flags }) => flags === 0));
  const positions = pages.map(({ position }) => position);
  assert.deepEqual(
    positions,
    [...positions].sort((x, y) => x - y),
  );
  const soundOf = (file: Uint8Array) =>
    readPages(file)
      .flatMap(({ packets }) => packets)
      .slice(2);
  assert.deepEqual(soundOf(joined), [...soundOf(a), ...soundOf(b)]);
  const decoder = new Decoder({ channels: 1, sample_rate: 24_000 });
  const samples = soundOf(joined).reduce((sum, packet) => sum + decoder.decode(packet).length / 2, 0);
  // The end may cut off less than a frame; positions have 48 kHz, the samples here 24 kHz.
  assert.ok(
    Math.abs(samples - (positions.at(-1) ?? 0) / 2) < 480,
    `${samples} samples, ${positions.at(-1)} ticks`,
  );
});

test("FLAC: one part is its file, several can't be joined", () => {
  const part = Buffer.from("fLaC");
  assert.equal(joinSound("flac", [part]), part);
  assert.equal(joinSound("flac", [part, part]), undefined);
});
