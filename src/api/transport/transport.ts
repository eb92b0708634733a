import type { SendTrace } from "./connectionTrace.ts";

/** Text, or bytes of a known length that are read while they are sent, and again for each attempt. */
export type TransportBody = string | { readonly length: number; open(): AsyncIterable<Uint8Array> };

/** One HTTP request as the client sees it: bytes out, bytes in. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: TransportBody;
  /** Aborts the exchange at any point, the body included. */
  readonly signal: AbortSignal;
  /** Is told whether the request was sent. */
  readonly trace?: SendTrace;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body in chunks. Iterating throws if the connection is lost. It must be read to its end or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends requests. Never follows redirects: a key is sent only to the origin for which it was entered. */
export interface Transport {
  readonly name: "host" | "undici";
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes idle connections. Running requests end by their signal. */
  close(): Promise<void>;
}

/**
 * Waits until the event loop has read which connections the server closed while this thread was busy. A request on such
 * a connection fails with a reset, and one that may be billed is then not sent again. Two turns, because the current
 * one may have asked the system before the thread was busy.
 */
export async function readClosedConnections(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
