import { crc32 } from "node:zlib";
import { joinBytes, latin1, viewOf } from "../shared/bytes.ts";
import { afterBlocks, imageFormatOf, tableBytes } from "../shared/images/imageFormats.ts";
import { imageOrientation } from "../shared/images/imageOrientation.ts";
import type { Orientation } from "../shared/images/isobmffOrientation.ts";

/**
 * The same pixels, as the picture is seen, without what a camera or a program wrote about them: place, time, device,
 * names, earlier versions, and what follows the picture in its file. The colour profile stays, and the orientation that
 * browsers draw. Files of other kinds than PNG, JPEG, WebP and GIF are returned as they are.
 */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  switch (imageFormatOf(bytes)?.id) {
    case "jpeg":
      return bareJpeg(bytes);
    case "png":
      return barePng(bytes);
    case "webp":
      return bareWebp(bytes);
    case "gif":
      return bareGif(bytes);
    default:
      return bytes;
  }
}

/** EXIF data with nothing but the orientation (TIFF 6.0, little-endian, one entry, no other directory). */
function exifOf(orientation: Orientation): Uint8Array {
  const exif = new Uint8Array(26);
  // The head, one entry: tag 0x0112, type SHORT, one value.
  exif.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation]);
  return exif;
}

/** The second bytes of markers of JPEG. */
const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];
const [app0, app1, app2, app14, app15, comment] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];

/** ITU-T T.81: segments, then scans with segments between them. Other bytes between them are left out. */
function bareJpeg(bytes: Uint8Array): Uint8Array {
  const { drawn } = imageOrientation(bytes);
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let [offset, isOriented] = [2, drawn === 1];
  while (offset + 2 <= bytes.length) {
    const code = bytes[offset + 1] ?? 0;
    // Before a marker are fill bytes.
    if (bytes[offset] !== 0xff || code === 0xff || code === 0) {
      offset += 1;
      continue;
    }
    if (code === endOfImage) break;
    const end = segmentEnd(bytes, offset, code);
    if (isKept(bytes, offset, code)) {
      // The orientation stands before the first segment that is not JFIF's.
      if (!isOriented && code !== app0) {
        parts.push(orientationSegment(drawn));
        isOriented = true;
      }
      parts.push(bytes.subarray(offset, end));
    }
    offset = end;
    if (code === startOfScan) {
      const scanEnd = endOfScan(bytes, offset);
      parts.push(bytes.subarray(offset, scanEnd));
      offset = scanEnd;
    }
  }
  return joinBytes([...parts, Uint8Array.of(0xff, endOfImage)]);
}

/** Behind a segment, or behind a marker that has no length. */
function segmentEnd(bytes: Uint8Array, offset: number, code: number): number {
  if (code === 0x01 || (code >= 0xd0 && code <= startOfImage)) return offset + 2;
  const length = ((bytes[offset + 2] ?? 0) << 8) | (bytes[offset + 3] ?? 0);
  return Math.min(bytes.length, offset + 2 + Math.max(2, length));
}

/** Markers that end a scan: tables, the number of lines, the next scan, the end of the image, and data of programs. */
const behindScan = new Set([
  0xc4,
  0xcc,
  0xd9,
  0xda,
  0xdb,
  0xdc,
  0xdd,
  0xfe,
  ...Array.from({ length: 16 }, (_, index) => 0xe0 + index),
]);

/** The marker behind the pixels of a scan. Escaped bytes, restarts and damaged bytes belong to them. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let offset = bytes.indexOf(0xff, from); offset >= 0; offset = bytes.indexOf(0xff, offset + 1)) {
    if (behindScan.has(bytes[offset + 1] ?? 0)) return offset;
  }
  return bytes.length;
}

/** Of the segments of programs, those that decide how the pixels look: JFIF, the colour profile, Adobe's colours. */
function isKept(bytes: Uint8Array, offset: number, code: number): boolean {
  if (code === comment) return false;
  if (code < app0 || code > app15) return true;
  const name = latin1(bytes, offset + 4, offset + 16);
  if (code === app0) return name.startsWith("JFIF\0");
  if (code === app2) return name.startsWith("ICC_PROFILE\0");
  return code === app14 && name.startsWith("Adobe");
}

