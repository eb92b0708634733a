// The sandbox's speech: files that independent decoders accept, with the expected duration and speed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { test } from "node:test";
import { speechLanguageOf } from "../../../../src/sandbox/speech/language.ts";
import { type Samples, sampleRate } from "../../../../src/sandbox/speech/sound.ts";
import { type SpeechOrder, sentencesOf, speak } from "../../../../src/sandbox/speech/speak.ts";
import { decodeWav } from "../../../../src/sandbox/speech/wav.ts";

/** The decoder of the same library, which has no types. */
const { Decoder } = createRequire(import.meta.url)("@evan/opus/wasm/index.js") as {
  Decoder: new (options: { channels: 1; sample_rate: 24_000 }) => { decode(packet: Uint8Array): Uint8Array };
};

const order: SpeechOrder = {
  text: "Every word is heard. No sentence is lost! Is it?",
  voice: { variant: "m3", pitchHz: 120 },
  format: "wav",
  speed: 1,
  language: undefined,
  liveliness: 0,
  streaming: false,
  program: undefined,
};

async function pieces(changes: Partial<SpeechOrder>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const piece of speak({ ...order, ...changes })) all.push(piece);
  return all;
}

async function file(changes: Partial<SpeechOrder>): Promise<Buffer> {
  return Buffer.concat(await pieces(changes));
}

async function samples(changes: Partial<SpeechOrder> = {}): Promise<Samples> {
  const sound = decodeWav(await file({ ...changes, format: "wav" }));
  assert.ok(sound);
  return sound;
}

const seconds = (sound: { readonly length: number }) => sound.length / sampleRate;

/** True if two sounds have the same loudness over time, which differs between any two sentences. */
function likeness(a: Samples, b: Samples): number {
  const loudness = (sound: Samples) => {
    const window = sampleRate / 10;
    return Array.from({ length: Math.floor(sound.length / window) }, (_, index) =>
      sound.subarray(index * window, (index + 1) * window).reduce((sum, value) => sum + Math.abs(value), 0),
    );
  };
  const [x, y] = [loudness(a), loudness(b)];
  const product = x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
  return product / Math.hypot(...x) / Math.hypot(...y);
}

/** Number of sign changes of a sound. */
function crossings(sound: Samples): number {
  return sound.filter((value, index) => index > 0 && value < 0 !== (sound[index - 1] ?? 0) < 0).length;
}

test("WAV has its length; PCM is the same without a header", async () => {
  const wav = await file({});
  assert.equal(wav.readUInt32LE(4), wav.length - 8);
  assert.equal(wav.readUInt32LE(40), wav.length - 44);
  assert.deepEqual(await file({ format: "pcm" }), wav.subarray(44));
  assert.equal(wav.readUInt32LE(24), 24_000);
});

test("streamed WAV has an open length and is otherwise the same file, one chunk per sentence", async () => {
  const streamed = await pieces({ streaming: true });
  assert.ok(streamed.length > 3);
  assert.ok(streamed.slice(0, 3).every(({ length }) => length > 10_000));
  const whole = await file({});
  const joined = Buffer.concat(streamed);
  assert.equal(joined.readUInt32LE(40), 0xffff_ffff);
  assert.deepEqual(joined.subarray(44), whole.subarray(44));
  assert.deepEqual(decodeWav(joined), decodeWav(whole));
});

/** The frames of an MP3 file, without gaps between them. */
function mp3Frames(bytes: Buffer): number {
  const kilobits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  let [count, at] = [0, 0];
  while (at < bytes.length) {
    // Sync word, MPEG 2, layer III, no checksum; then bit rate, 24 kHz, padding.
    assert.equal(bytes.readUInt16BE(at), 0xfff3, `frame ${count}`);
    const byte = bytes.readUInt8(at + 2);
    assert.equal((byte >> 2) & 3, 1);
    at += Math.floor((72 * (kilobits[byte >> 4] ?? 0) * 1000) / 24_000) + ((byte >> 1) & 1);
    count += 1;
  }
  assert.equal(at, bytes.length);
  return count;
}

