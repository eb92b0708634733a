import { hashOf } from "../ids.ts";
import { joinSamples, type Samples, sampleRate, silence } from "./sound.ts";

/** How the tones sound. */
export interface ToneVoice {
  /** Of the fundamental, in Hz. */
  readonly pitchHz: number;
  /** 1 is normal. */
  readonly speed: number;
}

const secondsPerLetter = 0.09;
const wordGapSeconds = 0.07;
const volume = 7000;

/** A sentence without espeak-ng: one tone for each word, as long as the word and near the pitch of the voice. */
export function speakTones(sentence: string, { pitchHz, speed }: ToneVoice): Samples {
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
