import { badField } from "../refusal.ts";
import { decodeJpeg } from "./codecs/jpeg.ts";
import { decodePng } from "./codecs/png.ts";
import { decodeWebp } from "./codecs/webp.ts";
import { imageFormatOf } from "./inputImage.ts";
import type { Picture } from "./picture.ts";

/** The picture in a file. Throws the 400 for the field that named it where the file is damaged. */
export async function decodePicture(bytes: Uint8Array, path: readonly (string | number)[]): Promise<Picture> {
  const format = imageFormatOf(bytes);
  try {
    if (format === "png") return decodePng(bytes);
    return await (format === "jpeg" ? decodeJpeg(bytes) : decodeWebp(bytes));
  } catch {
    throw badField(path, `The ${format ?? "image"} file is damaged`);
  }
}
