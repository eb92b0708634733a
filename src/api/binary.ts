import type { Deadline } from "./call/deadline.ts";
import type { ApiError } from "./errors/errors.ts";
import { classifyThrown } from "./errors/networkError.ts";
import { abortReason } from "./stream/eventStream.ts";
import { malformed } from "./validate.ts";

/** The service's findings about the content of an image (wire.md section 7). */
export interface SafetyHeaders {
  readonly blurred: boolean;
  readonly contentViolation: boolean;
}

/** A reply whose body is a file. Read it once, with `saveTo` or `toBytes`, or discard it with `cancel`. */
export interface BinaryReply {
  /** Media type without parameters, lower case; empty if the service states none. */
  readonly contentType: string;
  /** Bytes, if the service states the length. */
  readonly contentLength: number | undefined;
  readonly safety: SafetyHeaders;
  readonly requestId: string | undefined;
  readonly headers: Headers;
  /** The body in chunks as they arrive. Throws ApiError. Leaving the loop aborts the request. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Discards the body and aborts the request. */
  cancel(): void;
}

export interface SaveOptions {
  /** Limit of the body in bytes; default 512 MB. */
  readonly maxBytes?: number;
  /** `total` is undefined if the service does not state it. */
  readonly onProgress?: (received: number, total: number | undefined) => void;
}

/** Writes a chunk. The next chunk follows after the promise settles. */
export type Sink = (piece: Uint8Array) => Promise<void> | void;

const defaultMaxBytes = 512 * 1024 * 1024;

/**
 * Writes the body to a sink, chunk by chunk, and resolves to its size in bytes. Throws `malformed-response` if the
 * first bytes do not match the stated type, or if the body exceeds its limit.
 */
export async function saveTo(reply: BinaryReply, sink: Sink, options: SaveOptions = {}): Promise<number> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  let received = 0;
  for await (const piece of reply.body) {
    if (received === 0) checkMagic(reply, piece);
    received += piece.byteLength;
    if (received > maxBytes) throw refuse(reply, `the file is larger than ${maxBytes} bytes`);
    await sink(piece);
    options.onProgress?.(received, reply.contentLength);
  }
  if (reply.contentLength !== undefined && received < reply.contentLength) {
    throw refuse(reply, `the file ended after ${received} of ${reply.contentLength} bytes`);
  }
  return received;
}

export async function toBytes(reply: BinaryReply, options?: SaveOptions): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await saveTo(reply, (piece) => void pieces.push(piece), options);
  return Buffer.concat(pieces);
}

const magic: Readonly<Record<string, RegExp>> = {
  "image/png": /^\x89PNG/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/webp": /^RIFF[\s\S]{4}WEBP/,
  "audio/mpeg": /^(ID3|\xff[\xe0-\xff])/,
  "audio/wav": /^RIFF[\s\S]{4}WAVE/,
  "audio/flac": /^fLaC/,
  "audio/opus": /^OggS/,
  "audio/ogg": /^OggS/,
  "audio/aac": /^\xff[\xf0-\xf9]/,
};

function checkMagic(reply: BinaryReply, piece: Uint8Array): void {
  const expected = magic[reply.contentType.replace("/x-", "/")];
  // A first chunk shorter than any magic number can't be checked.
  if (!expected || piece.byteLength < 12) return;
  const start = String.fromCharCode(...piece.subarray(0, 16));
  if (!expected.test(start))
    throw refuse(reply, `the body is not of the type it claims, ${reply.contentType}`);
}

function refuse(reply: BinaryReply, message: string): ApiError {
  return malformed("", message, { requestId: reply.requestId });
}

export interface BinarySource {
  readonly endpoint: string;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  readonly deadline: Deadline;
  readonly requestId: string | undefined;
  readonly secrets: readonly string[];
}

export function createBinaryReply(source: BinarySource): BinaryReply {
  const { headers, requestId } = source;
  const length = Number(headers.get("content-length") ?? Number.NaN);
  // The content length of a compressed body is not its decoded length.
  const known = Number.isFinite(length) && headers.get("content-encoding") === null;
  return {
    contentType: (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "",
    contentLength: known ? length : undefined,
    safety: readSafety(headers),
    requestId,
    headers,
    body: readBody(source),
    cancel() {
      source.deadline.cancel();
      source.deadline.end();
    },
  };
}

export function readSafety(headers: Headers): SafetyHeaders {
  return { blurred: says(headers, "is-blurred"), contentViolation: says(headers, "is-content-violation") };
}

/** A finding under either dialect's name, `x-venice-…` or `x-service-…`. */
function says(headers: Headers, finding: string): boolean {
  return ["x-venice-", "x-service-"].some((prefix) => headers.get(prefix + finding) === "true");
}

async function* readBody({ endpoint, body, deadline, secrets }: BinarySource): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      deadline.expect("idleMs");
      yield piece;
    }
  } catch (error) {
    throw classifyThrown(endpoint, abortReason(deadline.signal) ?? error, secrets, true);
  } finally {
    deadline.end();
  }
}
