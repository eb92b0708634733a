// The sandbox's pictures: valid files of the requested size, the same for the same request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { imageDimensionsFromData } from "image-dimensions";
import { closestRatio, ratios, sizeLike, sizeOf } from "../../../../src/sandbox/images/drawing/size.ts";
import { decodePicture } from "../../../../src/sandbox/images/edit.ts";
import { drawPicture, type ImagePlan } from "../../../../src/sandbox/images/generate.ts";
import { imageFormatOf } from "../../../../src/sandbox/images/inputImage.ts";

const drawing: ImagePlan = {
  prompt: "sunset over the sea",
  seed: 0,
  size: { width: 256, height: 256 },
  format: "png",
  finding: "fine",
};

async function pixelsOf(order: ImagePlan) {
  return decodePicture((await drawPicture(order)).bytes, ["image"]);
}

test("equal requests give equal files; other prompts, seeds and sizes give others", async () => {
  const { bytes } = await drawPicture(drawing);
  assert.deepEqual((await drawPicture(drawing)).bytes, bytes);
  for (const other of [{ prompt: "sunset over the lake" }, { seed: 1 }]) {
    assert.notDeepEqual((await drawPicture({ ...drawing, ...other })).bytes, bytes);
  }
});

for (const format of ["png", "jpeg", "webp"] as const) {
  test(`${format} files have the requested size in their header and in their pixels`, async () => {
    for (const size of [
      { width: 256, height: 256 },
      { width: 1792, height: 1024 },
      { width: 1024, height: 1536 },
    ]) {
      const { bytes, contentType } = await drawPicture({ ...drawing, size, format });
      assert.equal(contentType, `image/${format}`);
      assert.equal(imageFormatOf(bytes), format);
      const { width, height } = imageDimensionsFromData(bytes) ?? {};
      assert.deepEqual({ width, height }, size);
      const picture = await decodePicture(bytes, ["image"]);
      assert.equal(picture.data.length, size.width * size.height * 4);
    }
  });
}

test("the three formats show the same picture", async () => {
  const exact = await pixelsOf(drawing);
  for (const format of ["jpeg", "webp"] as const) {
    const lossy = await pixelsOf({ ...drawing, format });
    const off = exact.data.reduce((sum, value, index) => sum + Math.abs(value - (lossy.data[index] ?? 0)), 0);
    assert.ok(off / exact.data.length < 6, `${format} is off by ${off / exact.data.length} a sample`);
  }
});

test("words choose the colours: red is redder than blue", async () => {
  const mean = async (prompt: string, channel: number) => {
    const { data } = await pixelsOf({ ...drawing, prompt });
    let sum = 0;
    for (let index = channel; index < data.length / 2; index += 4) sum += data[index] ?? 0;
    return sum / (data.length / 8);
  };
  assert.ok(
    (await mean("red", 0)) - (await mean("red", 2)) > (await mean("blue", 0)) - (await mean("blue", 2)) + 60,
  );
});

test("adult content is blurred and reported; forbidden content is left blank and reported", async () => {
  /** The largest difference between neighbours, which a sharp edge keeps high. */
  const sharpest = async (order: ImagePlan) => {
    const { width, data } = await pixelsOf(order);
    const isInner = (index: number) => Math.floor(index / 4) % width < width - 1;
    return data.reduce(
      (most, value, index) =>
        isInner(index) ? Math.max(most, Math.abs(value - (data[index + 4] ?? value))) : most,
      0,
    );
  };
  const clear = { ...drawing, prompt: "night", size: { width: 512, height: 512 } };
  assert.ok((await sharpest({ ...clear, finding: "adult" })) < (await sharpest(clear)) / 4);
  const adult = await drawPicture({ ...drawing, finding: "adult" });
  assert.deepEqual([adult.blurred, adult.contentViolation], [true, false]);
  const forbidden = await drawPicture({ ...drawing, finding: "forbidden" });
  assert.deepEqual([forbidden.blurred, forbidden.contentViolation], [false, true]);
  const { data } = await decodePicture(forbidden.bytes, []);
  assert.equal(new Set(data).size, 2);
});

test("every ratio is exact, with about the pixels of its resolution", () => {
  for (const resolution of ["1K", "2K", "4K"] as const) {
    const edge = { "1K": 1024, "2K": 2048, "4K": 4096 }[resolution];
    for (const ratio of ratios) {
      const [across = 0, down = 0] = ratio.split(":").map(Number);
      const { width, height } = sizeOf(ratio, resolution);
      assert.equal(width * down, height * across, ratio);
      assert.ok(
        Math.abs((width * height) / edge ** 2 - 1) < 0.03,
        `${ratio} ${resolution}: ${width} × ${height}`,
      );
    }
  }
  assert.deepEqual(sizeLike({ width: 400, height: 100 }, "1K"), { width: 2048, height: 512 });
});

test("the closest ratio is found from both sides", () => {
  const cases = {
    "1000x1000": "1:1",
    "1910x1000": "16:9",
    "300x1000": "9:16",
    "800x1000": "4:5",
    "5000x1000": "21:9",
  };
  for (const [size, ratio] of Object.entries(cases)) {
    const [width = 0, height = 0] = size.split("x").map(Number);
    assert.equal(closestRatio({ width, height }, ratios), ratio);
  }
});
