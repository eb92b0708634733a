import { clamp, type Samples, sampleRate } from "./sound.ts";

const frame = Math.round(sampleRate * 0.04);
const half = frame / 2;
/** How far a piece may be shifted to fit the wave before it. */
const search = Math.round(sampleRate * 0.008);

/**
 * The same sound, `speed` times as fast and at the same pitch: short pieces are laid over one another, each shifted
 * to where it best continues the one before (WSOLA).
 */
export function stretch(samples: Samples, speed: number): Samples {
  if (speed === 1 || samples.length < 2 * frame) return samples;
  const sum = new Float64Array(Math.ceil(samples.length / speed) + frame);
  let natural = 0;
  for (let to = 0; to + frame < sum.length; to += half) {
    const wanted = Math.round(to * speed);
    const from = to === 0 ? 0 : closest(samples, wanted, natural);
    for (let index = 0; index < frame; index++) {
      const fade = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / frame);
      sum[to + index] = (sum[to + index] ?? 0) + (samples[from + index] ?? 0) * fade;
    }
    natural = from + half;
  }
  return Int16Array.from(sum.subarray(0, Math.round(samples.length / speed)), clamp);
}

/** The start near `wanted` whose piece looks most like the one at `natural`; every fourth sample is enough to tell. */
function closest(samples: Samples, wanted: number, natural: number): number {
  let best = wanted;
  let bestLikeness = Number.NEGATIVE_INFINITY;
  for (let from = Math.max(0, wanted - search); from <= wanted + search; from += 4) {
    let likeness = 0;
    for (let index = 0; index < half; index += 4) {
      likeness += (samples[from + index] ?? 0) * (samples[natural + index] ?? 0);
    }
    if (likeness > bestLikeness) [best, bestLikeness] = [from, likeness];
  }
  return best;
}
