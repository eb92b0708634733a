/** All speech is mono, 16 bits a sample, at this many samples a second. */
export const sampleRate = 24_000;

export type Samples = Int16Array<ArrayBuffer>;

export function silence(seconds: number): Samples {
  return new Int16Array(Math.round(seconds * sampleRate));
}

export function joinSamples(parts: readonly Samples[]): Samples {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** Samples at another rate, along a smooth curve through the given ones (Catmull-Rom). */
export function resample(samples: Samples, from: number): Samples {
  if (from === sampleRate) return samples;
  const step = from / sampleRate;
  const result = new Int16Array(Math.floor(samples.length / step));
  for (let index = 0; index < result.length; index++) result[index] = curve(samples, index * step);
  return result;
}

function curve(samples: Samples, position: number): number {
  const index = Math.floor(position);
  const part = position - index;
  const before = samples[index - 1] ?? 0;
  const start = samples[index] ?? 0;
  const end = samples[index + 1] ?? 0;
  const after = samples[index + 2] ?? 0;
  const bend = 2 * before - 5 * start + 4 * end - after;
  const twist = 3 * (start - end) + after - before;
  return clamp(start + 0.5 * part * (end - before + part * (bend + part * twist)));
}

export function clamp(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)));
}

/** Turns samples into a file, piece by piece; the pieces put together are the file. */
export interface AudioEncoder {
  encode(samples: Samples): Uint8Array;
  finish(): Uint8Array;
}
