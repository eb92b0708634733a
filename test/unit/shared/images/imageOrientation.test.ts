// The size of a picture is the one that a person sees: what Chromium draws decides, for real files.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { imageSize } from "../../../../src/api/imageSize.ts";
import { decodePicture } from "../../../../src/sandbox/images/edit.ts";
import { frameCount } from "../../../../src/shared/images/imageFormats.ts";
import { imageOrientation } from "../../../../src/shared/images/imageOrientation.ts";
import { jpegSegments } from "../../../../src/shared/images/jpegSegments.ts";
import {
  exifSegment,
  jpegWith,
  pngWith,
  quarters,
  quartersOf,
  segment,
  tiff,
  webpWith,
} from "../../images/host/cameraFiles.ts";
import { movingGif, movingWebp, turnedAvif, wideJpeg, widePng } from "../../images/host/modernFiles.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";

const picture = quarters(48, 32);
const xmp = segment(0xe1, Buffer.from("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>", "latin1"));
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

/** Files by name, and whether another program may turn them although browsers don't. */
const files: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  ...Object.fromEntries(
    orientations.flatMap((orientation) => [
      [`JPEG ${orientation}`, () => jpegWith(picture, exifSegment(tiff(orientation)))],
      [
        `JPEG ${orientation}, big-endian`,
        () => jpegWith(picture, exifSegment(tiff(orientation, { isBigEndian: true, others: 3 }))),
      ],
      [`PNG ${orientation}`, () => pngWith(picture, tiff(orientation))],
    ]),
  ),
  "JPEG without EXIF": () => jpegWith(picture),
  "JPEG 0": () => jpegWith(picture, exifSegment(tiff(0))),
  "JPEG 9": () => jpegWith(picture, exifSegment(tiff(9))),
  "JPEG with XMP first": () => jpegWith(picture, xmp, exifSegment(tiff(6))),
  "JPEG 6, then 1": () => jpegWith(picture, exifSegment(tiff(6)), exifSegment(tiff(1))),
  "JPEG 1, then 6": () => jpegWith(picture, exifSegment(tiff(1)), exifSegment(tiff(6))),
  "JPEG 9, then 6": () => jpegWith(picture, exifSegment(tiff(9)), exifSegment(tiff(6))),
  "JPEG with EXIF that is cut": () => jpegWith(picture, exifSegment(tiff(6).subarray(0, 14))),
  "JPEG with a LONG": () => jpegWith(picture, exifSegment(tiff(6, { type: 4 }))),
  "JPEG with two values": () => jpegWith(picture, exifSegment(tiff(6, { count: 2 }))),
  "JPEG with wrong TIFF": () => jpegWith(picture, exifSegment(tiff(6, { magic: 43 }))),
  "JPEG with another padding": () => jpegWith(picture, exifSegment(tiff(6), "Exif\0x")),
  "JPEG with fill bytes": () => jpegWith(picture, Buffer.from([0xff, 0xff]), exifSegment(tiff(6))),
  "JPEG with EXIF after its frame": async () => {
    const plain = await jpegWith(picture);
    const scan = plain.indexOf(Buffer.from([0xff, 0xda]));
    return Buffer.concat([plain.subarray(0, scan), exifSegment(tiff(6)), plain.subarray(scan)]);
  },
  "PNG after its pixels": () => pngWith(picture, tiff(6), true),
  "WebP 6": () => webpWith(picture, tiff(6)),
  "WebP 6 with the prefix of JPEG": () =>
    webpWith(picture, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff(6)])),
};

describe("pictures as a person sees them", () => {
  let browser: TestBrowser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  after(() => browser.close());

  for (const [name, make] of Object.entries(files)) {
    it(name, async () => {
      const bytes = await make();
      const seen = await drawn(page, bytes);
      const head = imageSize(bytes);
      assert.deepEqual([head?.width, head?.height], [seen.width, seen.height]);
      const decoded = await decodePicture(bytes, ["image"]);
      assert.deepEqual(
        [decoded.width, decoded.height, quartersOf(decoded)],
        [seen.width, seen.height, quartersOf({ ...seen, data: Uint8ClampedArray.from(seen.data) })],
      );
    });
  }
});

