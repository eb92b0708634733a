import { createRandom, hashOf } from "../ids.ts";
import { joinSamples, type Samples, sampleRate, silence } from "./sound.ts";

/** How the tones sound. */
export interface ToneVoice {
  /** Of the voice's fundamental, in Hz. */
  readonly pitchHz: number;
  /** 1 is normal. */
  readonly speed: number;
}

const vowelSeconds = 0.13;
const consonantSeconds = 0.055;
const wordGapSeconds = 0.07;
const soft = "lmnrwjy";
const hissing = "sfzhvxcß";

/**
 * A sentence without espeak-ng: each vowel sung with its formants, each consonant hummed, hissed or popped. Hardly to
 * be understood, but with the rhythm, the length and the melody of speech; the same for the same words.
 */
export function speakTones(sentence: string, voice: ToneVoice): Samples {
  const words =
    sentence
      .toLowerCase()
      .normalize("NFD")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const noise = createRandom(hashOf(sentence));
  const parts = words.flatMap((word, index) => {
    // A voice sinks over a sentence and stands up for a question.
    const place = index / Math.max(1, words.length - 1);
    const lift = sentence.endsWith("?") && index === words.length - 1 ? 0.25 : 0.08 - 0.18 * place;
    const pitchHz = voice.pitchHz * (1 + lift);
    return [...letters(word, { ...voice, pitchHz }, noise), silence(wordGapSeconds / voice.speed)];
  });
  return joinSamples(parts);
}

function letters(word: string, voice: ToneVoice, noise: () => number): Samples[] {
  return [...word].map((letter) => {
    const vowel = vowelOf(letter);
    if (vowel) return sing(vowel, vowelSeconds / voice.speed, 9000, voice.pitchHz);
    const seconds = consonantSeconds / voice.speed;
    if (soft.includes(letter)) return sing(hum, seconds, 4500, voice.pitchHz);
    return hiss(seconds, hissing.includes(letter) ? 0.9 : 0.25, noise);
  });
}

function sing(vowel: Vowel, seconds: number, volume: number, pitchHz: number): Samples {
  const wave = waveOf(vowel, pitchHz);
  const sound = silence(seconds);
  const step = (wave.length * pitchHz) / sampleRate;
  for (let index = 0; index < sound.length; index++) {
    const value = wave[Math.floor(index * step) % wave.length] ?? 0;
    sound[index] = value * volume * envelope(index / sound.length);
  }
  return sound;
}

/** Noise over the last `share` of the time. */
function hiss(seconds: number, share: number, noise: () => number): Samples {
  const sound = silence(seconds);
  const start = Math.floor(sound.length * (1 - share));
  for (let index = start; index < sound.length; index++) {
    sound[index] = (noise() * 2 - 1) * 2600 * envelope((index - start) / (sound.length - start));
  }
  return sound;
}

/** Rises over a fifth and falls over a third, so that nothing clicks. */
function envelope(place: number): number {
  return Math.min(1, place * 5, (1 - place) * 3);
}

/** The two lowest resonances of a mouth, in Hz. */
type Vowel = readonly [number, number];

const vowels: Readonly<Record<string, Vowel>> = {
  a: [730, 1090],
  e: [530, 1840],
  i: [270, 2290],
  o: [570, 840],
  u: [300, 870],
};
const order = Object.values(vowels);

/** A closed mouth. */
const hum: Vowel = [250, 1000];

/** Characters outside a to z are mapped to one of the five vowels. */
function vowelOf(letter: string): Vowel | undefined {
  if (/[a-z]/.test(letter)) return vowels[letter];
  return order[(letter.codePointAt(0) ?? 0) % order.length];
}

const points = 512;
const highestHz = 4000;

/** One period of a voice, -1 to 1: the harmonics of the pitch, louder near a formant. */
function waveOf(formants: Vowel, pitchHz: number): Float64Array {
  const wave = new Float64Array(points);
  for (let multiple = 1; multiple * pitchHz < highestHz; multiple++) {
    const loudness = formants.reduce(
      (sum, hz) => sum + Math.exp(-(((multiple * pitchHz - hz) / 180) ** 2)),
      0.05 / multiple,
    );
    for (let index = 0; index < points; index++) {
      wave[index] = (wave[index] ?? 0) + loudness * Math.sin((2 * Math.PI * multiple * index) / points);
    }
  }
  const peak = wave.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return wave.map((value) => value / peak);
}
