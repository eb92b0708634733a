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
