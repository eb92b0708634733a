import { hashOf } from "../ids.ts";
import { espeak, espeakLanguages } from "./espeak.ts";
import { createAudioEncoder } from "./formats/audioEncoder.ts";
import type { WrittenFormat } from "./formats/writtenFormats.ts";
import { speechLanguageOf } from "./language.ts";
import type { AudioEncoder } from "./sound.ts";
import { clamp, joinSamples, type Samples, sampleRate, silence } from "./sound.ts";
import { speakTones } from "./tones.ts";
import { wavHead } from "./wav.ts";

/** How a voice sounds, with espeak-ng and without. */
export interface VoiceTraits {
  /** A timbre of espeak-ng's, such as `f3`. */
  readonly variant: string;
  /** Of the fundamental, in Hz. */
  readonly pitchHz: number;
}

export interface SpeechOrder {
  readonly text: string;
  readonly voice: VoiceTraits;
  readonly format: WrittenFormat;
  /** 0.25 to 4. */
  readonly speed: number;
  readonly language: string | undefined;
  /** How far the pitch wanders from one sentence to the next, 0 to 2. */
  readonly liveliness: number;
  /** Sentence by sentence, or all in one piece. */
  readonly streaming: boolean;
  /** Path or name of espeak-ng; without it, or where it can't be run, tones are heard. */
  readonly program: string | undefined;
}

const pauseSeconds = 0.25;

/** The audio file of a text, in pieces that make it up when they are put together. */
export async function* speak(order: SpeechOrder): AsyncGenerator<Uint8Array> {
  const encoder = await createAudioEncoder(order.format);
  if (order.streaming) yield* pieces(order, encoder);
  else yield await whole(order, encoder);
}

async function* pieces(order: SpeechOrder, encoder: AudioEncoder): AsyncGenerator<Uint8Array> {
  for await (const samples of say(order)) yield encoder.encode(samples);
  yield encoder.finish();
}

async function whole(order: SpeechOrder, encoder: AudioEncoder): Promise<Uint8Array> {
  const parts: Samples[] = [];
  for await (const samples of say(order)) parts.push(samples);
  const samples = joinSamples(parts);
  const file = Buffer.concat([encoder.encode(samples), encoder.finish()]);
  if (order.format === "wav") file.set(wavHead(samples.byteLength));
  return file;
}

/** The sound of each sentence, with the pause after it. */
async function* say(order: SpeechOrder): AsyncGenerator<Samples> {
  const sayOne = await chooseVoice(order);
  for (const sentence of sentencesOf(order.text)) {
    yield joinSamples([await sayOne(sentence), silence(pauseSeconds / order.speed)]);
  }
}

type SayOne = (sentence: string) => Promise<Samples>;

async function chooseVoice({ program, voice, speed, liveliness, ...order }: SpeechOrder): Promise<SayOne> {
  const pitchHz = (sentence: string) => voice.pitchHz * (1 + liveliness * wander(sentence));
  const tones: SayOne = async (sentence) => speakTones(sentence, { pitchHz: pitchHz(sentence), speed });
  const spoken = program === undefined ? new Set<string>() : await espeakLanguages(program);
  if (program === undefined || spoken.size === 0) return tones;
  const { wordsPerMinute, rest } = paceOf(speed);
  const language = speechLanguageOf(order.language, order.text, spoken);
  return async (sentence) => {
    const pitch = espeakPitch(pitchHz(sentence));
    const samples = await espeak(program, sentence, {
      language,
      variant: voice.variant,
      pitch,
      wordsPerMinute,
    });
    return samples ? stretch(samples, rest) : tones(sentence);
  };
}

/** From -0.08 to 0.08, the same for the same words. */
function wander(sentence: string): number {
  return ((hashOf(sentence) % 1000) / 1000 - 0.5) * 0.16;
}

const normalWordsPerMinute = 170;
/** Beyond these espeak-ng changes its own rules; what is left of the speed is done by stretching. */
const slowest = 80;
const fastest = 400;

function paceOf(speed: number): { readonly wordsPerMinute: number; readonly rest: number } {
  const wanted = normalWordsPerMinute * speed;
  const wordsPerMinute = Math.round(Math.max(slowest, Math.min(fastest, wanted)));
  return { wordsPerMinute, rest: wanted / wordsPerMinute };
}

/** espeak-ng's scale from 0 to 99, around 50 for a voice of 140 Hz. */
function espeakPitch(pitchHz: number): number {
  return Math.round(Math.max(0, Math.min(99, 50 + 45 * Math.log2(pitchHz / 140))));
}

/** Splits a text into sentences, without the whitespace around them. */
export function sentencesOf(text: string): string[] {
  const segments = new Intl.Segmenter("en", { granularity: "sentence" }).segment(text);
  return [...segments].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== "");
}

const frame = Math.round(sampleRate * 0.04);
const half = frame / 2;
/** The range in samples in which a frame is shifted to fit the previous one. */
const search = Math.round(sampleRate * 0.008);

/**
 * Changes the speed and keeps the pitch (WSOLA): short frames overlap, each shifted to where it best continues the
 * previous one.
 */
export function stretch(samples: Samples, speed: number): Samples {
  if (speed === 1 || samples.length < 2 * frame) return samples;
  const sum = new Float64Array(Math.ceil(samples.length / speed) + frame);
  let natural = 0;
  for (let to = 0; to + frame < sum.length; to += half) {
    const wanted = Math.round(to * speed);
    const from = to === 0 ? 0 : closest(samples, wanted, natural);
    for (let index = 0; index < frame; index++) {
      const fade = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / frame);
      sum[to + index] = (sum[to + index] ?? 0) + (samples[from + index] ?? 0) * fade;
    }
    natural = from + half;
  }
  return Int16Array.from(sum.subarray(0, Math.round(samples.length / speed)), clamp);
}

/** The start near `wanted` whose frame is most similar to the one at `natural`. Every fourth sample is compared. */
function closest(samples: Samples, wanted: number, natural: number): number {
  let best = wanted;
  let bestLikeness = Number.NEGATIVE_INFINITY;
  for (let from = Math.max(0, wanted - search); from <= wanted + search; from += 4) {
    let likeness = 0;
    for (let index = 0; index < half; index += 4) {
      likeness += (samples[from + index] ?? 0) * (samples[natural + index] ?? 0);
    }
    if (likeness > bestLikeness) [best, bestLikeness] = [from, likeness];
  }
  return best;
}
