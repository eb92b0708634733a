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

export interface PassagesDeps {
  readonly sentences: readonly Sentence[];
  readonly passages?: readonly ReadingPassage[];
  readonly sounds: Sounds;
  readonly toRequest: (text: string) => SpeechRequest;
}

/** The text of a reading, divided into requests: each sentence alone, except in stored passages. */
export class Passages {
  readonly #sentences: readonly Sentence[];
  readonly #sounds: Sounds;
  readonly #toRequest: (text: string) => SpeechRequest;
  #all: readonly ReadingPassage[];

  constructor({ sentences, sounds, toRequest, ...from }: PassagesDeps) {
    this.#sentences = sentences;
    this.#sounds = sounds;
    this.#toRequest = toRequest;
    this.#all = from.passages ?? [];
  }

  /** Passages of several sentences. */
  get all(): readonly ReadingPassage[] {
    return this.#all;
  }

  at(index: number): ReadingPassage {
    return (
      this.#all.find(({ first, last }) => first <= index && index <= last) ?? { first: index, last: index }
    );
  }

  textOf({ first, last }: ReadingPassage): string {
    return this.#sentences
      .slice(first, last + 1)
      .map(({ text, startsBlock }, offset) => (offset === 0 ? text : `${startsBlock ? "\n\n" : " "}${text}`))
      .join("");
  }

  /** Requests each sentence alone again. */
  clear(): void {
    this.#all = [];
  }

  /** The passages that `collect` would request. */
  async missing(): Promise<readonly ReadingPassage[]> {
    const runs: ReadingPassage[] = [];
    for (let index = 0; index < this.#sentences.length; ) {
      const passage = this.at(index);
      if (await this.#sounds.isStored(this.#toRequest(this.textOf(passage)))) {
        index = passage.last + 1;
        continue;
      }
      const last = runs.at(-1);
      const longer = last && last.last === index - 1 ? { first: last.first, last: index } : undefined;
      if (longer && this.textOf(longer).length <= longestRequest) runs[runs.length - 1] = longer;
      else runs.push({ first: index, last: index });
      index += 1;
    }
    return runs;
  }

  /** Requests all missing sounds, in as few requests as possible; returns all sounds in order. */
  async collect(signal: AbortSignal, report: (done: number, all: number) => void): Promise<readonly Sound[]> {
    const runs = await this.missing();
    const found: ReadingPassage[] = [];
    for (const [done, run] of runs.entries()) {
      report(done, runs.length);
      if (signal.aborted) throw new ApiError("cancelled", "stopped", { mayHaveArrived: false });
      await untilWhole(this.#sounds.ask(this.#toRequest(this.textOf(run)), { streaming: false }), signal);
      // Each finished request is stored, even if others fail.
      found.push(run);
      this.#all = [...this.#all.filter((passage) => !isInside(passage, runs)), ...found.filter(isLong)];
    }
    report(runs.length, runs.length);
    return this.#storedSounds();
  }

  async #storedSounds(): Promise<Sound[]> {
    const stored: Sound[] = [];
    for (let index = 0; index < this.#sentences.length; ) {
      const passage = this.at(index);
      const sound = await this.#sounds.stored(this.#toRequest(this.textOf(passage)));
      if (!sound) throw new Error(`the sound of sentence ${index + 1} was deleted`);
      stored.push(sound);
      index = passage.last + 1;
    }
    return stored;
  }
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
