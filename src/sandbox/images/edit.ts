import { imageOrientation } from "../../shared/images/imageOrientation.ts";
import { rareJpeg } from "../../shared/images/rareJpeg.ts";
import { badField } from "../refusal.ts";
import { decodeJpeg } from "./codecs/jpeg.ts";
import { decodePng } from "./codecs/png.ts";
import { decodeWebp } from "./codecs/webp.ts";
import { blur, changedBy, lowered, tintedBy } from "./drawing/effects.ts";
import type { ContentFinding } from "./drawing/finding.ts";
import { sortLayers, stack, within } from "./drawing/layers.ts";
import type { Picture } from "./drawing/picture.ts";
import { cover } from "./drawing/resize.ts";
import { closestRatio, type Size, sizeLike, sizeOf } from "./drawing/size.ts";
import { upright } from "./drawing/upright.ts";
import { imageFormatOf } from "./inputImage.ts";
import { type PictureFile, type PictureFormat, toFile } from "./pictureFile.ts";

/** The aspect ratio of the result: that of the first picture, the closest one of a list, or a named one. */
export type Shape =
  | { readonly kind: "own" }
  | { readonly kind: "closest"; readonly ratios: readonly string[] }
  | { readonly kind: "named"; readonly ratio: string };

/** An input image and its path in the request. */
export interface InputImage {
  readonly path: readonly (string | number)[];
  readonly bytes: Uint8Array;
}

/** Input images and options of an edit. The first image is the base, the others are layers and masks. */
export interface EditOrder {
  readonly images: readonly InputImage[];
  readonly prompt: string;
  readonly shape: Shape;
  /** 1K, 2K or 4K. */
  readonly resolution: string;
  /** Undefined for models that have no tiers. */
  readonly quality: "low" | "medium" | "high" | undefined;
  readonly format: PictureFormat;
  readonly finding: ContentFinding;
}

/** Throws a 400 if an image can't be read. */
export async function editPicture(order: EditOrder): Promise<PictureFile> {
  const pictures: Picture[] = [];
  for (const { bytes, path } of order.images) pictures.push(await decodePicture(bytes, path));
  const [first, ...rest] = pictures;
  if (!first) throw new Error("an edit needs a picture");
  const size = resultSize(first, order);
  const edited = edit(
    cover(first, size),
    rest.map((picture) => cover(picture, size)),
    order.prompt,
  );
  const picture = order.finding === "adult" ? blur(edited) : lowered(edited, order.quality);
  return toFile(picture, order.format, order.finding);
}

function resultSize(first: Picture, { shape, resolution }: EditOrder): Size {
  if (shape.kind === "own") return sizeLike(first, resolution);
  const ratio = shape.kind === "named" ? shape.ratio : closestRatio(first, shape.ratios);
  return sizeOf(ratio, resolution);
}

/** A prompt without a known word tints the picture, unless its layers already change it. */
function edit(base: Picture, others: readonly Picture[], prompt: string): Picture {
  const layers = sortLayers(others);
  const stacked = stack(base, layers);
  const plain = () => (layers.pictures.length > 0 ? stacked : tintedBy(prompt, stacked));
  return within(layers.masks, base, changedBy(prompt, stacked) ?? plain());
}

/** Decodes an image file and turns it upright. Throws a 400 that names the field if the file is damaged. */
export async function decodePicture(bytes: Uint8Array, path: readonly (string | number)[]): Promise<Picture> {
  const format = imageFormatOf(bytes);
  const rare = format === "jpeg" ? rareJpeg(bytes) : undefined;
  if (rare) throw badField(path, `The picture is a ${rare} JPEG, which can't be read here`);
  try {
    // As browsers show it.
    return upright(await decoded(bytes, format), imageOrientation(bytes).drawn);
  } catch {
    throw badField(path, `The ${format ?? "image"} file is damaged`);
  }
}

async function decoded(bytes: Uint8Array, format: PictureFormat | undefined): Promise<Picture> {
  if (format === "png") return decodePng(bytes);
  return format === "jpeg" ? decodeJpeg(bytes) : decodeWebp(bytes);
}
