// Pictures from outside: every kind of PNG, alpha, damage, and the limits of their headers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { encodeJpeg } from "../../../../src/sandbox/images/codecs/jpeg.ts";
import { encodePng } from "../../../../src/sandbox/images/codecs/png.ts";
import { encodeWebp } from "../../../../src/sandbox/images/codecs/webp.ts";
import type { Picture } from "../../../../src/sandbox/images/drawing/picture.ts";
import { decodePicture } from "../../../../src/sandbox/images/edit.ts";
import { checkInputImage, readImageText } from "../../../../src/sandbox/images/inputImage.ts";
import { assertRefused, refusalOf } from "../sandboxMedia.ts";

interface PngParts {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  readonly type: number;
  /** One per row, without the filter byte. */
  readonly rows?: readonly (readonly number[])[];
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
}

function png({ width, height, depth, type, rows = [], palette, transparency }: PngParts): Buffer {
  const chunk = (name: string, content: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, type], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    ...(palette ? [chunk("PLTE", Buffer.from(palette))] : []),
    ...(transparency ? [chunk("tRNS", Buffer.from(transparency))] : []),
    chunk("IDAT", deflateSync(Buffer.from(rows.flatMap((row) => [0, ...row])))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const kinds: Record<string, { parts: PngParts; pixels: number[] }> = {
  "1 bit grey, a row of three": {
    parts: { width: 3, height: 2, depth: 1, type: 0, rows: [[0b10100000], [0b01000000]] },
    pixels: [255, 0, 255, 0, 255, 0].flatMap((grey) => [grey, grey, grey, 255]),
  },
  "4 bit palette, one colour transparent": {
    parts: {
      width: 3,
      height: 1,
      depth: 4,
      type: 3,
      rows: [[0x01, 0x20]],
      palette: [255, 0, 0, 0, 255, 0, 0, 0, 255],
      transparency: [255, 0],
    },
    pixels: [255, 0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 255],
  },
  "8 bit grey with a transparent shade": {
    parts: { width: 2, height: 1, depth: 8, type: 0, rows: [[7, 9]], transparency: [0, 9] },
    pixels: [7, 7, 7, 255, 9, 9, 9, 0],
  },
  "8 bit grey and alpha": {
    parts: {
      width: 1,
      height: 2,
      depth: 8,
      type: 4,
      rows: [
        [10, 20],
        [30, 40],
      ],
    },
    pixels: [10, 10, 10, 20, 30, 30, 30, 40],
  },
  "16 bit RGB": {
    parts: { width: 1, height: 1, depth: 16, type: 2, rows: [[0x12, 0xff, 0x34, 0x00, 0x56, 0x80]] },
    pixels: [0x12, 0x34, 0x56, 255],
  },
  "8 bit RGB with a transparent colour": {
    parts: {
      width: 3,
      height: 1,
      depth: 8,
      type: 2,
      rows: [[1, 2, 3, 1, 2, 4, 1, 2, 3]],
      transparency: [0, 1, 0, 2, 0, 3],
    },
    pixels: [1, 2, 3, 0, 1, 2, 4, 255, 1, 2, 3, 0],
  },
};

for (const [name, { parts, pixels }] of Object.entries(kinds)) {
  test(`PNG: ${name}`, async () => {
    const picture = await decodePicture(png(parts), ["image"]);
    assert.deepEqual([picture.width, picture.height], [parts.width, parts.height]);
    assert.deepEqual([...picture.data], pixels);
  });
}

const glass: Picture = {
  width: 16,
  height: 16,
  data: Uint8ClampedArray.from(
    { length: 1024 },
    (_, index) => [200, 40, 90, index < 512 ? 0 : 255][index % 4] ?? 0,
  ),
};

test("alpha is kept in PNG and WebP, and blended on white in JPEG", async () => {
  assert.deepEqual((await decodePicture(encodePng(glass), [])).data, glass.data);
  const webp = await decodePicture(await encodeWebp(glass, 90), []);
  assert.deepEqual([webp.data[3], webp.data[1023]], [0, 255]);
  const jpeg = await decodePicture(await encodeJpeg(glass, 95), []);
  assert.ok([0, 1, 2].every((channel) => (jpeg.data[channel] ?? 0) > 235));
  assert.ok(Math.abs((jpeg.data[1020] ?? 0) - 200) < 20);
});

test("a photograph with an orientation is turned upright", async () => {
  const wide: Picture = { width: 32, height: 16, data: new Uint8ClampedArray(32 * 16 * 4).fill(255) };
  const plain = Buffer.from(await encodeJpeg(wide, 90));
  // An EXIF segment with a rotation by a quarter.
  const exif = Buffer.from("ffe1002245786966000049492a0008000000010012010300010000000600000000000000", "hex");
  const turned = Buffer.concat([plain.subarray(0, 2), exif, plain.subarray(2)]);
  const picture = await decodePicture(turned, ["image"]);
  assert.deepEqual([picture.width, picture.height], [16, 32]);
});

test("damaged files are refused in every format", async () => {
  const files = {
    png: encodePng(glass),
    jpeg: await encodeJpeg(glass, 90),
    webp: await encodeWebp(glass, 90),
  };
  for (const [format, bytes] of Object.entries(files)) {
    const cut = bytes.slice(0, Math.floor(bytes.length * 0.4));
    await assertRefused(() => decodePicture(cut, ["images", 1]), "images.1", new RegExp(format));
  }
});

test("the limits: 65,536 to 33,177,600 pixels, under 25 MB, PNG, JPEG or WebP", async () => {
  const sized = (width: number, height: number) => png({ width, height, depth: 8, type: 2 });
  const check = (bytes: Uint8Array) => checkInputImage(bytes, ["image"]);
  check(sized(256, 256));
  check(sized(7680, 4320));
  await assertRefused(() => check(sized(255, 257)), "image", /65535 pixels, at least 65536/);
  await assertRefused(() => check(sized(7680, 4321)), "image", /33185280 pixels, at most 33177600/);
  await assertRefused(() => check(Buffer.from("GIF89a\x01\x00\x01\x00")), "image", /PNG, JPEG or WebP/);
  await assertRefused(() => check(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")), "image", /header/);
  const heavy = (size: number) => Buffer.concat([sized(512, 512), Buffer.alloc(size)]).subarray(0, size);
  check(heavy(25 * 1024 * 1024 - 1));
  assert.equal((await refusalOf(() => check(heavy(25 * 1024 * 1024)))).status, 413);
});

test("a text is an image only as base64, data URL or http(s) URL", async () => {
  const encoded = Buffer.from("image").toString("base64");
  for (const text of [encoded, `data:image/png;base64,${encoded}`]) {
    assert.deepEqual(readImageText(text, []), { bytes: Buffer.from("image") });
  }
  assert.deepEqual(readImageText("HTTPS://a.test/x.png", []), { url: "HTTPS://a.test/x.png" });
  for (const text of ["file:///etc/passwd", "no base64!", "abc", "ftp://a.test/x.png"]) {
    await assertRefused(() => readImageText(text, ["image"]), "image", /base64 string or an http/);
  }
});
