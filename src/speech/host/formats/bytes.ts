import { latin1 } from "../../../shared/bytes.ts";

/** The end of an ID3v2 tag at the start, else 0. */
export function afterId3(bytes: Uint8Array): number {
  if (bytes.length < 10 || latin1(bytes, 0, 3) !== "ID3") return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | ((bytes[at] ?? 0) & 0x7f), 0);
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return Math.min(bytes.length, 10 + size + footer);
}
