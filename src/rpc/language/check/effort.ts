import { maxSignature } from "../encode/applyFunction.ts";

/** Maximum of characters that names and functions add to a line. */
export const maxEncodedSize = 1_000_000;

/** The number of characters that may still be encoded and hashed. */
export interface Effort {
  left: number;
  /** True if values beyond the limit are skipped. False if they are a problem. */
  readonly mayLeaveOut: boolean;
}

/** The effort of a call without arguments. */
const leastEffort = 200;

/** The library's parser takes quadratic time, up to the length that is refused. */
export function signatureEffort(signature: unknown): number {
  const length = typeof signature === "string" ? signature.length : 0;
  return length > maxSignature ? 0 : length + (length * length) / 200;
}

/** Uses effort for characters. Returns false, or throws without `mayLeaveOut`, if none is left. */
export function spend(effort: Effort, characters: number): boolean {
  effort.left -= characters + leastEffort;
  if (effort.left < 0 && !effort.mayLeaveOut)
    throw new Error(
      `The values are too long: more than ${maxEncodedSize.toLocaleString("en-US")} characters`,
    );
  return effort.left >= 0;
}
