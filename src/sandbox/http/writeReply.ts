import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import type { BytesBody, Reply } from "./reply.ts";

export interface WriteOptions {
  /** Aborted when the client closes the connection. */
  readonly signal: AbortSignal;
  /** The Accept-Encoding header. */
  readonly acceptEncoding: string;
  /** Runs after a body of known length is written, before the response ends. */
  readonly beforeEnd: () => Promise<void>;
}

/** Writes a reply. Waits if the client reads slowly. */
export async function writeReply(res: ServerResponse, reply: Reply, options: WriteOptions): Promise<void> {
  const { headers, pieces } = await encodeReply(reply, options.acceptEncoding);
  res.writeHead(reply.status, headers);
  // A streamed reply sends its headers before the first token.
  res.flushHeaders();
  for await (const piece of pieces) await write(res, piece, options.signal);
  if (headers["content-length"] !== undefined) await options.beforeEnd();
  await new Promise<void>((resolve) => res.end(resolve));
}

interface EncodedReply {
  readonly headers: Record<string, string>;
  readonly pieces: AsyncIterable<Buffer>;
}

/** The headers and bytes of a reply, compressed where client and reply allow it. */
export async function encodeReply({ headers, body }: Reply, acceptEncoding: string): Promise<EncodedReply> {
  switch (body.kind) {
    case "events":
      return {
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-cache",
          ...headers,
        },
        pieces: eventBytes(body.batches),
      };
    case "bytes": {
      const length = body.length === undefined ? {} : { "content-length": String(body.length) };
      return {
        headers: { "content-type": body.contentType, ...length, ...headers },
        pieces: fileBytes(body),
      };
    }
    case "text":
      return whole({ "content-type": body.contentType, ...headers }, Buffer.from(body.text));
    case "json": {
      const bytes = Buffer.from(exactJsonText(body.value));
      const plain = { "content-type": "application/json; charset=utf-8", ...headers };
      const packed = body.mayCompress ? await compress(bytes, acceptEncoding) : undefined;
      return packed ? whole({ ...plain, ...packed.headers }, packed.bytes) : whole(plain, bytes);
    }
  }
}

function whole(headers: Record<string, string>, bytes: Buffer): EncodedReply {
  return { headers: { "content-length": String(bytes.byteLength), ...headers }, pieces: once(bytes) };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* fileBytes({ pieces }: BytesBody): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

async function* eventBytes(batches: AsyncIterable<readonly string[]>): AsyncGenerator<Buffer> {
  for await (const batch of batches) {
    if (batch.length > 0) yield Buffer.from(batch.map((data) => `data: ${data}\n\n`).join(""));
  }
}

/** Resolves when the bytes are passed to the system, or the connection is closed. */
function write(res: ServerResponse, bytes: Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve) => {
    res.write(bytes, () => resolve());
  });
}

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** Compression does not pay below this size. */
const minBytes = 1024;

/** Compresses the body as the caller's Accept-Encoding allows (spec E10 and E11); undefined if it is sent uncompressed. */
async function compress(bytes: Buffer, acceptEncoding: string) {
  if (bytes.byteLength < minBytes) return undefined;
  const taken = acceptEncoding
    .split(",")
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(";")[0]?.trim());
  const encoding = ["br", "gzip"].find((name) => taken.includes(name));
  if (!encoding) return undefined;
  const packed = encoding === "br" ? await brotli(bytes, fastBrotli) : await gzip(bytes);
  return { bytes: packed, headers: { "content-encoding": encoding, vary: "accept-encoding" } };
}

/** The default quality takes 100 times as long and saves a tenth. */
const fastBrotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
