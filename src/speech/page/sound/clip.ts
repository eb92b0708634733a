import type { SpeechFormat } from "../../../shared/sound/speechFormats.ts";
import type { ToPlayer } from "../../protocol/speechProtocol.ts";

type ClipMessage = Extract<ToPlayer, { readonly type: "clip" }>;

/** The audio of one or more sentences, with the element that plays it. */
export class Clip {
  readonly audio = document.createElement("audio");
  readonly #source: Source;
  readonly id: string;
  /** Range of sentences; the last is inclusive. */
  readonly first: number;
  readonly last: number;
  readonly format: SpeechFormat;
  /** True if the download was interrupted; the received part can be played. */
  isBroken = false;

  constructor(message: ClipMessage, place: HTMLElement) {
    this.audio.preload = "auto";
    place.append(this.audio);
    this.#source = message.streams
      ? streamInto(this.audio, message.mime)
      : gatherInto(this.audio, message.mime);
    this.id = message.clip;
    this.first = message.first;
    this.last = message.last;
    this.format = message.format;
  }

  /** True if it can be played: at once for streamed audio, else when it is complete. */
  get isReady(): boolean {
    return this.#source.isReady();
  }

  push(bytes: Uint8Array<ArrayBuffer>): void {
    this.#source.push(bytes);
  }

  /** The audio is complete. */
  end(): void {
    this.#source.end();
  }

  dispose(): void {
    this.audio.pause();
    const { src } = this.audio;
    this.audio.removeAttribute("src");
    this.audio.remove();
    URL.revokeObjectURL(src);
  }
}

interface Source {
  isReady(): boolean;
  push(bytes: Uint8Array<ArrayBuffer>): void;
  end(): void;
}

/** Plays audio while it arrives, through MediaSource. */
function streamInto(audio: HTMLAudioElement, mime: string): Source {
  const media = new MediaSource();
  const waiting: Uint8Array<ArrayBuffer>[] = [];
  let buffer: SourceBuffer | undefined;
  let isOver = false;
  const pump = () => {
    if (!buffer || buffer.updating || media.readyState !== "open") return;
    const next = waiting.shift();
    if (next) buffer.appendBuffer(next);
    else if (isOver) media.endOfStream();
  };
  media.addEventListener("sourceopen", () => {
    if (buffer) return;
    buffer = media.addSourceBuffer(mime);
    buffer.addEventListener("updateend", pump);
    pump();
  });
  audio.src = URL.createObjectURL(media);
  return {
    isReady: () => true,
    push(bytes) {
      waiting.push(bytes);
      pump();
    },
    end() {
      isOver = true;
      pump();
    },
  };
}

/** Plays audio when it is complete. */
function gatherInto(audio: HTMLAudioElement, mime: string): Source {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  return {
    isReady: () => audio.src !== "",
    push: (bytes) => void pieces.push(bytes),
    end() {
      audio.src = URL.createObjectURL(new Blob(pieces, { type: mime }));
    },
  };
}
