import { type AudioEncoder, joinSamples, type Samples, sampleRate, silence } from "../sound.ts";
import { BitWriter } from "./bitWriter.ts";

const blockSamples = 4096;
/** Of the predictor: a sample is taken to go on as the two before it. */
const order = 2;
const maxRice = 14;

/** FLAC (RFC 9639): lossless, with fixed prediction and Rice codes. The head is for an unknown length. */
export function createFlacEncoder(): AudioEncoder {
  let head = flacHead(0);
  let pending: Samples = silence(0);
  let frames = 0;
  const take = (count: number) => {
    const frame = writeFrame(pending.subarray(0, count), frames++);
    pending = pending.subarray(count);
    return frame;
  };
  const withHead = (pieces: readonly Uint8Array[]) => {
    const bytes = Buffer.concat([head, ...pieces]);
    head = new Uint8Array();
    return bytes;
  };
  return {
    encode(samples) {
      pending = joinSamples([pending, samples]);
      const written: Uint8Array[] = [];
      while (pending.length >= blockSamples) written.push(take(blockSamples));
      return withHead(written);
    },
    finish: () => withHead(pending.length > 0 ? [take(pending.length)] : []),
  };
}

/** The mark of the format and its one metadata block (RFC 9639, 8.2); 0 samples are an unknown number. */
export function flacHead(samples: number): Uint8Array {
  const bits = new BitWriter();
  for (const byte of Buffer.from("fLaC", "latin1")) bits.write(byte, 8);
  // The last block; its type; its length in bytes.
  bits.write(1, 1);
  bits.write(0, 7);
  bits.write(34, 24);
  bits.write(blockSamples, 16);
  bits.write(blockSamples, 16);
  // Sizes of frames: unknown.
  bits.write(0, 24);
  bits.write(0, 24);
  bits.write(sampleRate, 20);
  bits.write(0, 3);
  bits.write(16 - 1, 5);
  bits.write(Math.floor(samples / 2 ** 32), 4);
  bits.write(samples % 2 ** 32, 32);
  // No checksum of the sound.
  for (let word = 0; word < 4; word++) bits.write(0, 32);
  return bits.finish();
}

function writeFrame(samples: Samples, number: number): Uint8Array {
  const head = frameHead(samples.length, number);
  const bits = new BitWriter();
  for (const byte of head) bits.write(byte, 8);
  bits.write(crc(head, 8, 0x07), 8);
  if (samples.length > order) writePredicted(bits, samples);
  else writeVerbatim(bits, samples);
  const frame = bits.finish();
  const sum = crc(frame, 16, 0x8005);
  return Buffer.concat([frame, Uint8Array.of(sum >> 8, sum & 0xff)]);
}

/** RFC 9639, 9.1: 24 kHz, mono, 16 bits a sample, and the number of the frame as UTF-8 would write it. */
function frameHead(samples: number, number: number): Uint8Array {
  const isWhole = samples === blockSamples;
  const bits = new BitWriter();
  bits.write(0xfff8, 16);
  bits.write(isWhole ? 0b1100 : 0b0111, 4);
  bits.write(0b0111, 4);
  bits.write(0b0000_100_0, 8);
  for (const byte of Buffer.from(String.fromCodePoint(number), "utf8")) bits.write(byte, 8);
  if (!isWhole) bits.write(samples - 1, 16);
  return bits.finish();
}

function writeVerbatim(bits: BitWriter, samples: Samples): void {
  bits.write(0b0_000001_0, 8);
  for (const sample of samples) bits.write(sample, 16);
}

/** RFC 9639, 9.2.5: the first samples as they are, then the differences from the prediction. */
function writePredicted(bits: BitWriter, samples: Samples): void {
  bits.write(0b0_001000_0 | (order << 1), 8);
  for (const sample of samples.subarray(0, order)) bits.write(sample, 16);
  const rests = Array.from({ length: samples.length - order }, (_, index) => {
    const [a = 0, b = 0, sample = 0] = samples.subarray(index, index + 3);
    const rest = sample - 2 * b + a;
    return rest < 0 ? -2 * rest - 1 : 2 * rest;
  });
  const mean = rests.reduce((sum, rest) => sum + rest, 0) / rests.length;
  const rice = Math.min(maxRice, Math.max(0, Math.floor(Math.log2(mean + 1))));
  // Codes of 4 bits for the parameter, one partition.
  bits.write(0, 2);
  bits.write(0, 4);
  bits.write(rice, 4);
  for (const rest of rests) {
    bits.writeUnary(rest >> rice, 0);
    bits.write(rest, rice);
  }
}

function crc(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  const mask = 2 ** width - 1;
  return bytes.reduce((sum, byte) => {
    let next = sum ^ (byte << (width - 8));
    for (let bit = 0; bit < 8; bit++) next = ((next << 1) ^ (next & top ? polynomial : 0)) & mask;
    return next;
  }, 0);
}
