/** Not zip's CRC-32: the same polynomial, but unreflected and starting at 0. */
const table = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value;
});

/** Of an Ogg page whose own field for it is empty (RFC 3533). */
export function oggChecksum(page: Uint8Array): number {
  let value = 0;
  for (const byte of page) value = (value << 8) ^ (table[(value >>> 24) ^ byte] ?? 0);
  return value >>> 0;
}
