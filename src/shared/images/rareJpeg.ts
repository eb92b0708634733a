import { jpegSegments } from "./jpegSegments.ts";

/** Kinds of JPEG that browsers may draw and services may not read. */
export type RareJpeg = "CMYK" | "12-bit" | "lossless" | "arithmetic-coded";

/** ITU-T T.81, table B.1: the low bits of SOF0 to SOF15, of which DHT, JPG and DAC are not frames. */
const notFrames = new Set([0xc4, 0xc8, 0xcc]);

/** Undefined for a JPEG that every program reads, and for one whose header is damaged. */
export function rareJpeg(bytes: Uint8Array): RareJpeg | undefined {
  const frame = jpegSegments(bytes).find(
    ({ marker }) => marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker),
  );
  if (!frame) return undefined;
  const process = frame.marker & 0x0f;
  if (process > 8) return "arithmetic-coded";
  if (process % 4 === 3) return "lossless";
  if ((bytes[frame.start] ?? 8) > 8) return "12-bit";
  return bytes[frame.start + 5] === 4 ? "CMYK" : undefined;
}
