import { type Samples, sampleRate } from "./sound.ts";

const frame = Math.round(sampleRate * 0.04);
/** Voices lie between these, in Hz. */
const lowest = 70;
const highest = 400;
/** From this likeness of a wave to itself one period later, it is a voice and not noise. */
const voiced = 0.5;

/** The pitch of a voice in Hz: the middle one of all moments that have one; undefined where none has. */
export function pitchOf(samples: Samples): number | undefined {
  const pitches: number[] = [];
  for (let start = 0; start + 2 * frame < samples.length; start += frame) {
    const pitch = pitchAt(samples, start);
    if (pitch !== undefined) pitches.push(pitch);
  }
  return pitches.sort((a, b) => a - b)[Math.floor(pitches.length / 2)];
}

function pitchAt(samples: Samples, start: number): number | undefined {
  const shortest = Math.floor(sampleRate / highest);
  const count = Math.ceil(sampleRate / lowest) - shortest;
  const likenesses = Array.from({ length: count }, (_, index) =>
    likenessAt(samples, start, shortest + index),
  );
  const best = Math.max(...likenesses);
  if (best < voiced) return undefined;
  // Two periods are as like as one: the first peak that comes near the best is the period.
  const peak = likenesses.findIndex((likeness, index) => {
    const neighbour = Math.max(likenesses[index - 1] ?? 0, likenesses[index + 1] ?? 0);
    return likeness > best * 0.9 && likeness >= neighbour;
  });
  return sampleRate / (shortest + peak);
}

function likenessAt(samples: Samples, start: number, lag: number): number {
  let product = 0;
  let power = 1;
  for (let index = start; index < start + frame; index += 2) {
    const [now, then] = [samples[index] ?? 0, samples[index + lag] ?? 0];
    product += now * then;
    power += (now * now + then * then) / 2;
  }
  return product / power;
}
