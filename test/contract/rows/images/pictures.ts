import { crc32, deflateSync } from "node:zlib";
import { type Upload, uploadFromBytes } from "../../../../src/api/call/body/upload.ts";

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), framed.length - 4);
  return framed;
}

function headOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of grey.
  head.set([8, 0], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head)]);
}

/** A grey PNG, written without code under test. */
export function png(width: number, height: number, grey = 128): Buffer {
  const rows = Buffer.alloc(height * (width + 1), grey);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    headOf(width, height),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Its header only, enough for a size check. */
export function pngHead(width: number, height: number): Buffer {
  return Buffer.concat([headOf(width, height), Buffer.alloc(64)]);
}

export function upload(bytes: Uint8Array, name = "picture.png", type = "image/png"): Upload {
  return uploadFromBytes(name, type, bytes);
}

/** The smallest editable image: 256 × 256 are exactly 65,536 pixels (spec E5, E13). */
export const smallest = upload(png(256, 256));
export const tooSmall = upload(png(257, 255));
/** One row over 7680 × 4320, which are exactly 33,177,600 pixels. */
export const tooBig = upload(pngHead(7680, 4321));
export const noPicture = upload(Buffer.from("GIF? No, a text."), "picture.png");

/** A WAV file of a voice-like tone with overtones, `seconds` long. */
export function wav(seconds: number, pitchHz = 140): Buffer {
  const rate = 24_000;
  const count = Math.round(seconds * rate);
  const file = Buffer.alloc(44 + count * 2);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index++) {
    const turn = (2 * Math.PI * pitchHz * index) / rate;
    const wave = Math.sin(turn) + 0.5 * Math.sin(2 * turn) + 0.25 * Math.sin(3 * turn);
    file.writeInt16LE(Math.round(wave * 8000), 44 + index * 2);
  }
  return file;
}
