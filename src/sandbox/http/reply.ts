/** The reply of a handler before encoding. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
}

type ReplyBody = JsonBody | TextBody | BytesBody | EventsBody;

interface JsonBody {
  readonly kind: "json";
  readonly value: unknown;
  /** Only replies for which the spec allows it are compressed (spec E10 and E11, Accept-Encoding). */
  readonly mayCompress?: boolean;
}

interface TextBody {
  readonly kind: "text";
  readonly text: string;
  readonly contentType: string;
}

/** A file, in pieces. */
export interface BytesBody {
  readonly kind: "bytes";
  readonly contentType: string;
  /** Undefined if it is not known in advance. */
  readonly length: number | undefined;
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface EventsBody {
  readonly kind: "events";
  /** The data of each event. Each batch is written at once. */
  readonly batches: AsyncIterable<readonly string[]>;
}

export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 200, headers, body: { kind: "json", value } };
}

export function html(status: number, text: string): Reply {
  return { status, headers: {}, body: { kind: "text", text, contentType: "text/html; charset=utf-8" } };
}
