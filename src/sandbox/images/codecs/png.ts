import { crc32, deflateSync } from "node:zlib";
import { type DecodedPng, decode } from "fast-png";
import { at, isOpaque, type Picture } from "../drawing/picture.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const colorTypes = { rgb: 2, rgba: 6 } as const;

/** Encodes a PNG file. Node's zlib is faster and packs better than a library. */
export function encodePng(picture: Picture): Uint8Array {
  const opaque = isOpaque(picture);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(picture.width, 0);
  head.writeUInt32BE(picture.height, 4);
  head.set([8, opaque ? colorTypes.rgb : colorTypes.rgba], 8);
  const packed = deflateSync(filtered(picture, opaque ? 3 : 4), { level: 5 });
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", packed),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), framed.length - 4);
  return framed;
}

/** Each row as the difference to the row above (PNG filter "Up"), which packs gradients best. */
function filtered({ width, height, data }: Picture, channels: 3 | 4): Buffer {
  const rows = Buffer.alloc(height * (width * channels + 1));
  const stride = width * 4;
  let to = 0;
  for (let row = 0; row < height; row++) {
    rows[to++] = row === 0 ? 0 : 2;
    for (let from = row * stride; from < (row + 1) * stride; from += 4) {
      for (let channel = 0; channel < channels; channel++) {
        const above = row === 0 ? 0 : at(data, from + channel - stride);
        rows[to++] = at(data, from + channel) - above;
      }
    }
  }
  return rows;
}

/** Throws if the file is damaged. */
export function decodePng(bytes: Uint8Array): Picture {
  const png = decode(bytes);
  const { width, height } = png;
  const data = new Uint8ClampedArray(width * height * 4);
  const read = png.depth < 8 || png.palette ? indexedReader(png) : directReader(png);
  for (let pixel = 0; pixel < width * height; pixel++) read(pixel, data, pixel * 4);
  return { width, height, data };
}

type PixelReader = (pixel: number, to: Uint8ClampedArray, offset: number) => void;

/** One or two channels are grey, an even number includes alpha. A colour key makes one colour transparent. */
function directReader({ data, channels, depth, transparency }: DecodedPng): PixelReader {
  const shift = depth === 16 ? 8 : 0;
  const colors = channels < 3 ? 1 : 3;
  const sample = (index: number) => (data[index] as number) >> shift;
  return (pixel, to, offset) => {
    const from = pixel * channels;
    for (let color = 0; color < 3; color++) to[offset + color] = sample(from + (colors === 1 ? 0 : color));
    const keyed = transparency?.subarray(0, colors).every((key, color) => key === data[from + color]);
    to[offset + 3] = channels % 2 === 0 ? sample(from + colors) : keyed ? 0 : 255;
  };
}

/** Pixels are indexes of a palette or shades of grey, several per byte. */
function indexedReader({ width, data, depth, palette, transparency }: DecodedPng): PixelReader {
  const perByte = 8 / depth;
  const rowBytes = Math.ceil(width / perByte);
  const highest = 2 ** depth - 1;
  return (pixel, to, offset) => {
    const column = pixel % width;
    const byte = data[Math.floor(pixel / width) * rowBytes + Math.floor(column / perByte)] as number;
    const number = (byte >> (8 - depth * ((column % perByte) + 1))) & highest;
    const grey = (number * 255) / highest;
    const color = palette ? palette[number] : [grey, grey, grey, transparency?.[0] === number ? 0 : 255];
    if (!color) throw new Error("a pixel has no colour in the palette");
    to.set(color.slice(0, 3), offset);
    to[offset + 3] = color[3] ?? 255;
  };
}
