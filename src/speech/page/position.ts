import { type ReadonlySignal, signal } from "@preact/signals";
import type { Clip } from "./clip.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

/** The position in a text: a sentence, and a time within it. */
export interface Position {
  /** The current sentence. */
  readonly index: ReadonlySignal<number>;
  /** Elapsed and total seconds, as far as they are known. */
  readonly time: ReadonlySignal<{ readonly elapsed: number; readonly total: number }>;
  /** The share of the sentence, 0 to 1, at which it starts. */
  readonly share: number;
  load(sentences: readonly string[]): void;
  /** The duration of a clip is known now. */
  learn(clip: Clip): void;
  moveTo(index: number, share: number): void;
  /** The position in seconds of a clip, which plays from there on. */
  enter(clip: Clip): number;
  /** Updates the time; `clip` is the one that plays. */
  update(clip: Clip | undefined): void;
  /** The sentence of a clip with several, estimated by its share of the text. True if it is another one. */
  follow(clip: Clip): boolean;
  /** The sentence at a time, and the elapsed share of it. */
  at(seconds: number): { readonly index: number; readonly share: number };
  /** The previous sentence, or the current one after its first seconds. */
  previous(): number;
}

/** After this time, in seconds, "previous" restarts the current sentence. */
const restartSeconds = 2;

export function createPosition(): Position {
  const index = signal(0);
  const time = signal({ elapsed: 0, total: 0 });
  let timeline: Timeline = createTimeline([]);
  let share = 0;
  return {
    index,
    time,
    get share() {
      return share;
    },
    load(sentences) {
      timeline = createTimeline(sentences);
    },
    learn: (clip) => timeline.learn(clip),
    moveTo(to, from) {
      index.value = to;
      share = from;
    },
    enter(clip) {
      const duration = durationOf(clip);
      const before = timeline.shareBefore(clip, index.value);
      const inSentence = (share * timeline.secondsOf(index.value)) / (duration || 1);
      share = 0;
      return duration * Math.min(0.999, before + inSentence);
    },
    update(clip) {
      const inside = clip
        ? clip.audio.currentTime - durationOf(clip) * timeline.shareBefore(clip, index.value)
        : share * timeline.secondsOf(index.value);
      time.value = { elapsed: timeline.startOf(index.value) + Math.max(0, inside), total: timeline.total };
    },
    follow(clip) {
      if (clip.first === clip.last || !Number.isFinite(clip.audio.duration)) return false;
      const played = clip.audio.currentTime / clip.audio.duration;
      let at = clip.first;
      while (at < clip.last && timeline.shareBefore(clip, at + 1) <= played) at += 1;
      const isOther = at !== index.value;
      index.value = at;
      return isOther;
    },
    at: (seconds) => timeline.at(seconds),
    previous() {
      const inside = time.value.elapsed - timeline.startOf(index.value);
      return inside > restartSeconds ? index.value : Math.max(0, index.value - 1);
    },
  };
}

/** Streamed audio has no duration before it ends. */
function durationOf({ audio }: Clip): number {
  return Number.isFinite(audio.duration) ? audio.duration : 0;
}
