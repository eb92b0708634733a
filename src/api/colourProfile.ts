import { inflateSync } from "node:zlib";
import { latin1, viewOf } from "../shared/bytes.ts";
import { jpegSegments } from "../shared/images/jpegSegments.ts";

/** Bytes of a profile that are looked at; the description stands near its start. */
const mostProfile = 64 * 1024;
const app2 = 0xe2;

/**
 * True if the file states other colours than those of sRGB, which browsers show and a service that reads only the
 * numbers does not: *Display P3* of phones, *Adobe RGB* of cameras, HDR.
 */
export function hasOwnColours(bytes: Uint8Array, type: string): boolean {
  const profile = profileOf(bytes, type);
  if (profile === undefined) return false;
  if (profile === "wide") return true;
  // Names are ASCII in version 2 of ICC, and UTF-16 in version 4.
  const words = latin1(profile, 0, Math.min(profile.length, 16_384)).replaceAll("\0", "");
  return words.length > 0 && !/sRGB|IEC\s?61966-?2[.-]1|\bGRAYacsp|GRAY/i.test(words);
}

function profileOf(bytes: Uint8Array, type: string): Uint8Array | "wide" | undefined {
  if (type === "jpeg") return jpegProfile(bytes);
  if (type === "png") return pngProfile(bytes);
  return type === "webp" ? webpProfile(bytes) : undefined;
}

/** The profile begins behind its name and two numbers. */
const jpegPrefix = "ICC_PROFILE\0";

function jpegProfile(bytes: Uint8Array): Uint8Array | undefined {
  const found = jpegSegments(bytes).find(
    ({ marker, start }) => marker === app2 && latin1(bytes, start, start + jpegPrefix.length) === jpegPrefix,
  );
  return found && bytes.subarray(found.start + jpegPrefix.length + 2, found.end);
}

function pngProfile(bytes: Uint8Array): Uint8Array | "wide" | undefined {
  const view = viewOf(bytes);
  for (let offset = 8; offset + 12 <= bytes.length; ) {
    const start = offset + 8;
    const end = start + view.getUint32(offset);
    const type = latin1(bytes, offset + 4, start);
    if (type === "IDAT" || end > bytes.length) break;
    // Primaries 1 are those of sRGB (ITU-T H.273).
    if (type === "cICP") return bytes[start] === 1 ? undefined : "wide";
    if (type === "sRGB") return undefined;
    if (type === "iCCP") return inflated(bytes.subarray(bytes.indexOf(0, start) + 2, end));
    offset = end + 4;
  }
  return undefined;
}

function webpProfile(bytes: Uint8Array): Uint8Array | undefined {
  const view = viewOf(bytes);
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset + 4, true);
    if (latin1(bytes, offset, offset + 4) === "ICCP") return bytes.subarray(offset + 8, offset + 8 + size);
    offset += 8 + size + (size % 2);
  }
  return undefined;
}

/** Undefined if the data is damaged or far too large for a profile. */
function inflated(data: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(data, { maxOutputLength: 16 * mostProfile }).subarray(0, mostProfile);
  } catch {
    return undefined;
  }
}