for (const streaming of [false, true]) {
  test(`MP3 consists of whole frames as long as the speech, ${streaming ? "streamed" : "whole"}`, async () => {
    const wanted = seconds(await samples());
    const frames = mp3Frames(await file({ format: "mp3", streaming }));
    assert.ok(Math.abs((frames * 576) / 24_000 - wanted) < 0.15);
  });

  test(`Opus decodes to the same audio, ${streaming ? "streamed" : "whole"}`, async () => {
    const { packets, preSkip, endTick } = oggPackets(await file({ format: "opus", streaming }));
    const decoder = new Decoder({ channels: 1, sample_rate: 24_000 });
    const decoded = Buffer.concat(packets.map((packet) => decoder.decode(packet)));
    const sound = new Int16Array(Uint8Array.from(decoded).buffer).subarray(preSkip / 2);
    const plain = await samples();
    assert.equal(endTick - preSkip, plain.length * 2);
    assert.ok(likeness(sound, plain) > 0.98);
    assert.ok(
      likeness(sound, await samples({ text: "Nothing like it, however long it may be said to be." })) < 0.95,
    );
  });
}

/** The audio packets of an Ogg Opus file, whose pages must follow the format's rules. */
function oggPackets(bytes: Buffer): { packets: Buffer[]; preSkip: number; endTick: number } {
  const packets: Buffer[] = [];
  let [at, number, endTick, flags] = [0, 0, 0, 0];
  for (; at < bytes.length; number++) {
    assert.equal(bytes.toString("latin1", at, at + 4), "OggS");
    assert.equal(bytes.readUInt32LE(at + 18), number);
    flags = bytes.readUInt8(at + 5);
    endTick = Number(bytes.readBigUInt64LE(at + 6));
    const lacing = bytes.subarray(at + 27, at + 27 + bytes.readUInt8(at + 26));
    assertChecksum(
      bytes.subarray(at, at + 27 + lacing.length + lacing.reduce((sum, value) => sum + value, 0)),
    );
    at += 27 + lacing.length;
    let length = 0;
    for (const value of lacing) {
      length += value;
      if (value === 255) continue;
      packets.push(bytes.subarray(at, at + length));
      at += length;
      length = 0;
    }
  }
  assert.equal(flags, 4);
  const [head, tags, ...audio] = packets;
  assert.equal(head?.toString("latin1", 0, 8), "OpusHead");
  assert.equal(tags?.toString("latin1", 0, 8), "OpusTags");
  return { packets: audio, preSkip: head?.readUInt16LE(10) ?? 0, endTick };
}

/** RFC 3533: the remainder of a division, bit by bit. */
function assertChecksum(page: Buffer): void {
  const zeroed = Buffer.from(page);
  zeroed.writeUInt32LE(0, 22);
  let value = 0;
  for (const byte of zeroed) {
    value ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  }
  assert.equal(page.readUInt32LE(22), value >>> 0);
}

test("the duration is proportional to the text, and inversely to the speed", async () => {
  const once = seconds(await samples());
  const twice = seconds(await samples({ text: `${order.text} ${order.text}` }));
  assert.ok(Math.abs(twice / once - 2) < 0.05);
  for (const speed of [0.25, 0.5, 2, 4]) {
    assert.ok(Math.abs((seconds(await samples({ speed })) * speed) / once - 1) < 0.03, `speed ${speed}`);
  }
});

test("tones are the same for the same text, different for other text, and at the pitch of the voice", async () => {
  assert.deepEqual(await samples(), await samples());
  assert.ok(
    likeness(await samples(), await samples({ text: "An altogether different thing is being said." })) < 0.97,
  );
  for (const pitchHz of [100, 140, 220]) {
    const sound = await samples({ text: "mmmmmmmmmmmm", voice: { variant: "m3", pitchHz } });
    const received = crossings(sound.subarray(0, sampleRate)) / 2;
    assert.ok(Math.abs(received / pitchHz - 1) < 0.07, `${received} Hz for ${pitchHz} Hz`);
  }
});

test("liveliness varies the pitch between sentences", async () => {
  assert.deepEqual(await samples({ liveliness: 0 }), await samples());
  assert.notDeepEqual(await samples({ liveliness: 1 }), await samples());
});

test("text without letters, and in every script, gives a file", async () => {
  assert.equal(seconds(await samples({ text: " " })), 0);
  assert.ok(seconds(await samples({ text: "…!" })) > 0.2);
  for (const text of ["こんにちは", "привет", "12 34"])
    assert.ok(seconds(await samples({ text })) > 0.4, text);
  assert.ok((await file({ text: " ", format: "opus" })).length > 50);
});

