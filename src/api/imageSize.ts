import { imageDimensionsFromData } from "image-dimensions";
import { frameCount } from "../shared/images/imageFormats.ts";
import { imageOrientation, isQuarterTurn } from "../shared/images/imageOrientation.ts";
import { type RareJpeg, rareJpeg } from "../shared/images/rareJpeg.ts";
import { hasOwnColours } from "./colourProfile.ts";

/** Size in pixels and format of an image, from its header, not its name. */
export interface ImageHead {
  /** As browsers draw it: after the orientation that a camera has stored. */
  readonly width: number;
  readonly height: number;
  readonly type: "png" | "jpeg" | "gif" | "webp" | "avif" | "heic";
  /** The stored pixels are turned or mirrored, and a service may show them so. */
  readonly isTurned: boolean;
  /** Undefined for a file that every program reads. */
  readonly rare?: RareJpeg;
  /** The number of pictures of one that moves. */
  readonly frames?: number;
  /** Its colours are not those of sRGB, which a service may not know. */
  readonly hasOwnColours?: true;
}

/** Size and format of an image; undefined if its header is unknown. */
export function imageSize(bytes: Uint8Array): ImageHead | undefined {
  const size = imageDimensionsFromData(bytes);
  if (!size) return undefined;
  const { drawn, stated } = imageOrientation(bytes);
  const [width, height] = isQuarterTurn(drawn) ? [size.height, size.width] : [size.width, size.height];
  const rare = size.type === "jpeg" ? rareJpeg(bytes) : undefined;
  const frames = frameCount(bytes);
  return {
    width,
    height,
    type: size.type,
    isTurned: stated !== 1,
    ...(rare ? { rare } : {}),
    ...(frames > 1 ? { frames } : {}),
    ...(hasOwnColours(bytes, size.type) ? { hasOwnColours: true } : {}),
  };
}
