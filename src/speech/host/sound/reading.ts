import { ClipLoader, type ClipLoaderDeps } from "./clipLoader.ts";
import { Passages, type PassagesDeps, type ReadingPassage } from "./passages.ts";
import type { Sound } from "./soundStore.ts";

export interface ReadingDeps
  extends PassagesDeps,
    Pick<ClipLoaderDeps, "id" | "streams" | "post" | "onFailure"> {
  readonly index?: number;
}

/** Fetches audio for the current sentence and prefetches the next. */
export class Reading {
  readonly #deps: ReadingDeps;
  #requested = -1;
  readonly #passages: Passages;
  readonly #clips: ClipLoader;
  readonly id: string;
  /** The current sentence. */
  index: number;

  constructor(deps: ReadingDeps) {
    this.#deps = deps;
    const { id, toRequest } = deps;
    this.#passages = new Passages(deps);
    this.#clips = new ClipLoader({
      ...deps,
      requestOf: (passage) => toRequest(this.#passages.textOf(passage)),
      isCurrent: ({ first, last }) => first <= this.#requested && this.#requested <= last,
    });
    this.id = id;
    this.index = deps.index ?? 0;
  }

  /** Passages of several sentences, created when the reading was saved. */
  get passages(): readonly ReadingPassage[] {
    return this.#passages.all;
  }

  missing(): Promise<readonly ReadingPassage[]> {
    return this.#passages.missing();
  }

  collect(signal: AbortSignal, report: (done: number, all: number) => void): Promise<readonly Sound[]> {
    return this.#passages.collect(signal, report);
  }

  textOf(passage: ReadingPassage): string {
    return this.#passages.textOf(passage);
  }

  /** The view needs a sentence; `has` are the first sentences of its clips. Resolves when the next one is loaded. */
  async want(index: number, has: readonly number[]): Promise<void> {
    if (index >= this.#deps.sentences.length) return;
    this.#requested = index;
    this.index = index;
    this.#clips.setLoaded(has);
    const passage = this.#passages.at(index);
    const next = passage.last + 1;
    this.#clips.cancelExcept([index, next]);
    const isLoaded = await this.#clips.load(passage);
    // Prefetch one sentence, unless the user has moved on.
    if (isLoaded && this.#requested === index && next < this.#deps.sentences.length)
      await this.#clips.load(this.#passages.at(next));
  }

  /** The voice or another option was changed: later sentences are requested again. */
  changed(): void {
    this.#passages.clear();
    this.#clips.forgetFailures();
    this.#clips.cancelExcept([this.index]);
    this.#deps.post({ v: 1, type: "forget", reading: this.#deps.id, after: this.index });
  }

  stop(): void {
    this.#requested = -1;
    this.#clips.cancelExcept([]);
  }
}
