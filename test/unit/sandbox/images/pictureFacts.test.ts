// The facts of a picture are read from its bytes: format, size as it is drawn, colours, and what is transparent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeJpeg } from "../../../../src/sandbox/images/codecs/jpeg.ts";
import { encodePng } from "../../../../src/sandbox/images/codecs/png.ts";
import { encodeWebp } from "../../../../src/sandbox/images/codecs/webp.ts";
import { fromHsl, toHsl } from "../../../../src/sandbox/images/drawing/colors.ts";
import { createPicture } from "../../../../src/sandbox/images/drawing/picture.ts";
import { pictureFacts } from "../../../../src/sandbox/images/pictureFacts.ts";
import { Refusal } from "../../../../src/sandbox/refusal.ts";
import { exifSegment, jpegWith, quarters, tiff } from "../../images/host/cameraFiles.ts";
import { movingGif, movingWebp, turnedAvif } from "../../images/host/modernFiles.ts";

const path = ["messages", 0, "content"];
const refusal = async (bytes: Uint8Array) => {
  const error = await pictureFacts(bytes, path).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof Refusal, String(error));
  assert.equal(error.status, 400);
  return error.message;
};

test("the four quarters have four colours of a quarter each, of which three are named, in each format", async () => {
  const picture = quarters(200, 120);
  const files = [
    ["PNG", encodePng(picture)],
    ["JPEG", await encodeJpeg(picture, 90)],
    ["WebP", await encodeWebp(picture, 90)],
  ] as const;
  for (const [format, bytes] of files) {
    const facts = await pictureFacts(bytes, path);
    assert.deepEqual(
      [facts.format, facts.width, facts.height, facts.frames, facts.transparent],
      [format, 200, 120, 1, 0],
    );
    assert.equal(facts.colours.length, 3, format);
    for (const { name, share } of facts.colours) {
      assert.match(name, /^(?:red|green|blue|yellow)$/);
      assert.ok(Math.abs(share - 0.25) < 0.02, `${format} ${name} ${share}`);
    }
  }
});

test("a turned photo has the size that a person sees", async () => {
  const { width, height } = await pictureFacts(
    await jpegWith(quarters(200, 120), exifSegment(tiff(6))),
    path,
  );
  assert.deepEqual([width, height], [120, 200]);
});

test("transparent pixels are counted, and have no colour", async () => {
  const picture = createPicture(100, 100);
  picture.data.set(Array.from({ length: 100 * 25 }, () => [255, 140, 0, 255]).flat());
  const { transparent, colours } = await pictureFacts(encodePng(picture), path);
  assert.ok(Math.abs((transparent ?? 0) - 0.75) < 0.02);
  assert.deepEqual(colours, [{ name: "orange", share: 1 }]);
  const clear = await pictureFacts(encodePng(createPicture(9, 9)), path);
  assert.deepEqual([clear.transparent, clear.colours], [1, []]);
});

test("of a picture that moves, the number of its pictures is told, and no pixel", async () => {
  for (const [format, bytes] of [
    ["GIF", movingGif],
    ["WebP", movingWebp],
  ] as const) {
    const facts = await pictureFacts(bytes, path);
    assert.deepEqual([facts.format, facts.transparent, facts.colours], [format, undefined, []]);
    assert.ok(facts.frames > 1, format);
  }
});

test("another format is refused by its name, and so are text, damage and size", async () => {
  assert.match(await refusal(turnedAvif(0, undefined)), /PNG, JPEG, WebP or GIF file; this one is AVIF$/);
  assert.match(await refusal(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")), /this one is SVG$/);
  assert.match(await refusal(Buffer.from("hello")), /GIF file$/);
  assert.match(await refusal(new Uint8Array()), /GIF file$/);
  assert.match(await refusal(encodePng(quarters(200, 120)).slice(0, 90)), /damaged/);
  const wide = Buffer.from(encodePng(quarters(20, 20)));
  wide.writeUInt32BE(60_000, 16);
  wide.writeUInt32BE(60_000, 20);
  assert.match(await refusal(wide), /Too big: 3600000000 pixels/);
});

test("hue, saturation and lightness are those of which a colour was made", () => {
  for (let hue = 0; hue < 360; hue += 7) {
    for (const [saturation, lightness] of [
      [1, 0.5],
      [0.4, 0.3],
      [0.7, 0.8],
    ] as const) {
      const back = toHsl(...fromHsl(hue, saturation, lightness));
      const off = [Math.abs(back[0] - hue), Math.abs(back[1] - saturation), Math.abs(back[2] - lightness)];
      assert.ok(
        off.every((value) => value < 1e-6),
        `${hue} ${saturation} ${lightness}: ${back}`,
      );
    }
  }
});
