import { type NetworkReason, proxyClosedCode } from "./errors.ts";

/** What a code of Node.js, OpenSSL or undici means for a request. */
export interface NetworkFailure {
  readonly reason: NetworkReason;
  /** True if the request may have reached the service before the error. */
  readonly mayHaveArrived: boolean;
  /** A clause in place of the words of the code's author, which name nothing that a user knows. */
  readonly words?: string;
}

const unsent = (reason: NetworkReason, words?: string): NetworkFailure => ({
  ...{ reason, mayHaveArrived: false },
  ...(words === undefined ? {} : { words }),
});
const unclear = (words: string): NetworkFailure => ({ reason: "other", mayHaveArrived: true, words });
const reset: NetworkFailure = { reason: "reset", mayHaveArrived: true };

/** The code of an answer that is not of HTTP/1.1. */
export const notHttpCode = /^HPE_/;
/** The codes of limits that the editor's fetch has of its own. */
export const ownTimeoutCode = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/;
export const headersOverflowCode = "UND_ERR_HEADERS_OVERFLOW";
/** This machine lacks what a connection needs. */
export const exhaustedCode = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM)$/;
/** A firewall of this machine, or a sandbox around the editor, forbids the connection. */
export const forbiddenCode = /^(EACCES|EPERM)$/;

/** The first that matches counts. Codes: `errno.h`, OpenSSL's `x509_vfy.h`, undici's `lib/core/errors.js`, llhttp. */
const meanings: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/^(ENOTFOUND|ENODATA|EAI_\w+)$/, unsent("name-not-found")],
  [/^ECONNREFUSED$/, unsent("refused")],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ENONET)$/, unsent("unreachable")],
  [/^(EADDRNOTAVAIL|EAFNOSUPPORT|UND_ERR_CONNECT_TIMEOUT)$/, unsent("unreachable")],
  [new RegExp(`^(${proxyClosedCode}|ERR_PROXY_FAILED)$`), unsent("proxy")],
  [/^UND_ERR_PRX_TLS$/, unsent("proxy", "no TLS connection to it could be made")],
  [/^UND_ERR_SOCKS5/, unsent("proxy", "it did not open a connection by SOCKS")],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/, unsent("plain-http")],
  [/^ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL$/, unsent("http2-only")],
  [/^(ERR_TLS_CERT|ERR_SSL_CERTIFICATE_VERIFY|CERT_|CRL_|SELF_SIGNED|DEPTH_ZERO)/, unsent("certificate")],
  [/^(UNABLE_TO_|ERROR_IN_C|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LEN)/, unsent("certificate")],
  [/^(EPROTO$|ERR_SSL_|ERR_TLS_)/, unsent("tls")],
  [forbiddenCode, unsent("other", "this machine does not allow the connection")],
  [exhaustedCode, unsent("other", "this machine has no resources left for a connection")],
  [/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|CLOSED|BPL_|MAX_ORIGINS)/, unsent("other", "it could not be sent")],
  [/^ERR_(INVALID_(URL|CHAR|ARG|HTTP)|HTTP_INVALID)/, unsent("other", "it could not be sent")],
  [/^UND_ERR_REQ_CONTENT_LENGTH_MISMATCH$/, unclear("its content changed while it was sent")],
  [ownTimeoutCode, unclear("no answer came within the limit of the editor's own HTTP client")],
  [new RegExp(`^${headersOverflowCode}$`), unclear("the headers of its answer are too large")],
  [/^UND_ERR_(RES_EXCEEDED_MAX_SIZE|WS_MESSAGE_SIZE)/, unclear("its answer is too large")],
  // The end of an answer came inside of it.
  [/^HPE_(INVALID_EOF_STATE|CLOSED_CONNECTION)$/, reset],
  [notHttpCode, unclear("its answer does not match the HTTP/1.1 protocol")],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ENOTCONN|ESHUTDOWN|ENETRESET|ETIMEDOUT)$/, reset],
  [/^UND_ERR_(SOCKET|ABORT|ABORTED|INFO|DESTROYED|RES_CONTENT_LENGTH_MISMATCH)$/, reset],
  [/^(Z_|ZSTD_|ERR_BROTLI|ERR_STREAM_|ERR_SOCKET_)/, reset],
  [/^UND_ERR/, unclear("the HTTP client failed without a reason")],
];

/** `syscall` is Node's: `connect`, `read`. */
export function failureOfCode(code: string, syscall?: string): NetworkFailure | undefined {
  if (code === "ETIMEDOUT" && syscall === "connect") return unsent("unreachable");
  return meanings.find(([pattern]) => pattern.test(code))?.[1];
}

const ofProxy: Partial<Readonly<Record<NetworkReason, string>>> = {
  "name-not-found": "its address could not be found",
  refused: "nothing answers at its address",
  unreachable: "it can't be reached",
  certificate: "its certificate could not be verified",
  "plain-http": "it answers without TLS",
  tls: "no TLS connection to it could be made",
};

/** A clause about a proxy to which no connection was made, with the words of Node.js, which name its address. */
export function proxyClause(reason: NetworkReason | undefined, message: string): string {
  const clause = reason === undefined ? undefined : ofProxy[reason];
  return clause === undefined ? message : `${clause} (${message})`;
}
