import { formatBytes, maxImagePixels } from "./chatAttachments.ts";

/** What the service takes of a picture that is to be edited (spec E5, E13; wire.md section 3). */
export const minEditPixels = 65_536;
/** Bytes; a picture has fewer. */
const maxEditBytes = 25 * 1024 * 1024;
/** Bytes of a whole request; pictures that go together travel as base64 in it. */
const maxRequestBytes = 35 * 1024 * 1024;
/** Pictures of one request to a model that does not say how many it takes (spec E5). */
export const usualLayers = 3;
/** Pictures that the studio holds at most, whatever a model takes. */
export const maxLayers = 32;

const taken: readonly string[] = ["png", "jpeg", "webp"];

export interface PictureHead {
  readonly width: number;
  readonly height: number;
  readonly type: string;
}

/** The sentence that names the rule which a picture breaks and by how much; undefined for one that may be sent. */
export function pictureProblem(head: PictureHead | undefined, bytes: number): string | undefined {
  if (!head) return "It is no picture that can be read: PNG, JPEG or WebP.";
  const { width, height, type } = head;
  const pixels = width * height;
  const size = `${width} × ${height} = ${pixels.toLocaleString("en-US")}`;
  if (!taken.includes(type))
    return `It is ${type.toUpperCase()} by its content; the service takes PNG, JPEG and WebP.`;
  if (pixels < minEditPixels) return `A picture has at least 65,536 pixels; this one has ${size}.`;
  if (pixels > maxImagePixels) return `A picture has at most 33,177,600 pixels; this one has ${size}.`;
  if (bytes >= maxEditBytes) return `A picture has under 25 MB; this one has ${formatBytes(bytes)}.`;
  return undefined;
}

/** Width and height within the bounds, of the same shape. */
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

/** The sentence that refuses pictures which are too large together; base64 takes four bytes for three. */
export function togetherProblem(sizes: readonly number[]): string | undefined {
  const sent = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / 3) * 4, 0);
  if (sizes.length < 2 || sent <= maxRequestBytes - promptRoom) return undefined;
  return `Together the pictures come to ${formatBytes(sent)} as they are sent; a request has at most 35 MB. Make one smaller.`;
}

/** Bytes for everything of a request that is no picture. */
const promptRoom = 256 * 1024;
