import type { Samples } from "../sound.ts";

/** Turns samples into a file, piece by piece; the pieces put together are the file. */
export interface AudioEncoder {
  encode(samples: Samples): Uint8Array;
  finish(): Uint8Array;
}
