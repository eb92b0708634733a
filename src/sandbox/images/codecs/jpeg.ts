import decode, { init as initDecoder } from "@jsquash/jpeg/decode.js";
import encode, { init as initEncoder } from "@jsquash/jpeg/encode.js";
import { emscriptenOptions } from "../../work/wasm.ts";
import { at, type Picture } from "../drawing/picture.ts";
import { offerImageData } from "./imageData.ts";

/** A browser's ImageData, of which the encoder reads width, height and data. */
type Encodable = Parameters<typeof encode>[0];

/** Encodes a JPEG file. Transparent parts become white. Quality is 1 to 100. */
export async function encodeJpeg(picture: Picture, quality: number): Promise<Uint8Array> {
  await initEncoder(await emscriptenOptions("@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm"));
  return new Uint8Array(await encode(onWhite(picture) as Encodable, { quality }));
}

/** The pixels as they are stored. Throws if the file is damaged. */
export async function decodeJpeg(bytes: Uint8Array): Promise<Picture> {
  offerImageData();
  await initDecoder(await emscriptenOptions("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"));
  return await decode(Uint8Array.from(bytes).buffer, { preserveOrientation: false });
}

function onWhite({ width, height, data }: Picture): Picture {
  const flat = new Uint8ClampedArray(data);
  for (let index = 0; index < flat.length; index += 4) {
    const alpha = at(flat, index + 3);
    if (alpha === 255) continue;
    for (let channel = index; channel < index + 3; channel++) {
      flat[channel] = 255 - ((255 - at(flat, channel)) * alpha) / 255;
    }
  }
  return { width, height, data: flat };
}
