import { fitToBounds } from "../../../shared/images/imageBounds.ts";

/** Three pictures of this size fit into one request. */
const maxBytes = 8 * 1024 * 1024;
const maxSteps = 8;
const thumbPx = 320;

/** Above this quality, JPEG and WebP files grow much and no difference is seen. */
const fullQuality = 0.95;

/**
 * Upright RGB pixels without metadata, which every program reads alike, in the full size if the file is not too large.
 * Rejects if the picture can't be decoded.
 */
export async function redrawPicture(source: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const whole = await createImageBitmap(source);
  const type = /^image\/(jpeg|webp)$/.test(source.type) ? source.type : "image/png";
  const blob = await draw(whole, whole.width, whole.height, type, fullQuality).finally(() => whole.close());
  return blob.size <= maxBytes ? new Uint8Array(await blob.arrayBuffer()) : fitPicture(source);
}

/** Scales a picture to the limits of the service, as JPEG if it was one, else as PNG. Rejects if it can't be decoded. */
export async function fitPicture(source: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const whole = await bitmapOf(source);
  try {
    const type = source.type === "image/jpeg" ? "image/jpeg" : "image/png";
    let [width, height] = fitToBounds(whole.width, whole.height);
    for (let step = 0; step < maxSteps; step++) {
      const blob = await draw(whole, width, height, type);
      if (blob.size <= maxBytes) return new Uint8Array(await blob.arrayBuffer());
      [width, height] = fitToBounds(whole.width, whole.height, (width * height) / 2);
    }
  } finally {
    whole.close();
  }
  throw new Error("the picture stays too large");
}

/** Pixels of the longer edge of a drawing without a size of its own. */
const drawingPx = 1024;

/** The picture as it is seen. A drawing (SVG) is decoded by an element alone. */
async function bitmapOf(source: Blob): Promise<ImageBitmap> {
  if (source.type !== "image/svg+xml") return createImageBitmap(source);
  const url = URL.createObjectURL(source);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    const [width, height] = [image.naturalWidth || drawingPx, image.naturalHeight || drawingPx];
    // A drawing loses nothing when it is enlarged.
    const scale = Math.max(1, drawingPx / Math.max(width, height));
    const size = { resizeWidth: Math.round(width * scale), resizeHeight: Math.round(height * scale) };
    image.width = size.resizeWidth;
    image.height = size.resizeHeight;
    return await createImageBitmap(image, size);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The same picture as PNG, the format that the clipboard accepts. */
export async function toPng(source: Blob): Promise<Blob> {
  if (source.type === "image/png") return source;
  const whole = await createImageBitmap(source);
  const blob = await draw(whole, whole.width, whole.height, "image/png");
  whole.close();
  return blob;
}

/** A thumbnail. It is decoded off the main thread, so scrolling stays smooth. */
export async function toThumb(source: Blob): Promise<Blob> {
  const small = await createImageBitmap(source, { resizeWidth: thumbPx, resizeQuality: "medium" });
  const blob = await draw(small, small.width, small.height, "image/webp");
  small.close();
  return blob;
}

function draw(
  bitmap: ImageBitmap,
  width: number,
  height: number,
  type: string,
  quality = 0.85,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("there is no canvas to draw on");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality });
}
