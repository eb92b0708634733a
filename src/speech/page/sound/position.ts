import { type ReadonlySignal, signal } from "@preact/signals";
import type { Clip } from "./clip.ts";
import { Timeline } from "./timeline.ts";

/** After this time, in seconds, "previous" restarts the current sentence. */
const restartSeconds = 2;

/** The position in a text: a sentence, and a time within it. */
export class Position {
  readonly #index = signal(0);
  readonly #time = signal({ elapsed: 0, total: 0 });
  #timeline: Timeline = new Timeline([]);
  #share = 0;
  /** The current sentence. */
  readonly index: ReadonlySignal<number> = this.#index;
  /** Elapsed and total seconds, as far as they are known. */
  readonly time: ReadonlySignal<{ readonly elapsed: number; readonly total: number }> = this.#time;

  /** The share of the sentence, 0 to 1, at which it starts. */
  get share(): number {
    return this.#share;
  }

  load(sentences: readonly string[]): void {
    this.#timeline = new Timeline(sentences);
  }

  /** The duration of a clip is known now. */
  learn(clip: Clip): void {
    this.#timeline.learn(clip);
  }

  moveTo(to: number, from: number): void {
    this.#index.value = to;
    this.#share = from;
  }

  /** The position in seconds of a clip, which plays from there on. */
  enter(clip: Clip): number {
    const duration = durationOf(clip);
    const before = this.#timeline.shareBefore(clip, this.#index.value);
    const inSentence = (this.#share * this.#timeline.secondsOf(this.#index.value)) / (duration || 1);
    this.#share = 0;
    return duration * Math.min(0.999, before + inSentence);
  }

  /** Updates the time; `clip` is the one that plays. */
  update(clip: Clip | undefined): void {
    const inside = clip
      ? clip.audio.currentTime - durationOf(clip) * this.#timeline.shareBefore(clip, this.#index.value)
      : this.#share * this.#timeline.secondsOf(this.#index.value);
    this.#time.value = {
      elapsed: this.#timeline.startOf(this.#index.value) + Math.max(0, inside),
      total: this.#timeline.total,
    };
  }

  /** The sentence of a clip with several, estimated by its share of the text. True if it is another one. */
  follow(clip: Clip): boolean {
    if (clip.first === clip.last || !Number.isFinite(clip.audio.duration)) return false;
    const played = clip.audio.currentTime / clip.audio.duration;
    let at = clip.first;
    while (at < clip.last && this.#timeline.shareBefore(clip, at + 1) <= played) at += 1;
    const isOther = at !== this.#index.value;
    this.#index.value = at;
    return isOther;
  }

  /** The sentence at a time, and the elapsed share of it. */
  at(seconds: number): { readonly index: number; readonly share: number } {
    return this.#timeline.at(seconds);
  }

  /** The previous sentence, or the current one after its first seconds. */
  previous(): number {
    const inside = this.#time.value.elapsed - this.#timeline.startOf(this.#index.value);
    return inside > restartSeconds ? this.#index.value : Math.max(0, this.#index.value - 1);
  }
}

/** Streamed audio has no duration before it ends. */
function durationOf({ audio }: Clip): number {
  return Number.isFinite(audio.duration) ? audio.duration : 0;
}
