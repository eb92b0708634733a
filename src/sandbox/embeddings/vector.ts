import { createHash } from "node:crypto";

/**
 * A vector of length 1 for a text. Each word and each pair of words adds to a few of its dimensions, so that texts with the
 * same words are close to each other. The same text has the same vector.
 */
export function vectorOf(text: string, dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  for (const [place, word] of words.entries()) {
    add(sums, word, 1);
    const next = words[place + 1];
    if (next !== undefined) add(sums, `${word} ${next}`, 0.5);
  }
  // The signs of parts can cancel each other out.
  if (sums.every((sum) => sum === 0)) sums[0] = 1;
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => sum / length);
}

/** Little-endian 32-bit floats. */
export function inBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  for (const [place, value] of vector.entries())
    bytes.writeFloatLE(value, place * Float32Array.BYTES_PER_ELEMENT);
  return bytes.toString("base64");
}

const placesPerPart = 4;

function add(sums: Float64Array, part: string, weight: number): void {
  const digest = createHash("sha256").update(part).digest();
  for (let index = 0; index < placesPerPart; index++) {
    const bits = digest.readUInt32LE(index * 4);
    const place = (bits >>> 1) % sums.length;
    sums[place] = (sums[place] ?? 0) + (bits & 1 ? weight : -weight);
  }
}
