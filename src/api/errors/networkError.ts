import type { SendTrace } from "../transport/connectionTrace.ts";
import { ApiError, isApiError, type NetworkReason, proxyClosedCode } from "./errors.ts";
import { redact } from "./redact.ts";

interface Named {
  readonly reason: NetworkReason;
  /** True if the request may have reached the service before the error. */
  readonly mayHaveArrived: boolean;
}

const beforeSending: Readonly<Record<string, NetworkReason>> = {
  ENOTFOUND: "name-not-found",
  EAI_AGAIN: "name-not-found",
  EAI_NODATA: "name-not-found",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  UND_ERR_CONNECT_TIMEOUT: "unreachable",
};

const plainHttpCode = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;
const http2Code = "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL";
const certificateCode =
  /^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;
const resetCode =
  /^(ECONNRESET|EPIPE|ECONNABORTED|ETIMEDOUT|UND_ERR_SOCKET|HPE_|Z_|ZSTD_|ERR_BROTLI|ERR_STREAM_PREMATURE_CLOSE)/;

/**
 * Converts an exception of a transport to an ApiError; an ApiError is returned unchanged. If the response has begun,
 * the request did arrive, whatever the error.
 */
export function classifyThrown(
  endpoint: string,
  thrown: unknown,
  secrets: readonly string[],
  hasAnswered = false,
): ApiError {
  if (isApiError(thrown)) return thrown;
  const chain = causes(thrown);
  const code = chain.map(codeOf).find((found) => found !== undefined);
  const words = chain.map((error) => (error instanceof Error ? error.message : String(error)));
  const named = nameOfBytes(chain) ?? nameOf(code, words.join("\n"));
  // The outer message of a failed fetch is generic. The innermost one names host and cause.
  const message = redact(words.findLast((text) => text !== "") ?? "the request failed", secrets);
  const spoken = proxyWords(message) ?? wordsOf(chain) ?? message;
  const details = { ...named, mayHaveArrived: hasAnswered || named.mayHaveArrived };
  return new ApiError("network", spoken, { endpoint, ...details, ...(code ? { code } : {}) });
}

/** Undici's words for the answer of a proxy to CONNECT. */
function proxyWords(message: string): string | undefined {
  const [found, status] = /Proxy response \(?(\d{3})?\)? ?!== 200/i.exec(message) ?? [];
  if (found === undefined) return undefined;
  return status === undefined ? "it did not open a connection" : `it answered HTTP ${status}`;
}

/** Undici's other words that name no reason that a user could use. */
function wordsOf(chain: readonly unknown[]): string | undefined {
  if (chain.map(codeOf).includes("UND_ERR_HEADERS_OVERFLOW"))
    return "the headers of its answer are too large";
  const names = chain.map((error) => (error instanceof Error ? error.name : ""));
  return names.includes("HTTPParserError") ? "its answer does not match the HTTP/1.1 protocol" : undefined;
}

/** Recognizes the protocol of an answer that is not HTTP/1.1 by its first bytes: a TLS alert, or a SETTINGS frame of HTTP/2. */
function nameOfBytes(chain: readonly unknown[]): Named | undefined {
  const data = chain
    .map((error) => (typeof error === "object" && error !== null && "data" in error ? error.data : undefined))
    .find((found) => found !== undefined);
  const start = String(data ?? "");
  if (start.startsWith("\u0015\u0003")) return { reason: "tls-needed", mayHaveArrived: false };
  // Three bytes of length, then the type of the frame (RFC 9113, 4.1 and 6.5).
  const isSettings = start.startsWith("\0\0") && start.charCodeAt(3) === 4;
  return isSettings ? { reason: "http2-only", mayHaveArrived: false } : undefined;
}

function nameOf(code: string | undefined, words: string): Named {
  const early = code === undefined ? undefined : beforeSending[code];
  if (early) return { reason: early, mayHaveArrived: false };
  if (code === proxyClosedCode || code === "ERR_PROXY_FAILED")
    return { reason: "proxy", mayHaveArrived: false };
  if (code && plainHttpCode.test(code)) return { reason: "plain-http", mayHaveArrived: false };
  if (code === http2Code) return { reason: "http2-only", mayHaveArrived: false };
  if (code && certificateCode.test(code)) return { reason: "certificate", mayHaveArrived: false };
  // Checked after the codes because a host may be named proxy.example.
  if (/prox(y|ies)/i.test(words)) return { reason: "proxy", mayHaveArrived: false };
  if (code && resetCode.test(code)) return { reason: "reset", mayHaveArrived: true };
  if (/terminated|other side closed|socket hang up/i.test(words))
    return { reason: "reset", mayHaveArrived: true };
  return { reason: "other", mayHaveArrived: true };
}

const notConnected: ReadonlySet<NetworkReason> = new Set(["refused", "unreachable", "name-not-found"]);

/** An error of a request whose way is known: if it was never written to a connection, it can't have arrived. */
export function withTrace(error: ApiError, { isSent, isProxied }: SendTrace, hasAnswered: boolean): ApiError {
  const { kind, message, details, cause } = error;
  if (isSent !== false || hasAnswered) return error;
  const unsent = { ...details, mayHaveArrived: false, cause };
  // Behind a proxy, only the proxy is connected to.
  if (isProxied && details.reason && notConnected.has(details.reason))
    return new ApiError(kind, message, { ...unsent, reason: "proxy" });
  // Not the service took too long: raising the timeout does not help.
  if (kind === "timed-out") {
    const reason = isProxied ? "proxy" : "unreachable";
    return new ApiError("network", `${message}: the connection was not established`, { ...unsent, reason });
  }
  return new ApiError(kind, message, unsent);
}

/** The chain of causes, outermost first, at most eight. */
function causes(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = thrown; next !== undefined && next !== null && chain.length < 8; ) {
    chain.push(next);
    next = next instanceof AggregateError ? next.errors[0] : next instanceof Error ? next.cause : undefined;
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
