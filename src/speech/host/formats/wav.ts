import { joinBytes, latin1, viewOf } from "../../../shared/bytes.ts";

/** The audio data of a WAV file. */
export interface WavSound {
  /** The `fmt ` chunk, without its header. */
  readonly format: Uint8Array;
  readonly samples: Uint8Array;
}

/**
 * Format of headerless PCM: little-endian 16-bit samples of one channel at 24 kHz. The service does not document it
 * (wire.md section 7); similar services use this format.
 */
const pcmRate = 24_000;

/** Undefined if it is not a WAV file. A length beyond the end, as streamed files have, means up to the end. */
export function readWav(bytes: Uint8Array): WavSound | undefined {
  if (bytes.length < 12 || latin1(bytes, 0, 4) !== "RIFF" || latin1(bytes, 8, 12) !== "WAVE")
    return undefined;
  const view = viewOf(bytes);
  let format: Uint8Array | undefined;
  let start = 12;
  while (start + 8 <= bytes.length) {
    const name = latin1(bytes, start, start + 4);
    const length = view.getUint32(start + 4, true);
    const content = bytes.subarray(start + 8, Math.min(bytes.length, start + 8 + length));
    if (name === "fmt ") format = content;
    if (name === "data") return format && { format, samples: content };
    start += 8 + length + (length % 2);
  }
  return undefined;
}

export function writeWav({ format, samples }: WavSound): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(20);
  const view = viewOf(head);
  head.set(ascii("RIFF"), 0);
  view.setUint32(4, 4 + 8 + format.length + 8 + samples.length, true);
  head.set(ascii("WAVEfmt "), 8);
  view.setUint32(16, format.length, true);
  const dataHead = new Uint8Array(8);
  dataHead.set(ascii("data"), 0);
  viewOf(dataHead).setUint32(4, samples.length, true);
  return joinBytes([head, format, dataHead, samples]);
}

/** Adds a WAV header to headerless samples. */
export function pcmToWav(samples: Uint8Array, rate = pcmRate): Uint8Array<ArrayBuffer> {
  const format = new Uint8Array(16);
  const view = viewOf(format);
  view.setUint16(0, 1, true);
  view.setUint16(2, 1, true);
  view.setUint32(4, rate, true);
  view.setUint32(8, rate * 2, true);
  view.setUint16(12, 2, true);
  view.setUint16(14, 16, true);
  return writeWav({ format, samples: samples.subarray(0, samples.length - (samples.length % 2)) });
}

/** Duration in seconds; undefined if the header is incomplete. */
export function wavSeconds({ format, samples }: WavSound): number | undefined {
  const bytesPerSecond = format.length >= 12 ? viewOf(format).getUint32(8, true) : 0;
  return bytesPerSecond > 0 ? samples.length / bytesPerSecond : undefined;
}

/** Joins files with the same sample format; undefined if the formats differ. */
export function joinWav(files: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | undefined {
  const sounds = files.map(readWav);
  const [first] = sounds;
  if (!first) return undefined;
  const kind = first.format.join();
  const samples = sounds.flatMap((sound) => (sound?.format.join() === kind ? [sound.samples] : []));
  return samples.length === files.length
    ? writeWav({ format: first.format, samples: joinBytes(samples) })
    : undefined;
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
