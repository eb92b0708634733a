import decode, { init as initDecoder } from "@jsquash/webp/decode.js";
import encode, { init as initEncoder } from "@jsquash/webp/encode.js";
import { emscriptenOptions } from "../../work/wasm.ts";
import type { Picture } from "../drawing/picture.ts";
import { offerImageData } from "./imageData.ts";

/** A browser's ImageData, of which the encoder reads width, height and data. */
type Encodable = Parameters<typeof encode>[0];

/** Encodes a lossy WebP file. Quality is 1 to 100. */
export async function encodeWebp(picture: Picture, quality: number): Promise<Uint8Array> {
  await initEncoder(await emscriptenOptions("@jsquash/webp/codec/enc/webp_enc_simd.wasm"));
  // Method 1 takes a third of the default's time for files a few percent larger.
  return new Uint8Array(await encode(picture as Encodable, { quality, method: 1 }));
}

/** Throws if the file is damaged. */
export async function decodeWebp(bytes: Uint8Array): Promise<Picture> {
  offerImageData();
  await initDecoder(await emscriptenOptions("@jsquash/webp/codec/dec/webp_dec.wasm"));
  return await decode(Uint8Array.from(bytes).buffer);
}
