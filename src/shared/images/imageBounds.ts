import { formatBytes, maxImagePixels } from "../chat/chatAttachments.ts";
import { type ImageFormat, imageFormat, sentFormatNames } from "./imageFormats.ts";

/** Limits of the service for a picture to edit (spec E5, E13; wire.md section 3). */
export const minEditPixels = 65_536;
/** Bytes; a picture must be smaller. */
const maxEditBytes = 25 * 1024 * 1024;
/** Bytes of a whole request, with its pictures as base64. */
const maxRequestBytes = 35 * 1024 * 1024;
/** Pictures in a request to a model that states no limit (spec E5). */
export const usualLayers = 3;
/** Pictures in the studio, at most, for any model. */
export const maxLayers = 32;

export interface PictureHead {
  readonly width: number;
  readonly height: number;
  readonly type: string;
}

/**
 * The rule that a picture violates, with the actual value; undefined if it can be sent. `format` is that of the content;
 * it is known of more files than the head.
 */
export function pictureProblem(
  head: PictureHead | undefined,
  bytes: number,
  format: ImageFormat | undefined = imageFormat(head?.type),
): string | undefined {
  if (format && !format.isSent) return otherFormat(format);
  if (!head) return `The file can't be read as a picture. Use ${sentFormatNames.replace(" and ", " or ")}.`;
  const { width, height } = head;
  const pixels = width * height;
  const size = `${width} × ${height} = ${pixels.toLocaleString("en-US")}`;
  if (pixels < minEditPixels) return `A picture needs at least 65,536 pixels; this one has ${size}.`;
  if (pixels > maxImagePixels) return `A picture may have at most 33,177,600 pixels; this one has ${size}.`;
  if (bytes >= maxEditBytes)
    return `A picture must be smaller than 25 MB; this one has ${formatBytes(bytes)}.`;
  return undefined;
}

/** Why a picture of another format is not sent, and what can be done. */
function otherFormat({ name, isDrawn, id }: ImageFormat): string {
  const is = `Its content is ${name}. The service takes ${sentFormatNames}.`;
  if (isDrawn) return is;
  const advice =
    id === "heic"
      ? "Export the photo as JPEG; on an iPhone, Settings, Camera, Formats, Most Compatible takes JPEG."
      : "Open it in the program that made it, and export it as PNG or JPEG.";
  return `${is} It can't be drawn here. ${advice}`;
}

/** The reason that a picture which nobody can draw is not sent. `kind` is what it is, if that is known. */
export function undrawablePicture(kind: string | undefined): string {
  const reason = kind
    ? `It is ${kind}, which can't be converted here.`
    : "It can't be drawn; it may be damaged.";
  return `${reason} Save it as a usual JPEG (RGB, 8 bits) or as PNG.`;
}

/** Scales width and height to the bounds and keeps the aspect ratio. */
export function fitToBounds(width: number, height: number, maxPixels = maxImagePixels): [number, number] {
  const pixels = width * height;
  if (pixels < minEditPixels) return scaledUp(width, height);
  if (pixels <= maxPixels) return [width, height];
  const scale = Math.sqrt(maxPixels / pixels);
  return [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
}

function scaledUp(width: number, height: number): [number, number] {
  const scale = Math.sqrt(minEditPixels / (width * height));
  return [Math.ceil(width * scale), Math.ceil(height * scale)];
}

/** The error for pictures that are too large together. Base64 encodes three bytes as four. */
export function togetherProblem(sizes: readonly number[]): string | undefined {
  const sent = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / 3) * 4, 0);
  if (sizes.length < 2 || sent <= maxRequestBytes - promptRoom) return undefined;
  return `Together the pictures take ${formatBytes(sent)} in the request, which may have at most 35 MB. Make one of them smaller.`;
}

/** Bytes that are reserved for the rest of the request. */
const promptRoom = 256 * 1024;
