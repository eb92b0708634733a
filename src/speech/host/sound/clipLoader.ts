import { isCancelled } from "../../../api/errors/errors.ts";
import type { ToPlayer } from "../../protocol/speechProtocol.ts";
import { playableTypes } from "../formats/audioFormat.ts";
import { pcmToWav } from "../formats/wav.ts";
import type { ReadingPassage } from "./passages.ts";
import type { Sound } from "./soundStore.ts";
import type { PendingAudio, Sounds } from "./sounds.ts";
import type { SpeechRequest } from "./speechRequest.ts";

export interface ClipLoaderDeps {
  /** Id of the reading. */
  readonly id: string;
  readonly sounds: Sounds;
  readonly requestOf: (passage: ReadingPassage) => SpeechRequest;
  /** True if the player plays this while it arrives. */
  readonly streams: (request: SpeechRequest) => boolean;
  readonly isCurrent: (passage: ReadingPassage) => boolean;
  readonly post: (message: ToPlayer) => void;
  /** `voice` is that of the request; empty for the model's own. */
  readonly onFailure: (error: unknown, voice: string) => void;
}

interface PendingClip {
  readonly passage: ReadingPassage;
  readonly audio: PendingAudio;
}

/** Requests the clips of a reading and sends them to the player. */
export class ClipLoader {
  readonly #deps: ClipLoaderDeps;
  #clips = 0;
  #loaded = new Set<number>();
  readonly #pending = new Map<number, PendingClip>();
  /** Errors of prefetching. Such a request may have been billed, so only the user repeats it. */
  readonly #failed = new Map<number, { readonly error: unknown; readonly voice: string }>();

  constructor(deps: ClipLoaderDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with true when the player has the whole clip. A failure is reported if its passage is current, else when
   * it is loaded again.
   */
  async load(passage: ReadingPassage): Promise<boolean> {
    const { first } = passage;
    const running = this.#pending.get(first);
    if (running) {
      return running.audio.whole.then(
        () => true,
        () => false,
      );
    }
    if (this.#loaded.has(first)) return true;
    const earlier = this.#failed.get(first);
    if (earlier === undefined) return this.#request(passage);
    this.#failed.delete(first);
    this.#deps.onFailure(earlier.error, earlier.voice);
    return false;
  }

  /** The player has these clips, named by their first sentences. */
  setLoaded(firsts: readonly number[]): void {
    this.#loaded = new Set([...firsts, ...this.#pending.keys()]);
  }

  /** Cancels all requests except for these sentences. */
  cancelExcept(indexes: readonly number[]): void {
    for (const { passage, audio } of this.#pending.values())
      if (!indexes.some((index) => passage.first <= index && index <= passage.last)) audio.cancel();
  }

  forgetFailures(): void {
    this.#failed.clear();
  }

  async #request(passage: ReadingPassage): Promise<boolean> {
    const { id, sounds, requestOf, streams, isCurrent, post, onFailure } = this.#deps;
    const { first } = passage;
    const toSend = requestOf(passage);
    const streaming = streams(toSend);
    const clip = `${id}-${this.#clips++}`;
    const sender = createClipSender({ clip, passage, reading: id, streaming, post });
    const audio = sounds.ask(toSend, { streaming, ...(streaming ? { listener: sender } : {}) });
    this.#pending.set(first, { passage, audio });
    this.#loaded.add(first);
    try {
      const sound = await audio.whole;
      if (!streaming) sender.whole(sound);
      post({ v: 1, type: "clipEnd", clip });
      return true;
    } catch (error) {
      this.#loaded.delete(first);
      post({ v: 1, type: "clipFailed", reading: id, clip, index: first });
      if (isCancelled(error)) return false;
      const { voice = "" } = toSend;
      if (isCurrent(passage)) onFailure(error, voice);
      else this.#failed.set(first, { error, voice });
      return false;
    } finally {
      this.#pending.delete(first);
    }
  }
}

interface ClipFacts {
  readonly clip: string;
  readonly passage: ReadingPassage;
  readonly reading: string;
  readonly streaming: boolean;
  readonly post: (message: ToPlayer) => void;
}

/** Sends a clip to the player, in pieces or as a whole. */
function createClipSender({ clip, passage, reading, streaming, post }: ClipFacts) {
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
