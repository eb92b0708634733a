import type { SpeechFormat } from "../../shared/sound/speechFormats.ts";
import type { ToPlayer } from "../protocol/speechProtocol.ts";

type ClipMessage = Extract<ToPlayer, { readonly type: "clip" }>;

/** The audio of one or more sentences, with the element that plays it. */
export interface Clip {
  readonly id: string;
  /** Range of sentences; the last is inclusive. */
  readonly first: number;
  readonly last: number;
  readonly format: SpeechFormat;
  readonly audio: HTMLAudioElement;
  /** True if it can be played: at once for streamed audio, else when it is complete. */
  readonly isReady: boolean;
  /** True if the download was interrupted; the received part can be played. */
  isBroken: boolean;
  push(bytes: Uint8Array<ArrayBuffer>): void;
  /** The audio is complete. */
  end(): void;
  dispose(): void;
}

export function createClip(message: ClipMessage, place: HTMLElement): Clip {
  const audio = document.createElement("audio");
  audio.preload = "auto";
  place.append(audio);
  const source = message.streams ? streamInto(audio, message.mime) : gatherInto(audio, message.mime);
  return {
    id: message.clip,
    first: message.first,
    last: message.last,
    format: message.format,
    audio,
    isBroken: false,
    get isReady() {
      return source.isReady();
    },
    push: source.push,
    end: source.end,
    dispose() {
      audio.pause();
      const { src } = audio;
      audio.removeAttribute("src");
      audio.remove();
      URL.revokeObjectURL(src);
    },
  };
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
