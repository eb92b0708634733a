import { encodeJpeg } from "./codecs/jpeg.ts";
import { encodePng } from "./codecs/png.ts";
import { encodeWebp } from "./codecs/webp.ts";
import type { ContentFinding } from "./drawing/finding.ts";
import type { Picture } from "./drawing/picture.ts";

export type PictureFormat = "png" | "jpeg" | "webp";

/** An encoded picture. */
export interface PictureFile {
  readonly bytes: Uint8Array;
  readonly contentType: `image/${PictureFormat}`;
  /** The picture is blurred because of adult content. */
  readonly blurred: boolean;
  /** The picture is blank because the prompt is forbidden. */
  readonly contentViolation: boolean;
}

/** The quality of lossy formats, 1 to 100. */
const lossyQuality = 88;

export async function toFile(
  picture: Picture,
  format: PictureFormat,
  finding: ContentFinding = "fine",
): Promise<PictureFile> {
  return {
    bytes: await encode(picture, format),
    contentType: `image/${format}`,
    blurred: finding === "adult",
    contentViolation: finding === "forbidden",
  };
}

function encode(picture: Picture, format: PictureFormat): Uint8Array | Promise<Uint8Array> {
  if (format === "png") return encodePng(picture);
  return format === "jpeg" ? encodeJpeg(picture, lossyQuality) : encodeWebp(picture, lossyQuality);
}
