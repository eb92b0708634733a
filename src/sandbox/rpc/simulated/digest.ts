import { createHash } from "node:crypto";

/** The SHA-256 of some words. */
export function digest(...words: readonly (string | number)[]): Buffer {
  return createHash("sha256").update(words.join("/")).digest();
}

/** The same as hexadecimal digits with 0x. */
export function hexDigest(...words: readonly (string | number)[]): `0x${string}` {
  return `0x${digest(...words).toString("hex")}`;
}
