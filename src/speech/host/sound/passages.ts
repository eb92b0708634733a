import { ApiError } from "../../../api/errors/errors.ts";
import { longestRequest, type Sentence } from "../text/toSentences.ts";
import type { Sound } from "./soundStore.ts";
import type { PendingAudio, Sounds } from "./sounds.ts";
import type { SpeechRequest } from "./speechRequest.ts";

/** Sentences of one request. */
export interface ReadingPassage {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** The text of a reading, divided into requests: each sentence alone, except in stored passages. */
export interface Passages {
  /** Passages of several sentences. */
  readonly all: readonly ReadingPassage[];
  at(index: number): ReadingPassage;
  textOf(passage: ReadingPassage): string;
  /** Requests each sentence alone again. */
  clear(): void;
  /** The passages that `collect` would request. */
  missing(): Promise<readonly ReadingPassage[]>;
  /** Requests all missing sounds, in as few requests as possible; returns all sounds in order. */
  collect(signal: AbortSignal, report: (done: number, all: number) => void): Promise<readonly Sound[]>;
}

export interface PassagesDeps {
  readonly sentences: readonly Sentence[];
  readonly passages?: readonly ReadingPassage[];
  readonly sounds: Sounds;
  readonly toRequest: (text: string) => SpeechRequest;
}

export function createPassages({ sentences, sounds, toRequest, ...from }: PassagesDeps): Passages {
  let all = from.passages ?? [];
  const at = (index: number): ReadingPassage =>
    all.find(({ first, last }) => first <= index && index <= last) ?? { first: index, last: index };
  const textOf = ({ first, last }: ReadingPassage) =>
    sentences
      .slice(first, last + 1)
      .map(({ text, startsBlock }, offset) => (offset === 0 ? text : `${startsBlock ? "\n\n" : " "}${text}`))
      .join("");
  const missing = async () => {
    const runs: ReadingPassage[] = [];
    for (let index = 0; index < sentences.length; ) {
      const passage = at(index);
      if (await sounds.isStored(toRequest(textOf(passage)))) {
        index = passage.last + 1;
        continue;
      }
      const last = runs.at(-1);
      const longer = last && last.last === index - 1 ? { first: last.first, last: index } : undefined;
      if (longer && textOf(longer).length <= longestRequest) runs[runs.length - 1] = longer;
      else runs.push({ first: index, last: index });
      index += 1;
    }
    return runs;
  };
  const storedSounds = async () => {
    const stored: Sound[] = [];
    for (let index = 0; index < sentences.length; ) {
      const passage = at(index);
      const sound = await sounds.stored(toRequest(textOf(passage)));
      if (!sound) throw new Error(`the sound of sentence ${index + 1} was deleted`);
      stored.push(sound);
      index = passage.last + 1;
    }
    return stored;
  };
  return {
    get all() {
      return all;
    },
    at,
    textOf,
    clear() {
      all = [];
    },
    missing,
    async collect(signal, report) {
      const runs = await missing();
      const found: ReadingPassage[] = [];
      for (const [done, run] of runs.entries()) {
        report(done, runs.length);
        if (signal.aborted) throw new ApiError("cancelled", "stopped", { mayHaveArrived: false });
        await untilWhole(sounds.ask(toRequest(textOf(run)), { streaming: false }), signal);
        // Each finished request is stored, even if others fail.
        found.push(run);
        all = [...all.filter((passage) => !isInside(passage, runs)), ...found.filter(isLong)];
      }
      report(runs.length, runs.length);
      return storedSounds();
    },
  };
}

function isInside({ first, last }: ReadingPassage, runs: readonly ReadingPassage[]): boolean {
  return runs.some((run) => run.first <= first && last <= run.last);
}

function isLong({ first, last }: ReadingPassage): boolean {
  return last > first;
}

async function untilWhole(pending: PendingAudio, signal: AbortSignal): Promise<void> {
  const cancel = () => pending.cancel();
  signal.addEventListener("abort", cancel);
  await pending.whole.finally(() => signal.removeEventListener("abort", cancel));
}
