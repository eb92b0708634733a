import { ApiError, isApiError } from "../../../api/errors.ts";
import type { ToPlayer } from "../../../shared/speechProtocol.ts";
import { playableTypes } from "../formats/audioFormat.ts";
import { pcmToWav } from "../formats/wav.ts";
import { longestRequest, type Sentence } from "../text/toSentences.ts";
import type { Sound } from "./soundStore.ts";
import type { PendingAudio, Sounds } from "./sounds.ts";
import type { SpeechRequest } from "./speechRequest.ts";

/** Sentences of one request. */
interface ReadingPassage {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** Fetches audio for the current sentence and prefetches the next. */
export interface Reading {
  readonly id: string;
  /** The current sentence. */
  index: number;
  /** Passages of several sentences, created when the reading was saved. */
  readonly passages: readonly ReadingPassage[];
  /** The view needs a sentence; `has` are the first sentences of its clips. Resolves when the next one is loaded. */
  want(index: number, has: readonly number[]): Promise<void>;
  /** The voice or another option was changed: later sentences are requested again. */
  changed(): void;
  /** Requests all missing sounds, in as few requests as possible; returns all sounds in order. */
  collect(signal: AbortSignal, report: (done: number, all: number) => void): Promise<readonly Sound[]>;
  /** The passages that `collect` would request. */
  missing(): Promise<readonly ReadingPassage[]>;
  textOf(passage: ReadingPassage): string;
  stop(): void;
}

export interface ReadingDeps {
  readonly id: string;
  readonly sentences: readonly Sentence[];
  readonly passages?: readonly ReadingPassage[];
  readonly index?: number;
  readonly sounds: Sounds;
  readonly toRequest: (text: string) => SpeechRequest;
  /** True if the view plays this while it arrives. */
  readonly streams: (request: SpeechRequest) => boolean;
  readonly post: (message: ToPlayer) => void;
  readonly onFailure: (error: unknown, index: number) => void;
}

interface OnItsWay {
  readonly passage: ReadingPassage;
  readonly coming: PendingAudio;
}

export function createReading(deps: ReadingDeps): Reading {
  const { id, sentences, sounds, toRequest, post } = deps;
  let passages = deps.passages ?? [];
  let clips = 0;
  let wanted = -1;
  let held = new Set<number>();
  const onTheirWay = new Map<number, OnItsWay>();
  /** Errors of prefetching. Such a request may have been billed, so only the user repeats it. */
  const failed = new Map<number, unknown>();
  const passageAt = (index: number): ReadingPassage =>
    passages.find(({ first, last }) => first <= index && index <= last) ?? { first: index, last: index };
  const textOf = ({ first, last }: ReadingPassage) =>
    sentences
      .slice(first, last + 1)
      .map(({ text, startsBlock }, at) => (at === 0 ? text : `${startsBlock ? "\n\n" : " "}${text}`))
      .join("");

  /** Resolves when the passage is complete; an error is reported and its state is cleared. */
  const load = async (index: number): Promise<boolean> => {
    const passage = passageAt(index);
    const { first } = passage;
    if (held.has(first) && !onTheirWay.has(first)) return true;
    const running = onTheirWay.get(first);
    if (running) return running.coming.whole.then(alwaysTrue, alwaysFalse);
    const earlier = failed.get(first);
    if (earlier !== undefined) {
      failed.delete(first);
      deps.onFailure(earlier, index);
      return false;
    }
    const request = toRequest(textOf(passage));
    const streaming = deps.streams(request);
    const clip = `${id}-${clips++}`;
    const sender = clipSender({ clip, passage, reading: id, streaming, post });
    const coming = sounds.ask(request, { streaming, ...(streaming ? { listener: sender } : {}) });
    onTheirWay.set(first, { passage, coming });
    held.add(first);
    try {
      const sound = await coming.whole;
      if (!streaming) sender.whole(sound);
      post({ v: 1, type: "clipEnd", clip });
      return true;
    } catch (error) {
      held.delete(first);
      post({ v: 1, type: "clipFailed", reading: id, clip, index: first });
      if (isCalledOff(error)) return false;
      if (passage.first <= wanted && wanted <= passage.last) deps.onFailure(error, index);
      else failed.set(first, error);
      return false;
    } finally {
      onTheirWay.delete(first);
    }
  };
  const callOffAllBut = (near: readonly number[]) => {
    for (const { passage, coming } of onTheirWay.values())
      if (!near.some((index) => passage.first <= index && index <= passage.last)) coming.cancel();
  };
  const reading: Reading = {
    id,
    index: deps.index ?? 0,
    get passages() {
      return passages;
    },
    textOf,
    async want(index, has) {
      if (index >= sentences.length) return;
      wanted = index;
      reading.index = index;
      held = new Set([...has, ...onTheirWay.keys()]);
      const next = passageAt(index).last + 1;
      callOffAllBut([index, next]);
      const isThere = await load(index);
      // Prefetches one sentence, unless the user has moved on.
      if (isThere && wanted === index && next < sentences.length) await load(next);
    },
    changed() {
      passages = [];
      failed.clear();
      callOffAllBut([reading.index]);
      post({ v: 1, type: "forget", reading: id, after: reading.index });
    },
    async missing() {
      const covered = async (index: number) => {
        const passage = passageAt(index);
        return (await sounds.isStored(toRequest(textOf(passage)))) ? passage : undefined;
      };
      const runs: ReadingPassage[] = [];
      for (let index = 0; index < sentences.length; ) {
        const there = await covered(index);
        if (there) {
          index = there.last + 1;
          continue;
        }
        const last = runs.at(-1);
        const longer = last && last.last === index - 1 ? { first: last.first, last: index } : undefined;
        if (longer && textOf(longer).length <= longestRequest) runs[runs.length - 1] = longer;
        else runs.push({ first: index, last: index });
        index += 1;
      }
      return runs;
    },
    async collect(signal, report) {
      const missing = await reading.missing();
      const inside = ({ first, last }: ReadingPassage) =>
        missing.some((run) => run.first <= first && last <= run.last);
      const found: ReadingPassage[] = [];
      let done = 0;
      for (const run of missing) {
        report(done, missing.length);
        if (signal.aborted) throw new ApiError("cancelled", "stopped", { mayHaveArrived: false });
        const coming = sounds.ask(toRequest(textOf(run)), { streaming: false });
        const callOff = () => coming.cancel();
        signal.addEventListener("abort", callOff);
        await coming.whole.finally(() => signal.removeEventListener("abort", callOff));
        found.push(run);
        // Each finished request is stored, even if others fail.
        passages = [
          ...passages.filter((one) => !inside(one)),
          ...found.filter(({ first, last }) => last > first),
        ];
        done += 1;
      }
      report(done, missing.length);
      const all: Sound[] = [];
      for (let index = 0; index < sentences.length; ) {
        const passage = passageAt(index);
        const sound = await sounds.stored(toRequest(textOf(passage)));
        if (!sound) throw new Error(`the sound of sentence ${index + 1} is gone`);
        all.push(sound);
        index = passage.last + 1;
      }
      return all;
    },
    stop() {
      wanted = -1;
      callOffAllBut([]);
    },
  };
  return reading;
}

const alwaysTrue = () => true;
const alwaysFalse = () => false;

function isCalledOff(error: unknown): boolean {
  return isApiError(error) && error.kind === "cancelled";
}

interface ClipFacts {
  readonly clip: string;
  readonly passage: ReadingPassage;
  readonly reading: string;
  readonly streaming: boolean;
  readonly post: (message: ToPlayer) => void;
}

/** Sends a clip to the view, in pieces or as a whole. */
function clipSender({ clip, passage, reading, streaming, post }: ClipFacts) {
  const begin = (format: Sound["format"]) =>
    post({
      v: 1,
      type: "clip",
      reading,
      clip,
      ...passage,
      format,
      mime: playableTypes[format],
      streams: streaming && format === "mp3",
    });
  const piece = (bytes: Uint8Array<ArrayBuffer>) => post({ v: 1, type: "piece", clip, bytes });
  return {
    begin,
    piece,
    whole({ format, bytes }: Sound) {
      begin(format);
      piece(format === "pcm" ? pcmToWav(bytes) : bytes);
    },
  };
}
