import type { Clip } from "./clip.ts";

/** Duration of each sentence: measured, else estimated by its length and the measured pace. */
export interface Timeline {
  /** The duration of a clip is known now. */
  learn(clip: Clip): void;
  secondsOf(index: number): number;
  /** Start of a sentence in seconds. */
  startOf(index: number): number;
  readonly total: number;
  /** The sentence at a time, and the elapsed share of it, 0 to 1. */
  at(seconds: number): { readonly index: number; readonly share: number };
  /** The share of a clip before one of its sentences. */
  shareBefore(clip: Pick<Clip, "first" | "last">, index: number): number;
}

/** Seconds per character before anything was measured. */
const usualPace = 1 / 15;

export function createTimeline(sentences: readonly string[]): Timeline {
  const known = new Map<number, number>();
  let heardCharacters = 0;
  let heardSeconds = 0;
  const lengthOf = (index: number) => sentences[index]?.length ?? 0;
  const lengthBetween = (first: number, end: number) => {
    let sum = 0;
    for (let index = first; index < end; index++) sum += lengthOf(index);
    return sum;
  };
  const secondsOf = (index: number) =>
    known.get(index) ??
    lengthOf(index) * (heardCharacters === 0 ? usualPace : heardSeconds / heardCharacters);
  const startOf = (index: number) => {
    let sum = 0;
    for (let each = 0; each < index; each++) sum += secondsOf(each);
    return sum;
  };
  return {
    learn({ first, last, audio: { duration } }) {
      if (!Number.isFinite(duration) || known.has(first)) return;
      const characters = lengthBetween(first, last + 1);
      for (let index = first; index <= last; index++)
        known.set(index, (duration * lengthOf(index)) / characters);
      heardCharacters += characters;
      heardSeconds += duration;
    },
    secondsOf,
    startOf,
    get total() {
      return startOf(sentences.length);
    },
    at(seconds) {
      let start = 0;
      for (let index = 0; index < sentences.length; index++) {
        const length = secondsOf(index);
        if (seconds < start + length || index === sentences.length - 1)
          return { index, share: length === 0 ? 0 : Math.min(1, Math.max(0, (seconds - start) / length)) };
        start += length;
      }
      return { index: 0, share: 0 };
    },
    shareBefore: ({ first, last }, index) =>
      lengthBetween(first, index) / Math.max(1, lengthBetween(first, last + 1)),
  };
}
