import { imageDimensionsFromData } from "image-dimensions";

/** What the head of an image says of it: pixels, and the format whatever its name is. */
export interface ImageHead {
  readonly width: number;
  readonly height: number;
  readonly type: "png" | "jpeg" | "gif" | "webp" | "avif" | "heic";
}

/** Pixels and format of an image, read from its head; undefined where that says nothing. */
export function imageSize(bytes: Uint8Array): ImageHead | undefined {
  const size = imageDimensionsFromData(bytes);
  return size && { width: size.width, height: size.height, type: size.type };
}
