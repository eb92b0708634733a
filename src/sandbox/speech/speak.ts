import { hashOf } from "../ids.ts";
import { espeak, espeakLanguages } from "./espeak.ts";
import { createAudioEncoder } from "./formats/audioEncoder.ts";
import type { AudioEncoder } from "./formats/encoder.ts";
import type { WrittenFormat } from "./formats/writtenFormats.ts";
import { speechLanguageOf } from "./language.ts";
import { sentencesOf } from "./sentences.ts";
import { joinSamples, type Samples, silence } from "./sound.ts";
import { stretch } from "./stretch.ts";
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