function orientationSegment(orientation: Orientation): Uint8Array {
  const exif = exifOf(orientation);
  const name = [0x45, 0x78, 0x69, 0x66, 0, 0];
  return Uint8Array.from([0xff, app1, 0, exif.length + name.length + 2, ...name, ...exif]);
}

/** Chunks that are not critical, and yet decide how the pixels look (PNG, third edition). */
const pngChunks = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "),
);

function barePng(bytes: Uint8Array): Uint8Array {
  const { drawn } = imageOrientation(bytes);
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [bytes.subarray(0, 8)];
  let isOriented = drawn === 1;
  for (let offset = 8; offset + 8 <= bytes.length; ) {
    const type = latin1(bytes, offset + 4, offset + 8);
    const end = Math.min(bytes.length, offset + 12 + view.getUint32(offset));
    if (type === "IDAT" && !isOriented) {
      parts.push(orientationChunk(drawn));
      isOriented = true;
    }
    if (/^[A-Z]/.test(type) || pngChunks.has(type)) parts.push(bytes.subarray(offset, end));
    if (type === "IEND") break;
    offset = end;
  }
  return joinBytes(parts);
}

function orientationChunk(orientation: Orientation): Uint8Array {
  const exif = exifOf(orientation);
  const content = Uint8Array.from([0x65, 0x58, 0x49, 0x66, ...exif]);
  const chunk = new Uint8Array(content.length + 8);
  const view = viewOf(chunk);
  view.setUint32(0, exif.length);
  chunk.set(content, 4);
  view.setUint32(content.length + 4, crc32(content));
  return chunk;
}

const webpChunks = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** In the flags of VP8X. */
const [hasExif, hasXmp] = [0x08, 0x04];

/** Browsers ignore the orientation of WebP, so it goes, too. */
function bareWebp(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [bytes.slice(0, 12)];
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const type = latin1(bytes, offset, offset + 4);
    const size = view.getUint32(offset + 4, true);
    const end = Math.min(bytes.length, offset + 8 + size + (size % 2));
    if (webpChunks.has(type))
      parts.push(type === "VP8X" ? bareFlags(bytes.slice(offset, end)) : bytes.subarray(offset, end));
    offset = end;
  }
  const file = joinBytes(parts);
  viewOf(file).setUint32(4, file.length - 8, true);
  return file;
}

function bareFlags(chunk: Uint8Array): Uint8Array {
  chunk[8] = (chunk[8] ?? 0) & ~(hasExif | hasXmp);
  return chunk;
}

/** Repetitions of a GIF that moves; other extensions of programs hold XMP, comments and the like. */
const gifPrograms = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);
const gif = { picture: 0x2c, extension: 0x21, comment: 0xfe, application: 0xff, end: 0x3b };

function bareGif(bytes: Uint8Array): Uint8Array {
  let offset = Math.min(bytes.length, 13 + tableBytes(bytes[10] ?? 0));
  const parts: Uint8Array[] = [bytes.subarray(0, offset)];
  while (offset < bytes.length) {
    const [kind, label] = [bytes[offset], bytes[offset + 1]];
    if (kind === gif.picture) {
      const end = afterBlocks(bytes, offset + 11 + tableBytes(bytes[offset + 9] ?? 0));
      parts.push(bytes.subarray(offset, end));
      offset = end;
    } else if (kind === gif.extension) {
      const end = afterBlocks(bytes, offset + 2);
      const isOfProgram =
        label === gif.application && !gifPrograms.has(latin1(bytes, offset + 3, offset + 14));
      if (label !== gif.comment && !isOfProgram) parts.push(bytes.subarray(offset, end));
      offset = end;
    } else break;
  }
  return joinBytes([...parts, Uint8Array.of(gif.end)]);
}
