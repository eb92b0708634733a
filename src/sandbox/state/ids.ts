import { randomBytes } from "node:crypto";

/** Generates ids, at random or from a seed. */
export interface Ids {
  /** This many lower-case hexadecimal characters. */
  hex(length: number): string;
}

export function createIds(seed: number | undefined): Ids {
  const next = seed === undefined ? undefined : createRandom(seed);
  return {
    hex(length) {
      if (!next)
        return randomBytes(Math.ceil(length / 2))
          .toString("hex")
          .slice(0, length);
      return Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join("");
    },
  };
}

/** A UUID (RFC 9562, version 4) of 32 hexadecimal characters. */
export function uuidOf(hex: string): string {
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/.exec(hex);
  if (!parts) throw new RangeError("A UUID takes 32 hexadecimal characters");
  const [, time, mid, high, clock, node] = parts;
  return `${time}-${mid}-4${high}-8${clock}-${node}`;
}

/** Pseudorandom numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The FNV-1a hash of a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
