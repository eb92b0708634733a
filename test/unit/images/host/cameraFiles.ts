// Picture files as cameras, print shops and scanners write them. No library here writes all of them.
import { crc32 } from "node:zlib";
import { encodeJpeg } from "../../../../src/sandbox/images/codecs/jpeg.ts";
import { encodePng } from "../../../../src/sandbox/images/codecs/png.ts";
import { encodeWebp } from "../../../../src/sandbox/images/codecs/webp.ts";
import type { Picture } from "../../../../src/sandbox/images/drawing/picture.ts";

/** Colours of the quarters, row by row. */
const quarterColors = { R: [255, 0, 0], G: [0, 255, 0], B: [0, 0, 255], Y: [255, 255, 0] } as const;

/** Red and green above blue and yellow. */
export function quarters(width: number, height: number): Picture {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  const colors = Object.values(quarterColors);
  for (let index = 0; index < width * height; index++) {
    const [column, row] = [index % width, Math.floor(index / width)];
    data.set(colors[(row < height / 2 ? 0 : 2) + (column < width / 2 ? 0 : 1)] ?? [], index * 4);
  }
  return { width, height, data };
}

/** The letters of the four quarters, row by row: `RGBY` for an upright picture. */
export function quartersOf({ width, height, data }: Picture): string {
  const letters = [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const index = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
      const [red = 0, green = 0] = data.subarray(index, index + 2);
      return red > 128 ? (green > 128 ? "Y" : "R") : green > 128 ? "G" : "B";
    }),
  );
  return letters.join("");
}

export interface TiffOptions {
  readonly isBigEndian?: boolean;
  /** 3 is SHORT, 4 LONG. */
  readonly type?: number;
  readonly count?: number;
  readonly magic?: number;
  /** Entries before the orientation. */
  readonly others?: number;
}

/** EXIF data with an orientation. */
export function tiff(
  orientation: number,
  { isBigEndian = false, type = 3, count = 1, magic = 42, others = 0 }: TiffOptions = {},
): Buffer {
  const data = Buffer.alloc(14 + 12 * (others + 1));
  const short = (value: number, offset: number) =>
    isBigEndian ? data.writeUInt16BE(value, offset) : data.writeUInt16LE(value, offset);
  const long = (value: number, offset: number) =>
    isBigEndian ? data.writeUInt32BE(value, offset) : data.writeUInt32LE(value, offset);
  data.write(isBigEndian ? "MM" : "II", "latin1");
  short(magic, 2);
  long(8, 4);
  short(others + 1, 8);
  for (let index = 0; index <= others; index++) {
    const entry = 10 + index * 12;
    const isLast = index === others;
    short(isLast ? 0x0112 : 0x0100 + index, entry);
    short(isLast ? type : 3, entry + 2);
    long(isLast ? count : 1, entry + 4);
    short(isLast ? orientation : 7, entry + 8);
  }
  return data;
}

export function segment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

export function exifSegment(data: Uint8Array, prefix = "Exif\0\0"): Buffer {
  return segment(0xe1, Buffer.concat([Buffer.from(prefix, "latin1"), data]));
}

/** A JPEG with these segments after its start. */
export async function jpegWith(picture: Picture, ...segments: readonly Buffer[]): Promise<Buffer> {
  const plain = Buffer.from(await encodeJpeg(picture, 95));
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)]);
}

export function pngWith(picture: Picture, exif: Uint8Array, isAfterPixels = false): Buffer {
  const plain = Buffer.from(encodePng(picture));
  const offset = isAfterPixels ? plain.length - 12 : 33;
  const body = Buffer.concat([Buffer.from("eXIf"), exif]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(exif.length);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return Buffer.concat([plain.subarray(0, offset), chunk, plain.subarray(offset)]);
}

export async function webpWith(picture: Picture, exif: Uint8Array): Promise<Buffer> {
  const plain = Buffer.from(await encodeWebp(picture, 95));
  const extended = Buffer.alloc(18);
  extended.write("VP8X");
  extended.writeUInt32LE(10, 4);
  extended[8] = 0x08; // there is EXIF data
  extended.writeUIntLE(picture.width - 1, 12, 3);
  extended.writeUIntLE(picture.height - 1, 15, 3);
  const head = Buffer.alloc(8);
  head.write("EXIF");
  head.writeUInt32LE(exif.length, 4);
  const body = Buffer.concat([Buffer.from("WEBP"), extended, plain.subarray(12), head, exif]);
  const riff = Buffer.alloc(8);
  riff.write("RIFF");
  riff.writeUInt32LE(body.length, 4);
  return Buffer.concat([riff, body]);
}

/** Huffman codes of the sizes 0 to 11 of a DC difference (ITU-T T.81, table K.3): bits and value. */
const sizeCodes = [
  "00",
  "010",
  "011",
  "100",
  "101",
  "110",
  "1110",
  "11110",
  "111110",
  "1111110",
  "11111110",
  "111111110",
];
const endOfBlock = "0";

/** Cyan, magenta, yellow and black ink, 0 to 255, row by row. */
const quarterInks = [
  [0, 255, 255, 0],
  [255, 0, 255, 0],
  [255, 255, 0, 0],
  [0, 0, 255, 0],
];

/** The quarters in four colours of ink, stored inverted, as Adobe's programs and ImageMagick do. Multiples of 16. */
export function cmykJpeg(width: number, height: number, frameMarker = 0xc0, precision = 8): Buffer {
  let bits = "";
  const last = [0, 0, 0, 0];
  for (let row = 0; row < height / 8; row++) {
    for (let column = 0; column < width / 8; column++) {
      const inks = quarterInks[(row < height / 16 ? 0 : 2) + (column < width / 16 ? 0 : 1)] ?? [];
      for (const [component, ink] of inks.entries()) {
        const level = 255 - ink - 128;
        bits += dcBits(level - (last[component] ?? 0)) + endOfBlock;
        last[component] = level;
      }
    }
  }
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
  const pixels = (padded.match(/.{8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte, 2);
    return value === 0xff ? [0xff, 0] : [value];
  });
  const sizes = [0, 0, 0, 0];
  const frame = Buffer.from([precision, ...sizes, 4, ...[1, 2, 3, 4].flatMap((id) => [id, 0x11, 0])]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    // Version, two flags, and transform 0: the components are the inks.
    segment(0xee, Buffer.concat([Buffer.from("Adobe"), Buffer.from([0, 100, 0, 0, 0, 0, 0])])),
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 8)])),
    segment(frameMarker, frame),
    segment(0xc4, Buffer.from([0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, ...sizeCodes.keys()])),
    segment(0xc4, Buffer.from([0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
    segment(0xda, Buffer.from([4, ...[1, 2, 3, 4].flatMap((id) => [id, 0]), 0, 63, 0])),
    Buffer.from(pixels),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function dcBits(difference: number): string {
  const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
  const value = difference < 0 ? difference + 2 ** size - 1 : difference;
  return (sizeCodes[size] ?? "") + (size === 0 ? "" : value.toString(2).padStart(size, "0"));
}
