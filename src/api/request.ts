import { type Dialect, toWire } from "./dialect.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import type { TransportRequest } from "./transport/transport.ts";

export interface RequestContext {
  readonly endpoint: string;
  readonly row: Endpoint;
  /** The API's root, without a slash at its end. */
  readonly baseUrl: string;
  readonly dialect: Dialect;
  readonly apiKey: string | undefined;
  readonly signal: AbortSignal;
}

/** A row's checked input as an HTTP request: path members into the path, the rest into query or body. */
export function toRequest(
  context: RequestContext,
  input: Readonly<Record<string, unknown>>,
): TransportRequest {
  const { row, baseUrl, dialect, signal } = context;
  const { path, rest } = fillPath(row.path, input);
  const url = new URL(baseUrl + path);
  const headers: Record<string, string> = {
    accept: row.decode === "events" ? "text/event-stream, application/json" : "application/json",
  };
  if (context.apiKey !== undefined) headers.authorization = `Bearer ${headerValue(context, context.apiKey)}`;
  if (row.encode === "query") {
    for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, String(value));
    return { method: row.method, url: url.href, headers, signal };
  }
  const body = row.decode === "events" ? { ...rest, stream: true } : rest;
  headers["content-type"] = "application/json";
  return { method: row.method, url: url.href, headers, signal, body: JSON.stringify(toWire(dialect, body)) };
}

function fillPath(template: string, input: Readonly<Record<string, unknown>>) {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) if (value !== undefined) rest[name] = value;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { path, rest };
}

/** A key with a line break or a letter outside Latin-1 would make fetch throw a sentence that quotes it. */
function headerValue({ endpoint }: RequestContext, key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ApiError("unauthorized", "the key holds characters that no key can have", {
    endpoint,
    mayHaveArrived: false,
  });
}
