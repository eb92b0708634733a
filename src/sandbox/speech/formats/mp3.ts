import { createEncoder } from "wasm-media-encoders";
import { compileWasm } from "../../work/wasm.ts";
import type { AudioEncoder } from "../sound.ts";
import { sampleRate } from "../sound.ts";

/** kbit/s; speech at this rate has no audible flaw. */
const bitrate = 64;

/** The encoder's WebAssembly is LAME, under the LGPL: it stays a file of its own, that anybody may replace. */
export async function createMp3Encoder(): Promise<AudioEncoder> {
  const encoder = await createEncoder("audio/mpeg", await compileWasm("wasm-media-encoders/wasm/mp3"));
  encoder.configure({ sampleRate, channels: 1, bitrate });
  return {
    // The encoder reuses its memory, so what it returns has to be copied.
    encode: (samples) => encoder.encode([Float32Array.from(samples, (sample) => sample / 32_768)]).slice(),
    finish: () => encoder.finalize().slice(),
  };
}
