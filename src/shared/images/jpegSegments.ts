/** A segment of a JPEG file between its start and its pixels: `[start, end)` is its content without marker and length. */
export interface JpegSegment {
  /** The second byte of the marker: 0xe1 is APP1. */
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

const startOfScan = 0xda;
const endOfImage = 0xd9;
/** Markers without a length: TEM, RST0 to RST7 and SOI. */
const bare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

const isMarker = (first: number | undefined, second: number) =>
  first === 0xff && second !== 0xff && second !== 0;

function lengthAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0);
}

/** The segments before the pixels. A file that is cut or damaged ends with the last whole segment. */
export function jpegSegments(bytes: Uint8Array): readonly JpegSegment[] {
  const segments: JpegSegment[] = [];
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return segments;
  let offset = 2;
  while (offset + 4 <= bytes.length) {
    const marker = bytes[offset + 1] ?? 0;
    // Before a marker are fill bytes; libjpeg skips other bytes, too.
    if (!isMarker(bytes[offset], marker)) {
      offset += 1;
      continue;
    }
    offset += 2;
    if (bare(marker)) continue;
    if (marker === startOfScan || marker === endOfImage) break;
    const length = lengthAt(bytes, offset);
    if (length < 2 || offset + length > bytes.length) break;
    segments.push({ marker, start: offset + 2, end: offset + length });
    offset += length;
  }
  return segments;
}
