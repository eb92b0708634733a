import { createEncoder } from "wasm-media-encoders";
import { compileWasm } from "../../work/wasm.ts";
import type { AudioEncoder } from "../sound.ts";
import { sampleRate } from "../sound.ts";

/** kbit/s, enough for speech. */
const bitrate = 64;

/** The encoder's WebAssembly is LAME (LGPL), so it stays a separate, replaceable file. */
export async function createMp3Encoder(): Promise<AudioEncoder> {
  const encoder = await createEncoder("audio/mpeg", await compileWasm("wasm-media-encoders/wasm/mp3"));
  encoder.configure({ sampleRate, channels: 1, bitrate });
  return {
    // A copy, because the encoder reuses its memory.
    encode: (samples) => encoder.encode([Float32Array.from(samples, (sample) => sample / 32_768)]).slice(),
    finish: () => encoder.finalize().slice(),
  };
}