const turns = [0, 1, 2, 3].flatMap((turn) =>
  [undefined, 0 as const, 1 as const].map((axis) => [turn, axis] as const),
);

describe("AVIF as a person sees it", () => {
  let browser: TestBrowser;
  let page: Page;
  before(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
  });
  after(() => browser.close());

  /** The quarters of the stored pixels, `RGBY`, at their places after turning. */
  const places: Readonly<Record<number, string>> = {
    1: "RGBY",
    2: "GRYB",
    3: "YBGR",
    4: "BYRG",
    5: "RBGY",
    6: "BRYG",
    7: "YGBR",
    8: "GYRB",
  };
  for (const [turn, axis] of turns) {
    it(`${turn} quarter turns, mirror ${axis}`, async () => {
      const bytes = turnedAvif(turn, axis);
      const seen = await drawn(page, bytes);
      const head = imageSize(bytes);
      assert.deepEqual([head?.width, head?.height], [seen.width, seen.height]);
      const { drawn: orientation } = imageOrientation(bytes);
      assert.equal(places[orientation], quartersOf({ ...seen, data: Uint8ClampedArray.from(seen.data) }));
    });
  }
});

it("pictures that move, and colours that are not those of sRGB, are told", async () => {
  assert.deepEqual([imageSize(movingGif)?.frames, imageSize(movingWebp)?.frames], [3, 3]);
  assert.deepEqual([imageSize(widePng)?.hasOwnColours, imageSize(wideJpeg)?.hasOwnColours], [true, true]);
  const plain = imageSize(await jpegWith(picture));
  assert.deepEqual([plain?.frames, plain?.hasOwnColours], [undefined, undefined]);
});

it("says that a file may be turned by others where browsers ignore it", async () => {
  assert.deepEqual(imageOrientation(pngWith(picture, tiff(6), true)), { drawn: 1, stated: 6 });
  assert.deepEqual(imageOrientation(await webpWith(picture, tiff(8))), { drawn: 1, stated: 8 });
  assert.equal(imageSize(await webpWith(picture, tiff(8)))?.isTurned, true);
  assert.equal(imageSize(await jpegWith(picture, exifSegment(tiff(2))))?.isTurned, true, "mirrored");
  assert.equal(imageSize(await jpegWith(picture))?.isTurned, false);
});

it("any bytes have an orientation from 1 to 8, whatever is cut or changed", async () => {
  const whole = [
    await jpegWith(picture, xmp, exifSegment(tiff(6))),
    pngWith(picture, tiff(6)),
    await webpWith(picture, tiff(6)),
    turnedAvif(1, 0),
    movingGif,
    movingWebp,
    widePng,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.nat(1_000),
      fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 6 }),
      (file, length, changes) => {
        const bytes = Uint8Array.from(file.subarray(0, length));
        for (const [index, value] of changes) if (index < bytes.length) bytes[index] = value;
        const { drawn: orientation } = imageOrientation(bytes);
        assert.ok(orientation >= 1 && orientation <= 8);
        assert.ok(frameCount(bytes) >= 1);
        assert.doesNotThrow(() => imageSize(bytes));
        assert.ok(jpegSegments(bytes).every(({ start, end }) => start <= end && end <= bytes.length));
      },
    ),
  );
});

interface Seen {
  readonly width: number;
  readonly height: number;
  readonly data: readonly number[];
}

/** The picture as an element draws it. */
function drawn(page: Page, bytes: Buffer): Promise<Seen> {
  return page.evaluate(async (base64) => {
    const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([content]));
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(image, 0, 0);
    return { width, height, data: [...(context?.getImageData(0, 0, width, height).data ?? [])] };
  }, bytes.toString("base64"));
}
