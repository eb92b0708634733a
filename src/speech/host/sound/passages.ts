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

/** More would meet the limits of requests per minute. */
const requestsAtOnce = 4;

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

  /**
   * Requests all missing sounds, in as few requests as possible and a few of them at once; returns all sounds in order.
   * After a failure, and after `signal`, nothing more is requested, and what has begun to arrive is stored.
   */
  async collect(signal: AbortSignal, report: (done: number, all: number) => void): Promise<readonly Sound[]> {
    const runs = await this.missing();
    const waiting = [...runs];
    const found: ReadingPassage[] = [];
    const failures: unknown[] = [];
    report(0, runs.length);
    const work = async () => {
      while (failures.length === 0 && !signal.aborted) {
        const run = waiting.shift();
        if (!run) return;
        try {
          await untilWhole(this.#sounds.ask(this.#toRequest(this.textOf(run)), { streaming: false }), signal);
        } catch (error) {
          failures.push(error);
          return;
        }
        // Each finished request is stored, even if others fail.
        found.push(run);
        this.#all = [...this.#all.filter((passage) => !isInside(passage, runs)), ...found.filter(isLong)];
        report(found.length, runs.length);
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, work));
    if (signal.aborted) throw new ApiError("cancelled", "stopped", { mayHaveArrived: false });
    if (failures.length > 0) throw failures[0];
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
