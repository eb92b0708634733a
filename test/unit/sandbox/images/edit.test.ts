// Edits: the result depends on the input, where the masks allow it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodePng } from "../../../../src/sandbox/images/codecs/png.ts";
import { createPicture, type Picture } from "../../../../src/sandbox/images/drawing/picture.ts";
import { resize } from "../../../../src/sandbox/images/drawing/resize.ts";
import { decodePicture, type EditOrder, editPicture } from "../../../../src/sandbox/images/edit.ts";

type Rgba = readonly [number, number, number, number];

/** A picture of one colour on its left half and another on its right. */
function halves(left: Rgba, right: Rgba, width = 300, height = 300): Picture {
  const picture = createPicture(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    picture.data.set(pixel % width < width / 2 ? left : right, pixel * 4);
  }
  return picture;
}

const red: Rgba = [200, 40, 40, 255];
const blue: Rgba = [40, 40, 200, 255];
const black: Rgba = [0, 0, 0, 255];
const white: Rgba = [255, 255, 255, 255];

const order: Omit<EditOrder, "images"> = {
  prompt: "make it grayscale",
  shape: { kind: "own" },
  resolution: "1K",
  quality: undefined,
  format: "png",
  finding: "fine",
};

async function edit(pictures: readonly Picture[], changes: Partial<EditOrder> = {}): Promise<Picture> {
  const images = pictures.map((picture, index) => ({ path: ["images", index], bytes: encodePng(picture) }));
  return decodePicture((await editPicture({ ...order, ...changes, images })).bytes, []);
}

/** The colour at one quarter, or three quarters, of the upper part, which no caption reaches. */
function colorAt(picture: Picture, side: "left" | "right"): number[] {
  const x = Math.floor(picture.width * (side === "left" ? 0.25 : 0.75));
  const start = (Math.floor(picture.height * 0.3) * picture.width + x) * 4;
  return [...picture.data.subarray(start, start + 4)];
}

function assertColor(actual: readonly number[], expected: readonly number[], tolerance = 3): void {
  const off = actual.map((value, index) => Math.abs(value - (expected[index] ?? value)));
  assert.ok(Math.max(...off) <= tolerance, `${actual} is not ${expected}`);
}

test("a known word of the prompt changes the picture", async () => {
  const left = 0.299 * 200 + 0.587 * 40 + 0.114 * 40;
  assertColor(colorAt(await edit([halves(red, blue)]), "left"), [left, left, left]);
  assertColor(colorAt(await edit([halves(red, blue)], { prompt: "Invert it" }), "right"), [215, 215, 55]);
  assertColor(colorAt(await edit([halves(red, blue)], { prompt: "mirror, please" }), "left"), blue);
  assertColor(colorAt(await edit([halves(red, blue)], { prompt: "a darker one" }), "left"), [120, 24, 24]);
});

test("a prompt without a known word leaves a mark, and keeps the picture", async () => {
  const edited = await edit([halves(red, blue)], { prompt: "improve" });
  const [left, right] = [colorAt(edited, "left"), colorAt(edited, "right")];
  assert.notDeepEqual(left, [...red]);
  assert.ok((left[0] ?? 0) > (right[0] ?? 0) + 60 && (right[2] ?? 0) > (left[2] ?? 0) + 60);
});

test("a black and white picture is a mask: only its white part is changed", async () => {
  const edited = await edit([halves(red, red), halves(black, white)]);
  assertColor(colorAt(edited, "left"), red);
  assertColor(colorAt(edited, "right"), [88, 88, 88]);
});

test("a layer is blended at half opacity, by its own alpha, or fully where a mask allows it", async () => {
  const layer = { prompt: "put this in" };
  assertColor(colorAt(await edit([halves(red, red), halves(blue, blue)], layer), "left"), [120, 40, 120]);
  const glass = await edit([halves(red, red), halves([40, 40, 200, 0], blue)], layer);
  assertColor(colorAt(glass, "left"), red);
  assertColor(colorAt(glass, "right"), blue);
  for (const others of [
    [halves(blue, blue), halves(white, black)],
    [halves(white, black), halves(blue, blue)],
  ]) {
    const masked = await edit([halves(red, red), ...others], layer);
    assertColor(colorAt(masked, "left"), blue);
    assertColor(colorAt(masked, "right"), red);
  }
});

test("the ratio is that of the picture, the named one, or the closest of a list", async () => {
  const shapeOf = async (changes: Partial<EditOrder>) => {
    const { width, height } = await edit([halves(red, blue, 520, 300)], changes);
    return width / height;
  };
  assert.ok(Math.abs((await shapeOf({})) - 520 / 300) < 0.01);
  assert.equal(await shapeOf({ shape: { kind: "named", ratio: "9:16" } }), 9 / 16);
  assert.equal(await shapeOf({ shape: { kind: "closest", ratios: ["1:1", "16:9", "21:9"] } }), 16 / 9);
});

test("another ratio crops the sides instead of stretching", async () => {
  const bars = createPicture(900, 300);
  for (let pixel = 0; pixel < 900 * 300; pixel++) {
    bars.data.set(Math.floor((pixel % 900) / 300) === 1 ? blue : red, pixel * 4);
  }
  const square = await edit([bars], { prompt: "mirror", shape: { kind: "named", ratio: "1:1" } });
  assertColor(colorAt(square, "left"), blue);
  assertColor(colorAt(square, "right"), blue);
});

test("lower tiers keep less detail", async () => {
  const stripes = createPicture(512, 512);
  for (let pixel = 0; pixel < 512 * 512; pixel++) stripes.data.set(pixel % 2 === 0 ? red : blue, pixel * 4);
  const detail = async (quality: EditOrder["quality"]) => {
    const { width, data } = await edit([stripes], { quality, prompt: "mirror" });
    const row = [...data.subarray(200 * width * 4, 201 * width * 4)].filter((_, index) => index % 4 === 0);
    return row.reduce((sum, value, index) => sum + Math.abs(value - (row[index + 1] ?? value)), 0);
  };
  const [low, medium, high] = [await detail("low"), await detail("medium"), await detail("high")];
  assert.ok(low < medium && medium < high, `${low} ${medium} ${high}`);
  assert.equal(high, await detail(undefined));
});

test("adult content is blurred beyond recognition", async () => {
  const stripes = createPicture(512, 512);
  for (let pixel = 0; pixel < 512 * 512; pixel++) stripes.data.set(pixel % 16 < 8 ? white : black, pixel * 4);
  const blurred = await edit([stripes], { finding: "adult", prompt: "mirror" });
  assertColor(colorAt(blurred, "left"), [128, 128, 128, 255], 24);
});

test("scaling keeps averages, and transparent pixels leave no border", () => {
  const checks = createPicture(64, 64);
  for (let pixel = 0; pixel < 64 * 64; pixel++) checks.data.set(pixel % 2 === 0 ? white : black, pixel * 4);
  const small = resize(checks, { width: 8, height: 8 });
  assertColor([...small.data.subarray(108, 112)], [128, 128, 128, 255], 8);
  const edge = resize(halves([0, 0, 0, 0], red, 64, 64), { width: 7, height: 7 });
  for (let index = 0; index < edge.data.length; index += 4) {
    if (edge.data[index + 3] !== 0) assertColor([...edge.data.subarray(index, index + 3)], red.slice(0, 3));
  }
});
