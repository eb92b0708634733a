import { imageDimensionsFromData } from "image-dimensions";
import { badField, Refusal } from "../refusal.ts";
import type { PictureFormat } from "./pictureFile.ts";

type Path = readonly (string | number)[];

/** spec E5, E13: under 25 MB. */
const byteLimit = 25 * 1024 * 1024;
/** spec E5, E13. */
const fewestPixels = 65_536;
const mostPixels = 33_177_600;

/** Checks an input image by its header. Throws a 4xx if it can't be edited (spec E5, E13). */
export function checkInputImage(bytes: Uint8Array, path: Path): void {
  if (bytes.byteLength >= byteLimit) {
    throw new Refusal(
      413,
      `${path.join(".")}: an image must be under 25 MB, this one has ${bytes.byteLength} bytes`,
    );
  }
  if (!imageFormatOf(bytes)) throw badField(path, "Must be a PNG, JPEG or WebP image");
  const size = imageDimensionsFromData(bytes);
  if (!size) throw badField(path, "The image's header is damaged");
  const pixels = size.width * size.height;
  if (pixels < fewestPixels)
    throw badField(path, `Too small: ${pixels} pixels, at least ${fewestPixels} expected`);
  if (pixels > mostPixels) throw badField(path, `Too big: ${pixels} pixels, at most ${mostPixels} expected`);
}

/** The format by the first bytes, because names and media types can be wrong. */
export function imageFormatOf(bytes: Uint8Array): PictureFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "webp" : undefined;
}

/** The URL or the bytes of an image that was sent as text. Throws a 400 for any other text. */
export function readImageText(
  text: string,
  path: Path,
): { readonly url: string } | { readonly bytes: Uint8Array } {
  if (/^https?:\/\//i.test(text)) return { url: text };
  const encoded = text.replace(/^data:[^,;]*;base64,/i, "");
  if (encoded !== "" && encoded.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    return { bytes: Buffer.from(encoded, "base64") };
  }
  throw badField(path, "Must be a base64 string or an http(s) URL");
}
