/** Text, or bytes of a known length that are read while they are sent, anew for each try. */
export type TransportBody = string | { readonly length: number; open(): AsyncIterable<Uint8Array> };

/** One HTTP exchange, as far as the client cares: how bytes leave and how they come back. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: TransportBody;
  /** Ends the exchange at any point, the body included. */
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body in the pieces it arrived in; iterating throws what cut it off. Must be read to its end or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends requests. Never follows redirects: a key goes to the origin it was entered for and nowhere else. */
export interface Transport {
  readonly name: "host" | "undici";
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes idle connections; running exchanges end by their signal. */
  close(): Promise<void>;
}
