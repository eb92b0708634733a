import { hashOf } from "../state/ids.ts";
import { espeak, espeakLanguages } from "./espeak.ts";
import { createAudioEncoder } from "./formats/audioEncoder.ts";
import { flacHead } from "./formats/flac.ts";
import { speechLanguageOf } from "./language.ts";
import {
  type AudioEncoder,
  joinSamples,
  type Samples,
  sampleRate,
  silence,
  type WrittenFormat,
} from "./sound.ts";
import { wavHead } from "./wav.ts";

/** The sound of a voice, with espeak-ng and without. */
export interface VoiceTraits {
  /** A variant of espeak-ng, such as `f3`. */
  readonly variant: string;
  /** The fundamental frequency in Hz. */
  readonly pitchHz: number;
}

export interface SpeechOrder {
  readonly text: string;
  readonly voice: VoiceTraits;
  readonly format: WrittenFormat;
  /** 0.25 to 4. */
  readonly speed: number;
  readonly language: string | undefined;
  /** How much the pitch varies between sentences, 0 to 2. */
  readonly liveliness: number;
  /** Sentence by sentence, or all in one piece. */
  readonly streaming: boolean;
  /** Path or name of espeak-ng. Without it, or if it fails, words become tones. */
  readonly program: string | undefined;
}

const pauseSeconds = 0.25;

/** The audio file of a text in pieces. Concatenated, they are the file. */
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
  // The length is known now.
  if (order.format === "wav") file.set(wavHead(samples.byteLength));
  if (order.format === "flac") file.set(flacHead(samples.length));
  return file;
}

/** The sound of each sentence and the pause after it. */
async function* say(order: SpeechOrder): AsyncGenerator<Samples> {
  const sayOne = await chooseVoice(order);
  for (const sentence of sentencesOf(order.text)) {
    yield joinSamples([await sayOne(sentence), silence(pauseSeconds / order.speed)]);
  }
}

type SayOne = (sentence: string) => Promise<Samples>;

async function chooseVoice(order: SpeechOrder): Promise<SayOne> {
  const { program, voice, speed, liveliness } = order;
  const pitchHz = (sentence: string) => voice.pitchHz * (1 + liveliness * wander(sentence));
  const tones: SayOne = async (sentence) => speakTones(sentence, pitchHz(sentence), speed);
  const spoken = program === undefined ? new Set<string>() : await espeakLanguages(program);
  if (program === undefined || spoken.size === 0) return tones;
  const { variant } = voice;
  const language = speechLanguageOf(order.language, order.text, spoken);
  const wordsPerMinute = espeakSpeed(speed);
  return async (sentence) => {
    const pitch = espeakPitch(pitchHz(sentence));
    const samples = await espeak(program, sentence, { language, variant, pitch, wordsPerMinute });
    return samples ?? tones(sentence);
  };
}

/** From -0.08 to 0.08, determined by the sentence. */
function wander(sentence: string): number {
  return ((hashOf(sentence) % 1000) / 1000 - 0.5) * 0.16;
}

/** In words a minute, within espeak-ng's own bounds. */
function espeakSpeed(speed: number): number {
  return Math.round(Math.max(80, Math.min(450, 170 * speed)));
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

const secondsPerLetter = 0.09;
const wordGapSeconds = 0.07;
const volume = 7000;

/** A sentence without espeak-ng: one tone for each word, as long as the word and near the pitch of the voice. */
function speakTones(sentence: string, pitchHz: number, speed: number): Samples {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return joinSamples(
    words.flatMap((word) => {
      const hz = pitchHz * (0.94 + 0.12 * ((hashOf(word) % 100) / 100));
      const seconds = ([...word].length * secondsPerLetter) / speed;
      return [tone(hz, seconds), silence(wordGapSeconds / speed)];
    }),
  );
}

/** A sine with one overtone. It fades in and out, so that it does not click. */
function tone(hz: number, seconds: number): Samples {
  const samples = silence(seconds);
  return samples.map((_, index) => {
    const place = index / samples.length;
    const fade = Math.min(1, place * 5, (1 - place) * 3);
    const angle = (2 * Math.PI * hz * index) / sampleRate;
    return volume * fade * (Math.sin(angle) + 0.4 * Math.sin(2 * angle));
  });
}
