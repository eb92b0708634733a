import {
  type Attachment,
  fitPixels,
  maxImageBytes,
  maxImagePixels,
} from "../../../shared/chatAttachments.ts";

/** Steps in which an image that is still too large is made smaller, each to half of its pixels. */
const maxSteps = 6;

/** An image within the bounds of the service. Rejects where it can't be drawn. */
export async function scaleImage({ mediaType }: Attachment, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  // Without this the canvas would not give the pixels out again.
  image.crossOrigin = "anonymous";
  image.src = url;
  await image.decode();
  let pixels = maxImagePixels;
  for (let step = 0; step < maxSteps; step++) {
    const blob = await draw(image, pixels, mediaType === "image/jpeg" ? "image/jpeg" : "image/png");
    if (blob.size <= maxImageBytes) return new Uint8Array(await blob.arrayBuffer());
    pixels = Math.floor(Math.min(pixels, image.naturalWidth * image.naturalHeight) / 2);
  }
  throw new Error("the image stays too large");
}

async function draw(image: HTMLImageElement, pixels: number, type: string): Promise<Blob> {
  const [width, height] = fitPixels(image.naturalWidth, image.naturalHeight, pixels);
  const options = { resizeWidth: width, resizeHeight: height, resizeQuality: "high" } as const;
  const bitmap = await createImageBitmap(image, options);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type, quality: 0.9 });
}
