import type { ToPlayer } from "../../protocol/speechProtocol.ts";
import { Clip } from "./clip.ts";

const most = 60;

/** The loaded clips of a text. Beyond a limit, those farthest from the current sentence are dropped. */
export class Clips {
  readonly #place: HTMLElement;
  readonly #onDrop: (clip: Clip) => void;
  readonly #known = new Map<string, Clip>();

  constructor(place: HTMLElement, onDrop: (clip: Clip) => void) {
    this.#place = place;
    this.#onDrop = onDrop;
  }

  /** The first sentence of each clip. */
  get firsts(): number[] {
    return [...this.#known.values()].map(({ first }) => first);
  }

  has({ id }: Clip): boolean {
    return this.#known.has(id);
  }

  get(id: string): Clip | undefined {
    return this.#known.get(id);
  }

  /** The clip of this sentence. */
  at(index: number): Clip | undefined {
    return [...this.#known.values()].find(({ first, last }) => first <= index && index <= last);
  }

  /** Undefined if its sentences are already loaded. */
  add(message: Extract<ToPlayer, { readonly type: "clip" }>): Clip | undefined {
    if (this.#known.has(message.clip) || this.at(message.first)) return undefined;
    const clip = new Clip(message, this.#place);
    this.#known.set(clip.id, clip);
    return clip;
  }

  drop(clip: Clip): void {
    this.#known.delete(clip.id);
    this.#onDrop(clip);
    clip.dispose();
  }

  /** Drops the clips that start after this sentence; all of them for -1. */
  dropAfter(index: number): void {
    for (const clip of [...this.#known.values()]) if (clip.first > index) this.drop(clip);
  }

  /** Drops the clips beyond the limit that are farthest from this sentence. */
  evict(index: number): void {
    const away = ({ first }: Clip) => Math.abs(first - index);
    const far = [...this.#known.values()].sort((a, b) => away(b) - away(a));
    for (const clip of far.slice(0, Math.max(0, this.#known.size - most))) this.drop(clip);
  }

  setRate(rate: number): void {
    for (const { audio } of this.#known.values()) audio.playbackRate = rate;
  }
}
