import { createHash } from "node:crypto";

/** 32 bytes that stand for some words, the same each time. */
export function digest(...words: readonly (string | number)[]): Buffer {
  return createHash("sha256").update(words.join("/")).digest();
}

/** The same as 0x-prefixed hexadecimal digits. */
export function hexDigest(...words: readonly (string | number)[]): `0x${string}` {
  return `0x${digest(...words).toString("hex")}`;
}
