import type { AudioFormat } from "../../../api/endpoints/audio.ts";
import { joinBytes } from "./bytes.ts";
import { joinAac, joinMp3 } from "./frames.ts";
import { joinOpus } from "./oggOpus.ts";
import { joinWav, pcmToWav } from "./wav.ts";

/** The parts of a recording as one file; undefined where the format allows none, or the parts do not fit together. */
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
      // Each of its frames counts from the start of its file, under two checksums: it can't be put together unread.
      return others.length === 0 ? first : undefined;
  }
}

/** A recording as another file that holds the same samples: PCM as WAV. */
export function asWav(parts: readonly Uint8Array[]): Uint8Array {
  return pcmToWav(joinBytes(parts));
}
