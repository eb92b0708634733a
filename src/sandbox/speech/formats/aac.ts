import { type AudioEncoder, joinSamples, type Samples } from "../sound.ts";
import { BitWriter } from "./bitWriter.ts";

/** Samples that a frame adds, and coefficients of its spectrum. */
const frameSamples = 1024;
/** Limits of the scale factor bands at 24 kHz, up to 7 kHz: speech has little above (ISO/IEC 14496-3, 4.5.4). */
const bands = [
  ...[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 52, 60, 68, 76, 84, 92, 100, 108, 116, 124, 136],
  ...[148, 160, 172, 188, 204, 220, 240, 260, 284, 308, 336, 364, 396, 432, 468, 508, 552, 600],
] as const;
const coefficients = 600;
/** Bits of a frame of one channel that each decoder takes. */
const maxFrameBits = 6144;

/** The codebook of pairs with escapes, and its codes for two zeros and for two escapes. */
const escapeBook = 11;
const zeros = { code: 0b0000, bits: 4 } as const;
const escapes = { code: 0b00100, bits: 5 } as const;
/** The smallest value of an escape. */
const minEscape = 16;
/** Quantized values of the loudest coefficient. */
const maxQuantized = 1500;
/** Below this gain the quantization is finer than the samples are. */
const minGain = 132;

/**
 * AAC-LC in ADTS (ISO/IEC 14496-3), mono. Each pair of coefficients is two zeros or two escapes, so that two codes of one
 * codebook are enough; a louder spectrum is quantized in coarser steps. Decoders play 1,024 samples of silence first.
 */
export function createAacEncoder(): AudioEncoder {
  let pending: Samples = new Int16Array(frameSamples);
  const drain = () => {
    const frames: Uint8Array[] = [];
    while (pending.length >= 2 * frameSamples) {
      frames.push(writeFrame(spectrumOf(pending.subarray(0, 2 * frameSamples))));
      pending = pending.subarray(frameSamples);
    }
    return Buffer.concat(frames);
  };
  return {
    encode(samples) {
      pending = joinSamples([pending, samples]);
      return drain();
    },
    finish() {
      // The last frame fades out under the second half of its window.
      const missing = -pending.length & (frameSamples - 1);
      pending = joinSamples([pending, new Int16Array(missing + frameSamples)]);
      return drain();
    },
  };
}

const cosines = Float64Array.from({ length: 8 * frameSamples }, (_, index) =>
  Math.cos((Math.PI * index) / (4 * frameSamples)),
);
const sineWindow = Float64Array.from({ length: 2 * frameSamples }, (_, index) =>
  Math.sin((Math.PI * (index + 0.5)) / (2 * frameSamples)),
);

/** The modified discrete cosine transform of two frames under a sine window, folded to one of type IV. */
function spectrumOf(samples: Samples): Float64Array {
  const half = frameSamples / 2;
  const at = (index: number) => (samples[index] ?? 0) * (sineWindow[index] ?? 0);
  const folded = Float64Array.from({ length: frameSamples }, (_, n) =>
    n < half ? -at(3 * half - 1 - n) - at(3 * half + n) : at(n - half) - at(3 * half - 1 - n),
  );
  return Float64Array.from({ length: coefficients }, (_, k) => {
    let sum = 0;
    const step = 2 * k + 1;
    for (let n = 0; n < frameSamples; n++)
      sum += (folded[n] ?? 0) * (cosines[((2 * n + 1) * step) % cosines.length] ?? 0);
    return 2 * sum;
  });
}

function writeFrame(spectrum: Float64Array): Uint8Array {
  const loudest = spectrum.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const gain = 100 + Math.ceil(4 * Math.log2(Math.max(1, loudest) / maxQuantized ** (4 / 3)));
  for (let tried = Math.max(minGain, gain); ; tried += 2) {
    const bits = writeBlock(spectrum, tried);
    if (bits.bits > maxFrameBits) continue;
    const block = bits.finish();
    return Buffer.concat([adtsHead(block.length), block]);
  }
}

/** MPEG-4, no checksum, LC, 24 kHz, one channel, a bit rate that varies, one block. */
function adtsHead(blockBytes: number): Uint8Array {
  const bits = new BitWriter();
  bits.write(0xfff1, 16);
  bits.write(0b01_0110_0, 7);
  bits.write(0b001, 3);
  bits.write(0, 4);
  bits.write(blockBytes + 7, 13);
  bits.write(0x7ff, 11);
  bits.write(0, 2);
  return bits.finish();
}

/** One single channel element and the end. */
function writeBlock(spectrum: Float64Array, gain: number): BitWriter {
  const quantized = quantize(spectrum, gain);
  const used = quantized.findLastIndex((value) => value !== 0) + 1;
  const bandCount = used === 0 ? 0 : bands.findIndex((limit) => limit >= used);
  const bits = new BitWriter();
  bits.write(0, 3 + 4);
  bits.write(gain, 8);
  // A long sine window.
  bits.write(0, 1 + 2 + 1);
  bits.write(bandCount, 6);
  bits.write(0, 1);
  if (bandCount > 0) {
    bits.write(escapeBook, 4);
    if (bandCount >= 31) bits.write(31, 5);
    bits.write(bandCount >= 31 ? bandCount - 31 : bandCount, 5);
  }
  // The scale factor of each band is the gain: no difference is one bit. Then no pulses, no noise shaping, no gain control.
  bits.write(0, bandCount % 32);
  if (bandCount >= 32) bits.write(0, 32);
  bits.write(0, 3);
  for (let index = 0; index < (bands[bandCount] ?? 0); index += 2)
    writePair(bits, quantized[index] ?? 0, quantized[index + 1] ?? 0);
  bits.write(0b111, 3);
  return bits;
}

/** Both values of a pair are zeros, or neither is. */
function quantize(spectrum: Float64Array, gain: number): Int32Array {
  const step = 2 ** ((gain - 100) / 4);
  const values = Int32Array.from(spectrum, (value) => {
    const size = Math.round((Math.abs(value) / step) ** 0.75);
    return value < 0 ? -size : size;
  });
  for (let index = 0; index < values.length; index += 2) {
    const pair = [values[index] ?? 0, values[index + 1] ?? 0];
    const isHeard = pair.some((value) => Math.abs(value) >= minEscape / 2);
    values.set(
      pair.map((value) => (isHeard ? escaped(value) : 0)),
      index,
    );
  }
  return values;
}

function escaped(value: number): number {
  const size = Math.max(minEscape, Math.abs(value));
  return value < 0 ? -size : size;
}

function writePair(bits: BitWriter, first: number, second: number): void {
  if (first === 0) {
    bits.write(zeros.code, zeros.bits);
    return;
  }
  bits.write(escapes.code, escapes.bits);
  bits.write(first < 0 ? 1 : 0, 1);
  bits.write(second < 0 ? 1 : 0, 1);
  for (const value of [first, second]) {
    const width = 31 - Math.clz32(Math.abs(value));
    bits.writeUnary(width - 4, 1);
    bits.write(Math.abs(value), width);
  }
}