test("tones replace a program that is missing or fails", async () => {
  const tones = await samples();
  assert.deepEqual(await samples({ program: "no-such-program-anywhere" }), tones);
  assert.deepEqual(await samples({ program: process.execPath }), tones);
});

test("uses espeak-ng where it is installed, tones elsewhere", async () => {
  const installed = spawnSync("espeak-ng", ["--version"]).status === 0;
  const voiced = await samples({ program: "espeak-ng" });
  const tones = await samples();
  if (!installed) return assert.deepEqual(voiced, tones);
  assert.notDeepEqual(voiced, tones);
  assert.ok(seconds(voiced) > 2 && seconds(voiced) < 8);
  const quick = await samples({ program: "espeak-ng", speed: 2 });
  assert.ok(Math.abs(seconds(voiced) / seconds(quick) / 2 - 1) < 0.3);
  const french = await samples({ program: "espeak-ng", language: "French" });
  assert.notDeepEqual(french, voiced);
});

test("sentences keep their punctuation and lose nothing", () => {
  assert.deepEqual(sentencesOf("One. Two!  Three?\nFour"), ["One.", "Two!", "Three?", "Four"]);
  assert.deepEqual(sentencesOf("  "), []);
});

test("the language is that of the hint, by code or name, if supported; else that of the letters", () => {
  const spoken = new Set(["en-us", "de", "fr-fr", "ru", "cmn", "ja"]);
  const cases: [string | undefined, string, string][] = [
    ["de", "hello", "de"],
    ["German", "hello", "de"],
    ["french", "hello", "fr-fr"],
    ["fr", "hello", "fr-fr"],
    ["zh", "hello", "cmn"],
    ["tlh", "hello", "en-us"],
    [undefined, "привет", "ru"],
    [undefined, "你好", "cmn"],
    [undefined, "こんにちは世界", "ja"],
    ["nonsense", "Γειά", "en-us"],
  ];
  for (const [hint, text, language] of cases)
    assert.equal(speechLanguageOf(hint, text, spoken), language, `${hint} ${text}`);
});

test("WAV is read in every depth, at every rate, with unknown chunks", () => {
  const wav = (code: number, bits: number, rate: number, data: Buffer) => {
    const format = Buffer.alloc(24);
    format.write("fmt ", 0, "latin1");
    format.writeUInt32LE(16, 4);
    format.writeUInt16LE(code, 8);
    format.writeUInt16LE(1, 10);
    format.writeUInt32LE(rate, 12);
    format.writeUInt16LE(bits / 8, 20);
    format.writeUInt16LE(bits, 22);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    const odd = Buffer.from("LIST\x03\0\0\0abc\0", "latin1");
    return Buffer.concat([
      Buffer.from("RIFF\0\0\0\0WAVE", "latin1"),
      odd,
      format,
      Buffer.from("data"),
      length,
      data,
    ]);
  };
  const float = Buffer.alloc(4);
  float.writeFloatLE(0.5);
  const depths: [number, number, Buffer, number][] = [
    [1, 8, Buffer.from([192]), 16_384],
    [1, 16, Buffer.from([0, 64]), 16_384],
    [1, 24, Buffer.from([9, 0, 64]), 16_384],
    [1, 32, Buffer.from([9, 9, 0, 64]), 16_384],
    [3, 32, float, 16_383],
  ];
  for (const [code, bits, data, expected] of depths) {
    assert.deepEqual([...(decodeWav(wav(code, bits, sampleRate, data)) ?? [])], [expected], `${bits} bits`);
  }
  assert.equal(decodeWav(wav(1, 16, 48_000, Buffer.alloc(4800)))?.length, 1200);
  assert.equal(decodeWav(wav(1, 16, 12_000, Buffer.alloc(4800)))?.length, 4800);
  for (const bad of [
    wav(6, 8, 8000, Buffer.alloc(9)),
    wav(1, 12, 8000, Buffer.alloc(9)),
    Buffer.from("ID3 no"),
    Buffer.alloc(60),
  ]) {
    assert.equal(decodeWav(bad), undefined);
  }
});
