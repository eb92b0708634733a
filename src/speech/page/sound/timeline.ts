import type { Clip } from "./clip.ts";

/** Seconds per character before anything was measured. */
const usualPace = 1 / 15;

/** Duration of each sentence: measured, else estimated by its length and the measured pace. */
export class Timeline {
  readonly #sentences: readonly string[];
  readonly #known = new Map<number, number>();
  #heardCharacters = 0;
  #heardSeconds = 0;

  constructor(sentences: readonly string[]) {
    this.#sentences = sentences;
  }

  /** The duration of a clip is known now. */
  learn({ first, last, audio: { duration } }: Clip): void {
    if (!Number.isFinite(duration) || this.#known.has(first)) return;
    const characters = this.#lengthBetween(first, last + 1);
    for (let index = first; index <= last; index++)
      this.#known.set(index, (duration * this.#lengthOf(index)) / characters);
    this.#heardCharacters += characters;
    this.#heardSeconds += duration;
  }

  secondsOf(index: number): number {
    return (
      this.#known.get(index) ??
      this.#lengthOf(index) *
        (this.#heardCharacters === 0 ? usualPace : this.#heardSeconds / this.#heardCharacters)
    );
  }

  /** Start of a sentence in seconds. */
  startOf(index: number): number {
    let sum = 0;
    for (let each = 0; each < index; each++) sum += this.secondsOf(each);
    return sum;
  }

  get total(): number {
    return this.startOf(this.#sentences.length);
  }

  /** The sentence at a time, and the elapsed share of it, 0 to 1. */
  at(seconds: number): { readonly index: number; readonly share: number } {
    let start = 0;
    for (let index = 0; index < this.#sentences.length; index++) {
      const length = this.secondsOf(index);
      if (seconds < start + length || index === this.#sentences.length - 1)
        return { index, share: length === 0 ? 0 : Math.min(1, Math.max(0, (seconds - start) / length)) };
      start += length;
    }
    return { index: 0, share: 0 };
  }

  /** The share of a clip before one of its sentences. */
  shareBefore({ first, last }: Pick<Clip, "first" | "last">, index: number): number {
    return this.#lengthBetween(first, index) / Math.max(1, this.#lengthBetween(first, last + 1));
  }

  #lengthOf(index: number): number {
    return this.#sentences[index]?.length ?? 0;
  }

  #lengthBetween(first: number, end: number): number {
    let sum = 0;
    for (let index = first; index < end; index++) sum += this.#lengthOf(index);
    return sum;
  }
}
