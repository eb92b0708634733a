import { optionalMember } from "../../shared/members.ts";
import { messageOf } from "../../shared/messageOf.ts";
import type { SendTrace } from "../transport/connectionTrace.ts";
import { ApiError, isApiError, type NetworkReason, proxySignInCode } from "./errors.ts";
import { failureOfCode, type NetworkFailure, proxyClause } from "./networkCodes.ts";
import { redact } from "./redact.ts";

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
  const texts = chain.map((error) => messageOf(error));
  const { words, reason, ...failure } = failureOfBytes(chain) ?? failureOf(chain, code, texts.join("\n"));
  // The outer message of a failed fetch is generic. The innermost one names host and cause.
  const message = redact(texts.findLast((text) => text !== "") ?? "", secrets);
  const proxied = proxyAnswer(message);
  const spoken = proxied?.words ?? words ?? (reason === "other" ? clauseOf(message, code) : message);
  const where = hasAnswered ? afterSending(reason) : { reason, ...failure };
  return new ApiError("network", spoken, {
    endpoint,
    ...where,
    ...optionalMember("code", proxied?.code ?? code),
  });
}

/** The answer of a proxy to CONNECT, by the words of undici; those of the editor for a 407 differ: `(407) ?.== 200`. */
function proxyAnswer(message: string): { readonly words: string; readonly code?: string } | undefined {
  const [found, status] = /Proxy response \(?(\d{3})?\)? ?\S{1,3}= 200/i.exec(message) ?? [];
  if (found === undefined) return undefined;
  if (status === "407") return { words: "it asks for a sign-in (HTTP 407)", code: proxySignInCode };
  return { words: status === undefined ? "it did not open a connection" : `it answered HTTP ${status}` };
}

/** A message that is no more than a code, or fetch's generic one, is no reason. */
function clauseOf(message: string, code: string | undefined): string {
  const detail = code ?? /\b[A-Z][A-Z\d_]{3,}\b/.exec(message)?.[0];
  const isReason =
    message !== "" && message !== "fetch failed" && !/^(\w+ )?[A-Z][A-Z\d_]{3,}\b/.test(message);
  if (isReason) return message;
  return detail === undefined ? "no reason was given" : `the connection failed (${detail})`;
}

/** Recognizes the protocol of an answer that is not HTTP/1.1 by its first bytes: a TLS alert, or a SETTINGS frame of HTTP/2. */
function failureOfBytes(chain: readonly unknown[]): NetworkFailure | undefined {
  const data = chain
    .map((error) => (typeof error === "object" && error !== null && "data" in error ? error.data : undefined))
    .find((found) => found !== undefined);
  const start = String(data ?? "");
  if (start.startsWith("\u0015\u0003")) return { reason: "tls-needed", mayHaveArrived: false };
  // Three bytes of length, then the type of the frame (RFC 9113, 4.1 and 6.5).
  const isSettings = start.startsWith("\0\0") && start.charCodeAt(3) === 4;
  return isSettings ? { reason: "http2-only", mayHaveArrived: false } : undefined;
}

function failureOf(chain: readonly unknown[], code: string | undefined, texts: string): NetworkFailure {
  const known = code === undefined ? undefined : failureOfCode(code, syscallOf(chain, code));
  if (known && !(known.mayHaveArrived && namesProxy.test(texts))) return known;
  // Checked after the codes because a host may be named proxy.example.
  if (namesProxy.test(texts)) return { reason: "proxy", mayHaveArrived: false };
  const isLost = /terminated|other side closed|socket hang up/i.test(texts);
  return { reason: isLost ? "reset" : "other", mayHaveArrived: true };
}

const namesProxy = /prox(y|ies)/i;

const ofAddress: ReadonlySet<NetworkReason> = new Set(["refused", "unreachable", "name-not-found"]);
const ofEncryption: ReadonlySet<NetworkReason> = new Set(["certificate", "plain-http", "tls"]);

/** What happens while a connection is made can happen to one that exists, too: the network goes away. It is then lost. */
function afterSending(reason: NetworkReason): { reason: NetworkReason; mayHaveArrived: true } {
  const isLost = ofAddress.has(reason) || ofEncryption.has(reason);
  return { reason: isLost ? "reset" : reason, mayHaveArrived: true };
}

/** An error of a request whose way is known: if it was never written to a connection, it can't have arrived. */
export function withTrace(error: ApiError, { isSent, isProxied }: SendTrace, hasAnswered: boolean): ApiError {
  const { kind, message, details, cause } = error;
  const { reason } = details;
  if (isSent === undefined || hasAnswered) return error;
  const isOfConnecting = reason !== undefined && (ofAddress.has(reason) || ofEncryption.has(reason));
  if (isSent && isOfConnecting)
    return new ApiError(kind, message, { ...details, ...afterSending(reason), cause });
  if (isSent) return error;
  const unsent = { ...details, mayHaveArrived: false, cause };
  // Behind a proxy, only the proxy is connected to.
  if (isProxied && reason && ofAddress.has(reason))
    return new ApiError(kind, proxyClause(reason, message), { ...unsent, reason: "proxy" });
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

/** The system call of the error with this code. */
function syscallOf(chain: readonly unknown[], code: string): string | undefined {
  const calls = chain.flatMap((error) =>
    codeOf(error) === code && error instanceof Error && "syscall" in error ? [error.syscall] : [],
  );
  return calls.find((call) => typeof call === "string");
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
