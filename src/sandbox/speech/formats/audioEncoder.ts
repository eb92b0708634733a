import type { AudioEncoder } from "./encoder.ts";
import type { WrittenFormat } from "./writtenFormats.ts";

/** Loads no more than the format takes. */
export async function createAudioEncoder(format: WrittenFormat): Promise<AudioEncoder> {
  switch (format) {
    case "mp3":
      return (await import("./mp3.ts")).createMp3Encoder();
    case "opus":
      return (await import("./opus.ts")).createOpusEncoder();
    case "wav":
      return (await import("./plain.ts")).createWavEncoder();
    case "pcm":
      return (await import("./plain.ts")).createPcmEncoder();
  }
}
