import { saveTo } from "../../../api/binary.ts";
import { ApiError } from "../../../api/errors/errors.ts";
import type { Client } from "../../../session/session.ts";
import { joinBytes } from "../../../shared/bytes.ts";
import { audioFormatOf } from "../formats/audioFormat.ts";
import { readWav, writeWav } from "../formats/wav.ts";
import type { Sound, SoundStore } from "./soundStore.ts";
import { type SpeechRequest, soundKey } from "./speechRequest.ts";

/** Receives a sound while it arrives. */
interface Listener {
  begin(format: Sound["format"]): void;
  piece(bytes: Uint8Array<ArrayBuffer>): void;
}

/** A sound that is being requested. */
export interface PendingAudio {
  /** The complete sound; rejects with ApiError. */
  readonly whole: Promise<Sound>;
  /** Cancels unless bytes have arrived; a response that has started is billed. */
  cancel(): void;
}

interface AskOptions {
  readonly streaming: boolean;
  readonly listener?: Listener;
}

interface SpeechClient extends Pick<Client, "api" | "root"> {
  readonly connection: Pick<Client["connection"], "kind">;
}

export interface SoundsDeps {
  readonly client: () => Promise<SpeechClient>;
  readonly store: SoundStore;
  /** A billed request got a response. */
  readonly onPaid: (request: SpeechRequest) => void;
}

/** The address of a service. The sandbox has another port at each start, but stays the same service. */
function serviceOf({ root, connection }: SpeechClient): string {
  return connection.kind === "sandbox" ? connection.kind : root;
}

interface InFlight extends PendingAudio {
  join(listener: Listener | undefined): void;
}

/** Source of sounds: the store, else the service. */
export class Sounds {
  readonly #deps: SoundsDeps;
  readonly #requests = new Map<string, InFlight>();

  constructor(deps: SoundsDeps) {
    this.#deps = deps;
  }

  /** Concurrent equal requests share one. `streaming` requests sentence by sentence. */
  ask(request: SpeechRequest, options: AskOptions): PendingAudio {
    const name = JSON.stringify(request);
    const running = this.#requests.get(name);
    if (running) {
      running.join(options.listener);
      return running;
    }
    const inFlight = startRequest(request, options, { ...this.#deps, keyOf: (key) => this.#keyOf(key) });
    this.#requests.set(name, inFlight);
    const settle = () => {
      if (this.#requests.get(name) === inFlight) this.#requests.delete(name);
    };
    inFlight.whole.then(settle, settle);
    return inFlight;
  }

  async isStored(request: SpeechRequest): Promise<boolean> {
    return this.#deps.store.has(await this.#keyOf(request));
  }

  async stored(request: SpeechRequest): Promise<Sound | undefined> {
    return this.#deps.store.get(await this.#keyOf(request));
  }

  async #keyOf(request: SpeechRequest): Promise<string> {
    return soundKey(serviceOf(await this.#deps.client()), request);
  }
}

function startRequest(
  request: SpeechRequest,
  { streaming, listener }: AskOptions,
  {
    client,
    store,
    onPaid,
    keyOf,
  }: SoundsDeps & { readonly keyOf: (request: SpeechRequest) => Promise<string> },
): InFlight {
  const ending = new AbortController();
  const listeners = new Set<Listener>(listener ? [listener] : []);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let format: Sound["format"] | undefined;
  const begin = (received: Sound["format"]) => {
    format = received;
    for (const each of listeners) each.begin(received);
  };
  const take = (piece: Uint8Array) => {
    // The transport may reuse the buffer of a piece.
    const bytes = new Uint8Array(piece);
    pieces.push(bytes);
    for (const each of listeners) each.piece(bytes);
  };
  const run = async (): Promise<Sound> => {
    const key = await keyOf(request);
    const cached = await store.get(key);
    if (cached) {
      begin(cached.format);
      take(cached.bytes);
      return cached;
    }
    if (ending.signal.aborted) throw new ApiError("cancelled", "cancelled", { mayHaveArrived: false });
    const { api } = await client();
    const reply = await api.audio.speech({ ...request, streaming }, { signal: ending.signal });
    onPaid(request);
    begin(audioFormatOf(reply.contentType, request.response_format));
    await saveTo(reply, take);
    const sound = withLength({ format: format ?? request.response_format, bytes: joinBytes(pieces) });
    await store.put(key, sound);
    return sound;
  };
  return {
    whole: run(),
    cancel() {
      if (format === undefined) ending.abort();
    },
    join(late) {
      if (!late) return;
      if (format !== undefined) late.begin(format);
      for (const piece of pieces) late.piece(piece);
      listeners.add(late);
    },
  };
}

/** A streamed WAV file has no length in its header; the stored file gets it. */
function withLength(sound: Sound): Sound {
  const wav = sound.format === "wav" ? readWav(sound.bytes) : undefined;
  return wav ? { format: "wav", bytes: writeWav(wav) } : sound;
}
