import type { AudioEncoder, WrittenFormat } from "../sound.ts";
import { pcmBytes, wavHead } from "../wav.ts";

/** Loads only the encoder of the format. */
export async function createAudioEncoder(format: WrittenFormat): Promise<AudioEncoder> {
  switch (format) {
    case "mp3":
      return (await import("./mp3.ts")).createMp3Encoder();
    case "opus":
      return (await import("./opus.ts")).createOpusEncoder();
    case "aac":
      return (await import("./aac.ts")).createAacEncoder();
    case "flac":
      return (await import("./flac.ts")).createFlacEncoder();
    case "wav":
      return createWavEncoder();
    case "pcm":
      return createPcmEncoder();
  }
}

const nothing = new Uint8Array();

function createPcmEncoder(): AudioEncoder {
  return { encode: pcmBytes, finish: () => nothing };
}

/** The header has no length, because it is not known yet. */
function createWavEncoder(): AudioEncoder {
  let head = wavHead();
  return {
    encode(samples) {
      const piece = Buffer.concat([head, pcmBytes(samples)]);
      head = nothing;
      return piece;
    },
    finish: () => head,
  };
}
