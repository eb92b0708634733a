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

/** Samples at another rate, interpolated linearly. */
export function resample(samples: Samples, from: number): Samples {
  if (from === sampleRate) return samples;
  const step = from / sampleRate;
  return new Int16Array(Math.floor(samples.length / step)).map((_, index) => {
    const start = Math.floor(index * step);
    const [a = 0, b = a] = samples.subarray(start, start + 2);
    return a + (b - a) * (index * step - start);
  });
}

/** Writes samples to a file in pieces. Concatenated, the pieces are the file. */
export interface AudioEncoder {
  encode(samples: Samples): Uint8Array;
  finish(): Uint8Array;
}

/** All formats of the spec (E7). */
export const writtenFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
export type WrittenFormat = (typeof writtenFormats)[number];
