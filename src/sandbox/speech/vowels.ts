/** The two lowest resonances of a mouth, in Hz. */
export type Vowel = readonly [number, number];

const vowels: Readonly<Record<string, Vowel>> = {
  a: [730, 1090],
  e: [530, 1840],
  i: [270, 2290],
  o: [570, 840],
  u: [300, 870],
};
const order = Object.values(vowels);

/** A closed mouth. */
export const hum: Vowel = [250, 1000];

/** Letters and digits beyond the Latin ones are sung too, each as one of the five. */
export function vowelOf(letter: string): Vowel | undefined {
  if (/[a-z]/.test(letter)) return vowels[letter];
  return order[(letter.codePointAt(0) ?? 0) % order.length];
}

const points = 512;
const highestHz = 4000;

/** One period of a voice, -1 to 1: the fundamental's multiples, the louder the nearer they are to a resonance. */
export function waveOf(formants: Vowel, pitchHz: number): Float64Array {
  const wave = new Float64Array(points);
  for (let multiple = 1; multiple * pitchHz < highestHz; multiple++) {
    const loudness = formants.reduce(
      (sum, hz) => sum + Math.exp(-(((multiple * pitchHz - hz) / 180) ** 2)),
      0.05 / multiple,
    );
    for (let index = 0; index < points; index++) {
      wave[index] = (wave[index] ?? 0) + loudness * Math.sin((2 * Math.PI * multiple * index) / points);
    }
  }
  const peak = wave.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return wave.map((value) => value / peak);
}
