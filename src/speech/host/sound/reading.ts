import { type ClipLoaderDeps, createClipLoader } from "./clipLoader.ts";
import { createPassages, type Passages, type PassagesDeps, type ReadingPassage } from "./passages.ts";

/** Fetches audio for the current sentence and prefetches the next. */
export interface Reading extends Pick<Passages, "missing" | "collect" | "textOf"> {
  readonly id: string;
  /** The current sentence. */
  index: number;
  /** Passages of several sentences, created when the reading was saved. */
  readonly passages: readonly ReadingPassage[];
  /** The view needs a sentence; `has` are the first sentences of its clips. Resolves when the next one is loaded. */
  want(index: number, has: readonly number[]): Promise<void>;
  /** The voice or another option was changed: later sentences are requested again. */
  changed(): void;
  stop(): void;
}

export interface ReadingDeps
  extends PassagesDeps,
    Pick<ClipLoaderDeps, "id" | "streams" | "post" | "onFailure"> {
  readonly index?: number;
}

export function createReading(deps: ReadingDeps): Reading {
  const { id, sentences, toRequest, post } = deps;
  let requested = -1;
  const passages = createPassages(deps);
  const clips = createClipLoader({
    ...deps,
    requestOf: (passage) => toRequest(passages.textOf(passage)),
    isCurrent: ({ first, last }) => first <= requested && requested <= last,
  });
  const reading: Reading = {
    id,
    index: deps.index ?? 0,
    get passages() {
      return passages.all;
    },
    textOf: passages.textOf,
    missing: passages.missing,
    collect: passages.collect,
    async want(index, has) {
      if (index >= sentences.length) return;
      requested = index;
      reading.index = index;
      clips.setLoaded(has);
      const passage = passages.at(index);
      const next = passage.last + 1;
      clips.cancelExcept([index, next]);
      const isLoaded = await clips.load(passage);
      // Prefetch one sentence, unless the user has moved on.
      if (isLoaded && requested === index && next < sentences.length) await clips.load(passages.at(next));
    },
    changed() {
      passages.clear();
      clips.forgetFailures();
      clips.cancelExcept([reading.index]);
      post({ v: 1, type: "forget", reading: id, after: reading.index });
    },
    stop() {
      requested = -1;
      clips.cancelExcept([]);
    },
  };
  return reading;
}
