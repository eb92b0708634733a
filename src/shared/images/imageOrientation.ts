import { latin1, viewOf } from "../bytes.ts";
import { isobmffOrientation, type Orientation } from "./isobmffOrientation.ts";
import { jpegSegments } from "./jpegSegments.ts";

export interface ImageOrientation {
  /** How browsers turn the pixels of the file. */
  readonly drawn: Orientation;
  /** How the file asks to be turned. Differs where browsers ignore it, and other programs may not. */
  readonly stated: Orientation;
}

const upright: ImageOrientation = { drawn: 1, stated: 1 };

/**
 * The orientation of a JPEG, PNG or WebP file by its EXIF data, of AVIF and HEIC by its properties; upright if there is
 * none or it is damaged. A test compares it with Chromium: of several EXIF segments the first decides, PNG states it
 * before its pixels, and WebP is never turned.
 */
export function imageOrientation(bytes: Uint8Array): ImageOrientation {
  if (bytes[0] === 0xff) return both(jpegOrientation(bytes));
  const start = latin1(bytes, 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return pngOrientation(bytes);
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return { drawn: 1, stated: webpOrientation(bytes) };
  if (start.slice(4, 8) === "ftyp") return both(isobmffOrientation(bytes));
  return upright;
}

/** True if width and height are exchanged. */
export function isQuarterTurn(orientation: Orientation): boolean {
  return orientation >= 5;
}

function both(orientation: Orientation): ImageOrientation {
  return { drawn: orientation, stated: orientation };
}

const app1 = 0xe1;
const exifStart = "Exif\0";
/** Bytes of "Exif", a zero and a byte for padding. */
const exifStartBytes = 6;

function jpegOrientation(bytes: Uint8Array): Orientation {
  const exif = jpegSegments(bytes).find(
    ({ marker, start }) => marker === app1 && latin1(bytes, start, start + exifStart.length) === exifStart,
  );
  return exif ? tiffOrientation(bytes.subarray(exif.start + exifStartBytes, exif.end)) : 1;
}

function pngOrientation(bytes: Uint8Array): ImageOrientation {
  const view = viewOf(bytes);
  let isBeforePixels = true;
  for (let offset = 8; offset + 8 <= bytes.length; ) {
    const end = offset + 8 + view.getUint32(offset);
    const type = latin1(bytes, offset + 4, offset + 8);
    if (type === "IDAT") isBeforePixels = false;
    if (type === "eXIf" && end <= bytes.length) {
      const stated = tiffOrientation(bytes.subarray(offset + 8, end));
      return { drawn: isBeforePixels ? stated : 1, stated };
    }
    offset = end + 4; // the checksum
  }
  return upright;
}

function webpOrientation(bytes: Uint8Array): Orientation {
  const view = viewOf(bytes);
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (latin1(bytes, offset, offset + 4) === "EXIF") {
      // Some programs write the prefix of JPEG, too.
      const prefix = latin1(bytes, start, start + exifStart.length) === exifStart ? exifStartBytes : 0;
      return tiffOrientation(bytes.subarray(start + prefix, start + size));
    }
    offset = start + size + (size % 2);
  }
  return 1;
}

const orientationTag = 0x0112;
const shortType = 3;
const entryBytes = 12;

/** The orientation in the first directory of TIFF data, which EXIF is. Chromium, too, reads one SHORT only. */
function tiffOrientation(tiff: Uint8Array): Orientation {
  const order = latin1(tiff, 0, 2);
  if ((order !== "II" && order !== "MM") || tiff.length < 10) return 1;
  const isLittle = order === "II";
  const view = viewOf(tiff);
  const directory = view.getUint32(4, isLittle);
  if (view.getUint16(2, isLittle) !== 42 || directory + 2 > tiff.length) return 1;
  const count = view.getUint16(directory, isLittle);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * entryBytes;
    if (entry + entryBytes > tiff.length) return 1;
    if (view.getUint16(entry, isLittle) !== orientationTag) continue;
    const isOneShort =
      view.getUint16(entry + 2, isLittle) === shortType && view.getUint32(entry + 4, isLittle) === 1;
    const value = view.getUint16(entry + 8, isLittle);
    return isOneShort && value >= 1 && value <= 8 ? (value as Orientation) : 1;
  }
  return 1;
}
