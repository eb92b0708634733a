/** Same polynomial as zip's CRC-32, but unreflected and with an initial value of 0. */
const table = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value;
});

/** Checksum of an Ogg page; its checksum field must be zero (RFC 3533). */
export function oggChecksum(page: Uint8Array): number {
  let value = 0;
  for (const byte of page) value = (value << 8) ^ (table[(value >>> 24) ^ byte] ?? 0);
  return value >>> 0;
}
