// The colour of a mask is seen on its picture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { contrasting } from "../../../../src/images/page/mask/maskColour.ts";

const filled = (red: number, green: number, blue: number) =>
  Uint8ClampedArray.from({ length: 64 }, (_, index) => [red, green, blue, 255][index % 4] ?? 0);

test("the mask has another colour than what is under it", () => {
  assert.notEqual(contrasting(filled(230, 20, 60)), 0, "pink is not seen on red");
  assert.notEqual(contrasting(filled(30, 180, 80)), 1, "green is not seen on leaves");
  assert.notEqual(contrasting(filled(40, 120, 250)), 2, "blue is not seen on the sky");
});
