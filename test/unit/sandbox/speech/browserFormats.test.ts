// FLAC and AAC as Chromium decodes them: without loss, and without a difference that is heard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createAudioEncoder } from "../../../../src/sandbox/speech/formats/audioEncoder.ts";
import { joinSamples, type Samples, sampleRate } from "../../../../src/sandbox/speech/sound.ts";
import { type SpeechOrder, speak } from "../../../../src/sandbox/speech/speak.ts";
import { decodeWav } from "../../../../src/sandbox/speech/wav.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";

declare const OfflineAudioContext: new (
  channels: number,
  length: number,
  rate: number,
) => {
  decodeAudioData(bytes: ArrayBuffer): Promise<{ getChannelData(channel: number): Float32Array }>;
};

let browser: TestBrowser;
let page: Awaited<ReturnType<TestBrowser["newPage"]>>;
before(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
});
after(() => browser.close());

/** The samples of a file of 24 kHz, as the browser plays them. */
async function decoded(file: Uint8Array): Promise<Int16Array> {
  const samples = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const sound = await new OfflineAudioContext(1, 1, 24_000).decodeAudioData(bytes.buffer);
    return [...sound.getChannelData(0)];
  }, Buffer.from(file).toString("base64"));
  // Its floats reach from -1 to 1, with one step more below zero.
  return Int16Array.from(samples, (sample) => Math.round(sample * (sample < 0 ? 32_768 : 32_767)));
}

const text = "Every word is heard. No sentence is lost! Is it?";
const order: SpeechOrder = {
  ...{ text, voice: { variant: "m3", pitchHz: 120 }, speed: 1, language: undefined },
  ...{ format: "wav", liveliness: 0, streaming: false, program: undefined },
};

async function spoken(changes: Partial<SpeechOrder>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of speak({ ...order, ...changes })) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function encoded(format: "aac" | "flac", parts: readonly Samples[]): Promise<Buffer> {
  const encoder = await createAudioEncoder(format);
  return Buffer.concat([...parts.map((part) => encoder.encode(part)), encoder.finish()]);
}

/** A sound of random samples in pieces of odd lengths; the same in each run. */
function noise(length: number, loudness: number): Samples[] {
  let seed = 7;
  const next = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed / 2 ** 31 - 1) * loudness;
  };
  const whole = Int16Array.from({ length }, next);
  return [whole.slice(0, length >> 2), whole.slice(length >> 2, length >> 1), whole.slice(length >> 1)];
}

const sounds: Readonly<Record<string, readonly Samples[]>> = {
  "loud noise": noise(20_001, 32_767),
  "quiet noise": noise(9_000, 20),
  "one whole block": noise(4_096, 9_000),
  "two samples": [Int16Array.of(-32_768, 32_767)],
  "a square wave": [Int16Array.from({ length: 12_345 }, (_, at) => (at % 100 < 50 ? 32_767 : -32_768))],
  silence: [new Int16Array(10_000)],
};

for (const streaming of [false, true]) {
  const how = streaming ? "streamed" : "whole";
  test(`FLAC is the same sound as WAV, ${how}`, async () => {
    const file = await spoken({ format: "flac", streaming });
    const wav = decodeWav(await spoken({}));
    assertSame(await decoded(file), wav);
    assert.ok(file.length < (wav?.length ?? 0), "less than half of its bytes");
    // The length stands in the head as soon as it is known.
    assert.equal(file.readUInt32BE(22), streaming ? 0 : wav?.length);
  });

  test(`AAC sounds like WAV, ${how}`, async () => {
    const file = await spoken({ format: "aac", streaming });
    const wav = decodeWav(await spoken({})) ?? assert.fail("no WAV");
    assertFrames(file);
    const heard = (await decoded(file)).subarray(1024);
    assert.ok(heard.length >= wav.length && heard.length - wav.length < 1024);
    assert.ok(decibels(wav, heard) > 25, `${decibels(wav, heard)} dB`);
    assert.ok(file.length * 8 < (80_000 * wav.length) / sampleRate, `${file.length} bytes`);
  });
}

for (const [what, parts] of Object.entries(sounds)) {
  test(`FLAC keeps each sample of ${what}`, async () => {
    assertSame(await decoded(await encoded("flac", parts)), joinSamples(parts));
  });

  test(`AAC of ${what} has valid frames of its length`, async () => {
    const file = await encoded("aac", parts);
    assertFrames(file);
    const heard = await decoded(file);
    const whole = joinSamples(parts);
    assert.equal(heard.length, (Math.ceil(whole.length / 1024) + 1) * 1024);
    if (what === "silence") assert.ok(heard.every((sample) => sample === 0));
  });
}

function assertSame(heard: Int16Array, sound: Samples | undefined): void {
  assert.equal(heard.length, sound?.length);
  assert.equal(
    heard.findIndex((sample, index) => sample !== sound?.[index]),
    -1,
  );
}

/** The ratio of a sound to the difference of the other one. */
function decibels(sound: Samples, other: Int16Array): number {
  const power = (value: (index: number) => number) =>
    sound.reduce((sum, _, index) => sum + value(index) ** 2, 0);
  const difference = power((index) => (sound[index] ?? 0) - (other[index] ?? 0));
  return 10 * Math.log10(power((index) => sound[index] ?? 0) / difference);
}

/** Whole ADTS frames without gaps, each within the buffer of a decoder. */
function assertFrames(file: Buffer): void {
  let at = 0;
  while (at < file.length) {
    assert.equal(file.readUInt16BE(at), 0xfff1);
    const length = (file.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
    assert.ok(length >= 7 && length <= 7 + 6144 / 8, `${length} bytes`);
    at += length;
  }
  assert.equal(at, file.length);
}
