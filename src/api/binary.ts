import { isJson } from "../shared/text/json/parseJson.ts";
import type { Deadline } from "./call/limits/deadline.ts";
import type { AttemptRecorder } from "./call/record/callRecorder.ts";
import { classifyStreamError, type FailedReply, isErrorEvent } from "./errors/classify.ts";
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
    if (piece.byteLength === 0) continue;
    if (received === 0) checkMagic(reply, piece);
    received += piece.byteLength;
    if (received > maxBytes) throw refuse(reply, `the file is larger than ${maxBytes} bytes`);
    await sink(piece);
    options.onProgress?.(received, reply.contentLength);
  }
  if (received === 0) throw refuse(reply, "the file is empty");
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
  /** The facts that an error needs about this reply. */
  readonly reply: Omit<FailedReply, "text">;
  /** Undefined if nobody wants a record of the call. */
  readonly recorder: AttemptRecorder | undefined;
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
      source.recorder?.end();
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

/** A file that begins like this may be an error under another content type. */
const openBrace = 0x7b;
/** Bytes of a body that may be an error. */
const maxErrorBytes = 64 * 1024;

async function* readBody({
  endpoint,
  body,
  deadline,
  reply,
  recorder,
}: BinarySource): AsyncGenerator<Uint8Array> {
  const { secrets } = reply;
  /** The bytes so far, while they may be an error in JSON. */
  let held: Uint8Array | undefined = new Uint8Array();
  try {
    for await (const piece of body) {
      deadline.expect("idleMs");
      recorder?.piece(piece);
      if (held === undefined) yield piece;
      else {
        held = Buffer.concat([held, piece]);
        if (held.length === 0 || (held[0] === openBrace && held.length < maxErrorBytes)) continue;
        yield held;
        held = undefined;
      }
    }
    if (held === undefined) return;
    const error = errorIn(held, reply);
    if (error) throw error;
    if (held.length > 0) yield held;
  } catch (error) {
    const failed = classifyThrown(endpoint, abortReason(deadline.signal) ?? error, secrets, true);
    recorder?.fails(failed);
    throw failed;
  } finally {
    deadline.end();
    recorder?.end();
  }
}

function errorIn(bytes: Uint8Array, reply: Omit<FailedReply, "text">): ApiError | undefined {
  const text = new TextDecoder().decode(bytes);
  if (!isJson(text)) return undefined;
  const value: unknown = JSON.parse(text);
  return isErrorEvent(value) ? classifyStreamError(value, text, reply) : undefined;
}
