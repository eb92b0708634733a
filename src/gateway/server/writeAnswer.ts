import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentFormat, WireEvent } from "../formats/agentFormat.ts";
import type { Answered } from "./refused.ts";

export function writeJson(res: ServerResponse, value: unknown, requestId?: string): Promise<void> {
  const body = Buffer.from(JSON.stringify(value));
  res.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(body.byteLength),
    ...(requestId ? { "x-request-id": requestId } : {}),
  });
  return new Promise((resolve) => res.end(body, () => resolve()));
}

/** Waits if the client reads slowly, until it goes away. */
export function writeEvents(
  res: ServerResponse,
  events: readonly WireEvent[],
  signal: AbortSignal,
): Promise<void> | undefined {
  if (events.length === 0) return undefined;
  const lines = events.map(({ name, data }) => `${name ? `event: ${name}\n` : ""}data: ${data}\n\n`);
  return writePiece(res, lines.join(""), signal);
}

/** A file, as it arrives. */
export async function writeBytes(
  res: ServerResponse,
  contentType: string,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  res.writeHead(200, { "content-type": contentType || "application/octet-stream" });
  for await (const piece of pieces) await writePiece(res, piece, signal);
  res.end();
}

function writePiece(
  res: ServerResponse,
  piece: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> | undefined {
  if (res.destroyed || res.write(piece)) return undefined;
  return new Promise((resolve) => {
    const go = () => {
      res.off("drain", go);
      signal.removeEventListener("abort", go);
      resolve();
    };
    res.once("drain", go);
    signal.addEventListener("abort", go, { once: true });
    if (signal.aborted) go();
  });
}

/** The body and the status of the errors of a route. */
export type ErrorFormat = Pick<AgentFormat, "errorBody" | "errorStatus">;

/** Writes an error in the format of the route. After the beginning of an answer the connection is closed. */
export async function writeError(
  res: ServerResponse,
  { error, retryAfterSeconds }: Answered,
  format: ErrorFormat,
): Promise<void> {
  if (res.headersSent || res.destroyed) return void res.destroy();
  const body = Buffer.from(JSON.stringify(format.errorBody(error)));
  res.writeHead(format.errorStatus?.(error.status) ?? error.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(body.byteLength),
    // Of a body that nobody reads.
    ...(res.req.complete ? {} : { connection: "close" }),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    ...(error.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    // Only what may succeed later.
    "x-should-retry": String(error.status === 429 || error.status >= 500),
  });
  if (!res.req.complete) {
    res.write(body);
    await readRest(res.req);
    return void res.end();
  }
  await new Promise<void>((resolve) => res.end(body, resolve));
}

/** Milliseconds for which the rest of a refused body is read: its sender then gets the answer, and not a reset. */
const restMs = 2_000;

function readRest(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(resolve, restMs);
    const end = () => {
      clearTimeout(timeout);
      resolve();
    };
    message.once("end", end).once("close", end).once("error", end);
    message.resume();
  });
}
