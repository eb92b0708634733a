import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maxImagePixels } from "../../../../src/shared/chat/chatAttachments.ts";
import {
  fitToBounds,
  minEditPixels,
  pictureProblem,
  togetherProblem,
} from "../../../../src/shared/images/imageBounds.ts";
import { imageFormatOf } from "../../../../src/shared/images/imageFormats.ts";

test("any image can be resized to the limits, in its aspect ratio", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }), (width, height) => {
      fc.pre(width / height < 50 && height / width < 50);
      const [fitWidth, fitHeight] = fitToBounds(width, height);
      assert.ok(fitWidth * fitHeight >= minEditPixels - Math.max(fitWidth, fitHeight));
      assert.ok(fitWidth * fitHeight <= maxImagePixels);
      const head = { width: fitWidth, height: fitHeight, type: "png" };
      assert.equal(pictureProblem(head, 1000), undefined);
      if (width * height >= minEditPixels && width * height <= maxImagePixels)
        assert.deepEqual([fitWidth, fitHeight], [width, height]);
    }),
  );
});

test("limits are inclusive as at the service, and named with the value", () => {
  const problem = (width: number, height: number, bytes = 1000) =>
    pictureProblem({ width, height, type: "png" }, bytes);
  assert.equal(problem(256, 256), undefined);
  assert.match(problem(255, 257) ?? "", /at least 65,536 pixels; this one has 255 × 257 = 65,535/);
  assert.equal(problem(5760, 5760), undefined);
  assert.match(problem(5761, 5760) ?? "", /at most 33,177,600 pixels/);
  assert.equal(problem(256, 256, 25 * 1024 * 1024 - 1), undefined);
  assert.match(problem(256, 256, 25 * 1024 * 1024) ?? "", /smaller than 25 MB; this one has 25 MB/);
  assert.equal(togetherProblem([12e6, 12e6]), undefined);
  assert.match(togetherProblem([20e6, 20e6]) ?? "", /may have at most 35 MB/);
});

test("a picture of another format is named by its content, with what to do", () => {
  const problem = (start: string) => {
    const bytes = Buffer.from(start.padEnd(64, "\0"), "latin1");
    return pictureProblem(undefined, bytes.length, imageFormatOf(bytes)) ?? "";
  };
  assert.match(
    problem("BM\x46\0\0\0\0\0\0\0"),
    /^Its content is BMP\. The service takes PNG, JPEG and WebP\.$/,
  );
  assert.match(problem("\ufeff<?xml version='1.0'?>\n<svg xmlns='x'>"), /^The file can't be read/);
  assert.match(problem("\xef\xbb\xbf<?xml version='1.0'?>\n<svg xmlns='x'>"), /^Its content is SVG\./);
  assert.match(problem("\0\0\0\x18ftypheic"), /is HEIC\. .* can't be drawn here\. Export the photo as JPEG/);
  assert.match(problem("II*\0"), /is TIFF\. .* can't be drawn here\. .* export it as PNG or JPEG/);
  assert.match(problem("not a picture"), /can't be read as a picture\. Use PNG, JPEG or WebP/);
});
