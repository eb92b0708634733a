import type { AudioFormat } from "../../../api/endpoints/audio.ts";
import { joinBytes } from "../../../shared/bytes.ts";
import { joinAac, joinMp3 } from "./frames.ts";
import { joinOpus } from "./oggOpus.ts";
import { joinWav, pcmToWav } from "./wav.ts";

/** Joins the parts of a recording; undefined if the format does not allow it, or the parts are incompatible. */
export function joinSound(format: AudioFormat, parts: readonly Uint8Array[]): Uint8Array | undefined {
  const [first, ...others] = parts;
  if (!first) return undefined;
  switch (format) {
    case "mp3":
      return joinMp3(parts);
    case "aac":
      return joinAac(parts);
    case "wav":
      return joinWav(parts);
    case "pcm":
      return joinBytes(parts);
    case "opus":
      return others.length === 0 ? first : joinOpus(parts);
    case "flac":
      // FLAC frames are numbered per file and have two checksums, so they can't be joined by copying.
      return others.length === 0 ? first : undefined;
  }
}

/** The same samples in another container: PCM as WAV. */
export function asWav(parts: readonly Uint8Array[]): Uint8Array {
  return pcmToWav(joinBytes(parts));
}
