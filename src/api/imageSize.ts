import { imageDimensionsFromData } from "image-dimensions";

/** Pixels of an image, read from its head; undefined where that says nothing. */
export function imageSize(
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined {
  const size = imageDimensionsFromData(bytes);
  return size && { width: size.width, height: size.height };
}
