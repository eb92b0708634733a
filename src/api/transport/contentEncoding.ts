import { type Duplex, pipeline, Readable } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

/** Layers of compression that are taken off, as browsers do. More is no answer of a service. */
const maxLayers = 4;

/**
 * The body without its content encoding (RFC 9110, 8.4): gzip, deflate, br and zstd, whether they were asked for or not.
 * A body that is cut off throws. An encoding that is not known is left to the reader.
 */
export function decodedBody(body: Readable, contentEncoding: string | null): AsyncIterable<Uint8Array> {
  const names = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const layers = names.filter((name) => name !== "" && name !== "identity");
  if (layers.length === 0 || layers.length > maxLayers || !layers.every((name) => name in decoders))
    return body;
  return layers.reduceRight<AsyncIterable<Uint8Array>>((inner, name) => decode(inner, name), body);
}

const decoders: Readonly<Record<string, (start: number) => Duplex>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  // Some servers leave out the header of zlib.
  deflate: (start) => ((start & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

/** An empty body has no encoding. */
async function* decode(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done === true) return;
  const whole = async function* () {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => source };
    } finally {
      await source.return?.();
    }
  };
  const decoder = decoders[name]?.(first.value[0] ?? 0);
  if (!decoder) return;
  // An error of either ends both, and reaches the reader of the decoder.
  pipeline(Readable.from(whole(), { objectMode: false }), decoder, () => {});
  yield* decoder as AsyncIterable<Uint8Array>;
}
