import type { ToPlayer } from "../protocol/speechProtocol.ts";
import { type Clip, createClip } from "./clip.ts";

/** The loaded clips of a text. Beyond a limit, those farthest from the current sentence are dropped. */
export interface Clips {
  /** The first sentence of each clip. */
  readonly firsts: number[];
  has(clip: Clip): boolean;
  get(id: string): Clip | undefined;
  /** The clip of this sentence. */
  at(index: number): Clip | undefined;
  /** Undefined if its sentences are already loaded. */
  add(message: Extract<ToPlayer, { readonly type: "clip" }>): Clip | undefined;
  drop(clip: Clip): void;
  /** Drops the clips that start after this sentence; all of them for -1. */
  dropAfter(index: number): void;
  /** Drops the clips beyond the limit that are farthest from this sentence. */
  evict(index: number): void;
  setRate(rate: number): void;
}

const most = 60;

export function createClips(place: HTMLElement, onDrop: (clip: Clip) => void): Clips {
  const known = new Map<string, Clip>();
  const at = (index: number) =>
    [...known.values()].find(({ first, last }) => first <= index && index <= last);
  const drop = (clip: Clip) => {
    known.delete(clip.id);
    onDrop(clip);
    clip.dispose();
  };
  return {
    get firsts() {
      return [...known.values()].map(({ first }) => first);
    },
    has: ({ id }) => known.has(id),
    get: (id) => known.get(id),
    at,
    add(message) {
      if (known.has(message.clip) || at(message.first)) return undefined;
      const clip = createClip(message, place);
      known.set(clip.id, clip);
      return clip;
    },
    drop,
    dropAfter(index) {
      for (const clip of [...known.values()]) if (clip.first > index) drop(clip);
    },
    evict(index) {
      const away = ({ first }: Clip) => Math.abs(first - index);
      const far = [...known.values()].sort((a, b) => away(b) - away(a));
      for (const clip of far.slice(0, Math.max(0, known.size - most))) drop(clip);
    },
    setRate(rate) {
      for (const { audio } of known.values()) audio.playbackRate = rate;
    },
  };
}
