// Pictures leave without what a camera or a program wrote about them, and look as before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { imageSize } from "../../../src/api/imageSize.ts";
import { withoutMetadata } from "../../../src/api/withoutMetadata.ts";
import { decodeJpeg } from "../../../src/sandbox/images/codecs/jpeg.ts";
import { decodePng, encodePng } from "../../../src/sandbox/images/codecs/png.ts";
import { decodeWebp } from "../../../src/sandbox/images/codecs/webp.ts";
import { frameCount } from "../../../src/shared/images/imageFormats.ts";
import { imageOrientation } from "../../../src/shared/images/imageOrientation.ts";
import { randomCases } from "../../runner/cases.ts";
import {
  cmykJpeg,
  exifSegment,
  jpegWith,
  pngWith,
  quarters,
  segment,
  tiff,
  webpWith,
} from "../images/host/cameraFiles.ts";
import { movingGif, movingWebp, wideJpeg, widePng } from "../images/host/modernFiles.ts";

/** What must not leave. */
const secret = "SECRET 48.8583N 2.2945E";
const picture = quarters(64, 48);

/** EXIF data with an orientation, and the place where the photo was taken behind it. */
function phoneExif(orientation: number): Buffer {
  return Buffer.concat([tiff(orientation), Buffer.from(`Apple iPhone 2026:05:01 12:00:00 ${secret}`)]);
}

const phoneSegments = (orientation: number) => [
  segment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
  exifSegment(phoneExif(orientation)),
  segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${secret}</x:xmpmeta>`)),
  segment(0xed, Buffer.from(`Photoshop 3.0\x008BIM${secret}`)),
  segment(0xe2, Buffer.from(`MPF\0${secret}`)),
  segment(0xeb, Buffer.from(`JP C2PA ${secret}`)),
  segment(0xfe, Buffer.from(secret)),
];

function pngChunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(content.length);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

const holdsNoSecret = (bytes: Uint8Array) =>
  assert.doesNotMatch(Buffer.from(bytes).toString("latin1"), /SECRET|iPhone|xmpmeta|8BIM|tEXt|iTXt|tIME/);

test("a photo of a phone keeps its pixels and its orientation alone, in all eight", async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const photo = await jpegWith(picture, ...phoneSegments(orientation));
    // The video of a moving photo, with its own place, stands behind the picture.
    const bare = withoutMetadata(Buffer.concat([photo, Buffer.from(`....ftypmp42${secret}`)]));
    holdsNoSecret(bare);
    assert.deepEqual(imageOrientation(bare), { drawn: orientation, stated: orientation });
    assert.deepEqual(imageSize(bare), imageSize(photo));
    assert.deepEqual(await decodeJpeg(bare), await decodeJpeg(photo));
    assert.deepEqual(withoutMetadata(bare), bare);
  }
});

test("the colours of a JPEG stay: its profile, and that its inks are inverted", async () => {
  assert.deepEqual(imageSize(withoutMetadata(wideJpeg)), imageSize(wideJpeg));
  assert.ok(imageSize(withoutMetadata(wideJpeg))?.hasOwnColours);
  const inks = cmykJpeg(64, 64);
  assert.deepEqual(withoutMetadata(inks), new Uint8Array(inks));
});

test("a PNG loses its texts, its time and its EXIF data, and keeps profile, frames and orientation", () => {
  const plain = Buffer.from(encodePng(picture));
  const notes = [
    pngChunk("tEXt", Buffer.from(`Comment\0${secret}`)),
    pngChunk("zTXt", Buffer.concat([Buffer.from("Raw\0\0"), deflateSync(secret)])),
    pngChunk("iTXt", Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${secret}`)),
    pngChunk("tIME", Buffer.from([7, 234, 5, 1, 12, 0, 0])),
    pngChunk("prVt", Buffer.from(secret)),
  ];
  const noted = Buffer.concat([plain.subarray(0, 33), ...notes, plain.subarray(33), Buffer.from(secret)]);
  assert.deepEqual(Buffer.from(withoutMetadata(noted)), plain);
  for (let orientation = 1; orientation <= 8; orientation++) {
    const turned = pngWith(picture, phoneExif(orientation));
    const bare = withoutMetadata(turned);
    holdsNoSecret(bare);
    assert.deepEqual(imageOrientation(bare), { drawn: orientation, stated: orientation });
    assert.deepEqual(decodePng(bare), decodePng(turned));
  }
  // Browsers ignore what is stated behind the pixels.
  const late = withoutMetadata(pngWith(picture, phoneExif(6), true));
  assert.deepEqual(imageOrientation(late), { drawn: 1, stated: 1 });
  assert.ok(imageSize(withoutMetadata(widePng))?.hasOwnColours);
  const frames = pngChunk("acTL", Buffer.from([0, 0, 0, 3, 0, 0, 0, 0]));
  const moving = Buffer.concat([plain.subarray(0, 33), frames, plain.subarray(33)]);
  assert.equal(frameCount(withoutMetadata(moving)), 3);
});

test("a WebP file loses EXIF and XMP data with their flags, and keeps its frames", async () => {
  const photo = await webpWith(picture, phoneExif(6));
  const bare = withoutMetadata(photo);
  holdsNoSecret(bare);
  assert.deepEqual(imageOrientation(bare), { drawn: 1, stated: 1 });
  assert.equal((bare[20] ?? 0) & 0x0c, 0);
  assert.equal(Buffer.from(bare).readUInt32LE(4), bare.length - 8);
  assert.deepEqual(await decodeWebp(bare), await decodeWebp(photo));
  assert.deepEqual(withoutMetadata(movingWebp), new Uint8Array(movingWebp));
});

test("a GIF loses comments and data of programs, and still repeats", () => {
  const blocks = (text: string) => [text.length, ...Buffer.from(text, "latin1"), 0];
  const notes = Buffer.from([
    0x21,
    0xfe,
    ...blocks(secret),
    0x21,
    0xff,
    ...blocks("XMP DataXMP").slice(0, -1),
    ...blocks(secret),
  ]);
  const at = movingGif.indexOf(Buffer.from([0x21, 0xff, 11]));
  const noted = Buffer.concat([
    movingGif.subarray(0, at),
    notes,
    movingGif.subarray(at),
    Buffer.from(secret),
  ]);
  assert.deepEqual(Buffer.from(withoutMetadata(noted)), movingGif);
  assert.equal(frameCount(withoutMetadata(noted)), 3);
});

test("other files are returned as they are; damaged ones lose what was read, and nothing throws", async () => {
  for (const text of [
    "",
    "GIF89a",
    "\xff\xd8",
    "\x89PNG\r\n\x1a\n",
    "RIFF\0\0\0\0WEBP",
    "%PDF-1.7",
    "<svg/>",
  ])
    assert.doesNotThrow(() => withoutMetadata(Buffer.from(text, "latin1")));
  const photos = [
    await jpegWith(picture, ...phoneSegments(6)),
    pngWith(picture, phoneExif(6)),
    await webpWith(picture, phoneExif(6)),
    movingGif,
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...photos),
      fc.nat(4000),
      fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 4 }),
      (photo, length, changes) => {
        const damaged = Buffer.from(photo.subarray(0, length));
        holdsNoSecret(withoutMetadata(damaged));
        for (const [offset, value] of changes) if (offset < damaged.length) damaged[offset] = value;
        withoutMetadata(damaged);
      },
    ),
    { numRuns: randomCases(200) },
  );
});
