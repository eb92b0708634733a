import { resample, type Samples, sampleRate } from "./sound.ts";

const headBytes = 44;
/** An unknown length. */
const unknown = 0xffff_ffff;

/** The header of a WAV file. Without a length, readers read to the end of the file. */
export function wavHead(dataBytes: number = unknown): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(dataBytes === unknown ? unknown : dataBytes + headBytes - 8, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(dataBytes, 40);
  return head;
}

/** Little endian, without a header. */
export function pcmBytes(samples: Samples): Uint8Array {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(samples[index] ?? 0, index * 2);
  return bytes;
}

/** The first channel of a WAV file, resampled. Undefined if it is not a WAV file of 8, 16, 24 or 32 bits. */
export function decodeWav(bytes: Uint8Array): Samples | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") return undefined;
  const format = findChunk(file, "fmt ");
  const data = findChunk(file, "data");
  if (!format || !data || format.length < 16) return undefined;
  const bits = format.readUInt16LE(14);
  const read = readerOf(format.readUInt16LE(0), bits);
  const frameBytes = format.readUInt16LE(12);
  const rate = format.readUInt32LE(4);
  if (!read || frameBytes < bits / 8 || rate < 8000) return undefined;
  const count = Math.floor(data.length / frameBytes);
  const samples = new Int16Array(count);
  for (let index = 0; index < count; index++) samples[index] = read(data, index * frameBytes);
  return resample(samples, rate);
}

/** A length beyond the file means its end, because a streamed file has no known length. */
function findChunk(file: Buffer, name: string): Buffer | undefined {
  let start = 12;
  while (start + 8 <= file.length) {
    const length = file.readUInt32LE(start + 4);
    if (file.toString("latin1", start, start + 4) === name)
      return file.subarray(start + 8, start + 8 + length);
    start += 8 + length + (length % 2);
  }
  return undefined;
}

type SampleReader = (data: Buffer, at: number) => number;

function readerOf(code: number, bits: number): SampleReader | undefined {
  const float: SampleReader = (data, at) => data.readFloatLE(at) * 32_767;
  const whole: Readonly<Record<number, SampleReader>> = {
    8: (data, at) => (data.readUInt8(at) - 128) * 256,
    16: (data, at) => data.readInt16LE(at),
    24: (data, at) => data.readInt16LE(at + 1),
    32: (data, at) => data.readInt16LE(at + 2),
  };
  if (code === 3) return bits === 32 ? float : undefined;
  // 0xfffe is the extensible form. Recordings in it are usually PCM.
  return code === 1 || code === 0xfffe ? whole[bits] : undefined;
}
