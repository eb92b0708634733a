import { pcmBytes, wavHead } from "../wav.ts";
import type { AudioEncoder } from "./encoder.ts";

const nothing = new Uint8Array();

export function createPcmEncoder(): AudioEncoder {
  return { encode: pcmBytes, finish: () => nothing };
}

/** The head leaves the length open, as nobody knows it yet. */
export function createWavEncoder(): AudioEncoder {
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
