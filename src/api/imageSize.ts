import { imageDimensionsFromData } from "image-dimensions";

/** Size in pixels and format of an image, from its header, not its name. */
export interface ImageHead {
  readonly width: number;
  readonly height: number;
  readonly type: "png" | "jpeg" | "gif" | "webp" | "avif" | "heic";
}

/** Size and format of an image; undefined if its header is unknown. */
export function imageSize(bytes: Uint8Array): ImageHead | undefined {
  const size = imageDimensionsFromData(bytes);
  return size && { width: size.width, height: size.height, type: size.type };
}
