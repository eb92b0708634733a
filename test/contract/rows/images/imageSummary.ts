import assert from "node:assert/strict";
import { imageDimensionsFromData } from "image-dimensions";

/** An image's size and type by its header. */
export function imageSummary(bytes: Uint8Array): string {
  const { width, height, type } = imageDimensionsFromData(bytes) ?? assert.fail("no picture");
  return `${type} ${width}x${height}`;
}
