import { latin1, viewOf } from "../bytes.ts";

/** What is known of a picture format. All lists of formats are made from this table. */
export interface ImageFormat {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** The first is the usual one. */
  readonly extensions: readonly [string, ...string[]];
  /** The service takes it as input and makes it (spec E5, E11, E13). */
  readonly isSent: boolean;
  /** Chromium draws it, so the studio can convert it. */
  readonly isDrawn: boolean;
}

const format = (
  id: string,
  name: string,
  extensions: readonly [string, ...string[]],
  { mediaType = `image/${id}`, isSent = false, isDrawn = true } = {},
): ImageFormat => ({ id, name, mediaType, extensions, isSent, isDrawn });

export const imageFormats = [
  format("png", "PNG", ["png", "apng"], { isSent: true }),
  format("jpeg", "JPEG", ["jpg", "jpeg", "jfif"], { isSent: true }),
  format("webp", "WebP", ["webp"], { isSent: true }),
  format("gif", "GIF", ["gif"]),
  format("avif", "AVIF", ["avif"]),
  format("bmp", "BMP", ["bmp"]),
  format("svg", "SVG", ["svg"], { mediaType: "image/svg+xml" }),
  format("ico", "ICO", ["ico"], { mediaType: "image/x-icon" }),
  format("heic", "HEIC", ["heic", "heif"], { isDrawn: false }),
  format("tiff", "TIFF", ["tif", "tiff"], { isDrawn: false }),
  format("jxl", "JPEG XL", ["jxl"], { isDrawn: false }),
  format("jp2", "JPEG 2000", ["jp2", "j2k"], { isDrawn: false }),
  format("psd", "Photoshop", ["psd"], { mediaType: "image/vnd.adobe.photoshop", isDrawn: false }),
] as const;

export function imageFormat(id: string | undefined): ImageFormat | undefined {
  return imageFormats.find((each) => each.id === id);
}

/** The formats that the service takes, as a list of words: `PNG, JPEG and WebP`. */
export const sentFormatNames = imageFormats
  .filter(({ isSent }) => isSent)
  .map(({ name }) => name)
  .join(", ")
  .replace(/, (\w+)$/, " and $1");

/** First bytes in hexadecimal; a dot matches any digit. */
const starts: readonly (readonly [id: string, start: RegExp])[] = [
  ["png", /^89504e470d0a1a0a/],
  ["jpeg", /^ffd8ff/],
  ["webp", /^52494646.{8}57454250/],
  ["gif", /^474946383[79]61/],
  ["jxl", /^(?:ff0a|0000000c4a584c20)/],
  ["jp2", /^(?:0000000c6a502020|ff4fff51)/],
  // `ftyp` with the brands `avif` and `avis`.
  ["avif", /^.{8}6674797061766966|^.{8}6674797061766973/],
  // `heic`, `heix`, `heim`, `heis`, `hevc`, `hevx`, `hevm`, `hevs`, `mif1`, `msf1`.
  ["heic", /^.{8}66747970(?:6865(?:69|76)(?:63|78|6d|73)|6d696631|6d736631)/],
  ["bmp", /^424d.{8}00000000/],
  ["ico", /^00000100..00/],
  ["tiff", /^(?:49492a00|4d4d002a)/],
  ["psd", /^38425053/],
];

/** Bytes in which the root element of an SVG file begins. */
const svgHead = 4_096;

/** The format of a picture by its content; undefined if it is none that is known. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  const start = Array.from(bytes.subarray(0, 32), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const id = starts.find(([, pattern]) => pattern.test(start))?.[0];
  if (id !== undefined) return imageFormat(id);
  const text = latin1(bytes, 0, svgHead).replace(/^(?:\xef\xbb\xbf)?\s*/, "");
  return /^(?:<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(text) && /<svg[\s>]/i.test(text)
    ? imageFormat("svg")
    : undefined;
}

/** The number of pictures in a file that moves; 1 for one that does not. Counts to the limit only. */
export function frameCount(bytes: Uint8Array, most = 1_000): number {
  switch (imageFormatOf(bytes)?.id) {
    case "png":
      return pngFrames(bytes);
    case "webp":
      return webpFrames(bytes, most);
    case "gif":
      return gifFrames(bytes, most);
    default:
      return 1;
  }
}

/** `acTL` stands before the pixels. */
function pngFrames(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  for (let offset = 8; offset + 12 <= bytes.length; ) {
    const type = latin1(bytes, offset + 4, offset + 8);
    if (type === "acTL") return Math.max(1, view.getUint32(offset + 8));
    if (type === "IDAT") break;
    offset += 12 + view.getUint32(offset);
  }
  return 1;
}

function webpFrames(bytes: Uint8Array, most: number): number {
  const view = viewOf(bytes);
  let frames = 0;
  for (let offset = 12; offset + 8 <= bytes.length && frames < most; ) {
    if (latin1(bytes, offset, offset + 4) === "ANMF") frames += 1;
    const size = view.getUint32(offset + 4, true);
    offset += 8 + size + (size % 2);
  }
  return Math.max(1, frames);
}

/** Bytes of a colour table of GIF, whose size is in the low bits of its flags. */
export const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function gifFrames(bytes: Uint8Array, most: number): number {
  let frames = 0;
  let offset = 13 + tableBytes(bytes[10] ?? 0);
  while (offset < bytes.length && frames < most) {
    const kind = bytes[offset];
    if (kind === 0x2c) {
      frames += 1;
      // The descriptor, its colours, and the size of the codes.
      offset = afterBlocks(bytes, offset + 11 + tableBytes(bytes[offset + 9] ?? 0));
    } else if (kind === 0x21) offset = afterBlocks(bytes, offset + 2);
    else break;
  }
  return Math.max(1, frames);
}

/** Skips blocks of GIF that begin with their length; an empty one is the last. */
export function afterBlocks(bytes: Uint8Array, from: number): number {
  let offset = from;
  while (offset < bytes.length && bytes[offset] !== 0) offset += (bytes[offset] ?? 0) + 1;
  return offset + 1;
}
