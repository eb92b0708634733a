import { compileWasm } from "../../work/wasm.ts";
import type { Samples } from "../sound.ts";

/** The used exports of libopus. Pointers are offsets into its memory. */
interface Libopus {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  opus_encoder_get_size(channels: number): number;
  opus_encoder_init(encoder: number, sampleRate: number, channels: number, application: number): number;
  opus_encode(encoder: number, samples: number, count: number, packet: number, maxBytes: number): number;
}

const maxPacketBytes = 1275;
/** OPUS_APPLICATION_VOIP: tuned for speech. */
const forSpeech = 2048;

/** Encodes mono frames at `sampleRate` as packets. */
export async function createFrameEncoder(
  sampleRate: number,
  frameSamples: number,
): Promise<(frame: Samples) => Uint8Array> {
  const lib = await load();
  const encoder = lib.malloc(lib.opus_encoder_get_size(1));
  const input = lib.malloc(frameSamples * 2);
  const output = lib.malloc(maxPacketBytes);
  checked(lib.opus_encoder_init(encoder, sampleRate, 1, forSpeech));
  return (frame) => {
    // The buffer changes when the memory grows.
    new Int16Array(lib.memory.buffer, input, frameSamples).set(frame);
    const length = checked(lib.opus_encode(encoder, input, frameSamples, output, maxPacketBytes));
    return new Uint8Array(lib.memory.buffer, output, length).slice();
  };
}

async function load(): Promise<Libopus> {
  const nothing = () => 0;
  const instance = await WebAssembly.instantiate(await compileWasm("@evan/opus/wasm/opus.wasm"), {
    wasi_snapshot_preview1: { fd_seek: nothing, fd_write: nothing, fd_close: nothing, proc_exit: nothing },
    env: { emscripten_notify_memory_growth: nothing },
  });
  return instance.exports as unknown as Libopus;
}

function checked(result: number): number {
  if (result < 0) throw new Error(`libopus failed: ${result}`);
  return result;
}
