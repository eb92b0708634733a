import type { Members } from "../../../shared/members.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { type Dialect, toWire } from "../../dialect/dialect.ts";
import type { Endpoint } from "../../endpoint.ts";
import { ApiError } from "../../errors/errors.ts";
import type { TransportBody, TransportRequest } from "../../transport/transport.ts";
import { createForm } from "./multipart.ts";
import { isUpload, type Upload } from "./upload.ts";

export interface RequestContext {
  readonly endpoint: string;
  readonly row: Endpoint;
  /** The row's path or its `otherPath`. */
  readonly path: string;
  /** The API root, without a trailing slash. */
  readonly baseUrl: string;
  readonly dialect: Dialect;
  readonly apiKey: string | undefined;
  /** A signed wallet sign-in, sent instead of the key. */
  readonly walletSignIn: string | undefined;
  /** The call option of the same name. */
  readonly bodyText: string | undefined;
  readonly signal: AbortSignal;
}

const accepts: Readonly<Record<Endpoint["decode"], string>> = {
  json: "application/json",
  events: "text/event-stream, application/json",
  text: "text/plain, application/json",
  binary: "*/*",
};

/** Converts a row's validated input to an HTTP request: members go to path, headers, then query or body. */
export async function toRequest(context: RequestContext, input: Members): Promise<TransportRequest> {
  const { row, dialect, bodyText, signal } = context;
  const { path, rest } = fillPath(context, input);
  const url = toUrl(context, path);
  const headers: Record<string, string> = { accept: row.accept ?? accepts[row.decode] };
  if (context.walletSignIn !== undefined)
    headers[dialect.walletHeader] = headerValue(context, context.walletSignIn);
  else if (context.apiKey !== undefined)
    headers.authorization = `Bearer ${headerValue(context, context.apiKey)}`;
  for (const [member, header] of Object.entries(row.headers ?? {})) {
    if (rest[member] !== undefined) headers[header] = String(rest[member]);
    delete rest[member];
  }
  const members = toWire(dialect, { ...rest, ...row.fixed });
  if (row.encode === "query") {
    for (const [name, value] of Object.entries(members)) url.searchParams.set(name, String(value));
    return { method: row.method, url: url.href, headers, signal };
  }
  const { type, body } = await encodeBody(row.encode, members, bodyText);
  headers["content-type"] = type;
  return { method: row.method, url: url.href, headers, signal, body };
}

async function encodeBody(
  encode: Endpoint["encode"],
  members: Members,
  bodyText: string | undefined,
): Promise<{ type: string; body: TransportBody }> {
  // A form without a file is sent as JSON to services that accept both (spec E13).
  if (encode === "multipart" && Object.values(members).some(isUpload)) return createForm(members);
  const type = "application/json";
  if (encode === "whole") return { type, body: bodyText ?? exactJsonText(members.body) };
  return { type, body: exactJsonText(await inlineUploads(members)) };
}

/** Files inside a JSON body are sent as base64 text (spec E5). */
async function inlineUploads(members: Members): Promise<Members> {
  const inline = async (value: unknown) => (isUpload(value) ? toBase64(value) : value);
  const entries = Object.entries(members).map(async ([name, value]) => [
    name,
    Array.isArray(value) ? await Promise.all(value.map(inline)) : await inline(value),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

async function toBase64(upload: Upload): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of upload.open()) pieces.push(piece.slice());
  return Buffer.concat(pieces).toString("base64");
}

/** Optional members that are null are dropped because closed bodies refuse them (wire.md section 3). */
function fillPath({ endpoint, path: template }: RequestContext, input: Members) {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && value !== null) rest[name] = value;
  }
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? "");
    delete rest[name];
    // A URL resolves these as relative path segments.
    if (/^\.{0,2}$/.test(value)) throw invalid(endpoint, "can't be used in a path", name);
    return encodeURIComponent(value);
  });
  return { path, rest };
}

/** Checked here because fetch quotes an invalid URL in its error, with any secret in it. */
function toUrl({ endpoint, baseUrl }: RequestContext, path: string): URL {
  const text = baseUrl + path;
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text))
    throw invalid(endpoint, "the base URL must begin with http:// or https://");
  const url = new URL(text);
  if (url.username || url.password) throw invalid(endpoint, "the base URL contains a user name or password");
  return url;
}

function invalid(endpoint: string, problem: string, field?: string): ApiError {
  const issues = field === undefined ? [] : [{ field, message: problem }];
  const message = field === undefined ? problem : `${field}: ${problem}`;
  return new ApiError("invalid-request", message, { endpoint, issues, mayHaveArrived: false });
}

/** fetch quotes a header value in its error if it has a line break or a letter outside Latin-1. */
function headerValue({ endpoint }: RequestContext, key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ApiError("unauthorized", "the key contains characters that are not allowed in keys", {
    endpoint,
    mayHaveArrived: false,
  });
}
