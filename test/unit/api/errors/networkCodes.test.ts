// Each error of undici, of Node.js and of OpenSSL in our words: one plain sentence, a step that helps, no bare code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { getSystemErrorMap } from "node:util";
import errors from "undici/lib/core/errors.js";
import { mayResend } from "../../../../src/api/call/retry.ts";
import { ApiError, type NetworkReason } from "../../../../src/api/errors/errors.ts";
import { classifyThrown, withTrace } from "../../../../src/api/errors/networkError.ts";
import { SendTrace } from "../../../../src/api/transport/connectionTrace.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";

/** As the host transport throws it. */
function thrownBy(cause: unknown): Error {
  return new TypeError("fetch failed", { cause });
}

function systemError(code: string, syscall = "connect"): Error {
  return Object.assign(new Error(`${syscall} ${code} 10.0.0.1:443`), { code, syscall });
}

/** Sentence and step of an error, whatever wraps it. */
function checkedSentence(error: unknown): string {
  const outer = classifyThrown("chat.complete", thrownBy(error), []);
  const inner = classifyThrown("chat.complete", error, []);
  assert.deepEqual([outer.message, outer.details], [inner.message, inner.details]);
  const { sentence, actions } = explain(inner, { service: "api.example" });
  assert.match(sentence, /^[A-Za-z][^\n]{20,}\. [A-Z][^\n]{10,}\.$/, sentence);
  assert.ok(actions.length > 0);
  // A code stands in brackets, behind words.
  const bare = sentence.replace(/\([^)]*\)/g, "");
  assert.doesNotMatch(bare, /\b(E[A-Z]{3,}|UND_\w+|HPE_\w+|ERR_\w+|[A-Z]{2,}_[A-Z_]+)\b/, sentence);
  assert.doesNotMatch(sentence, /undefined|fetch failed|Error\b| {2}/, sentence);
  return sentence;
}

const undiciReasons: Readonly<Record<string, readonly [reason: NetworkReason, words: RegExp]>> = {
  AbortError: ["reset", /was lost/],
  HTTPParserError: ["other", /HTTP\/1\.1.*base URL and its port/],
  UndiciError: ["other", /without a reason/],
  HeadersTimeoutError: ["other", /own HTTP client.*inference\.connection\.transport/],
  HeadersOverflowError: ["other", /headers of its answer are too large.*smaller/],
  BodyTimeoutError: ["other", /own HTTP client.*inference\.connection\.transport/],
  RequestContentLengthMismatchError: ["other", /changed while it was sent.*Try again/],
  ConnectTimeoutError: ["unreachable", /can't be reached.*network/],
  InvalidArgumentError: ["other", /could not be sent/],
  InvalidReturnValueError: ["other", /without a reason/],
  RequestAbortedError: ["reset", /was lost/],
  ClientDestroyedError: ["reset", /was lost/],
  ClientClosedError: ["other", /could not be sent.*Try again/],
  InformationalError: ["reset", /was lost/],
  SocketError: ["reset", /was lost.*Try again/],
  NotSupportedError: ["other", /could not be sent/],
  ResponseContentLengthMismatchError: ["reset", /was lost/],
  BalancedPoolMissingUpstreamError: ["other", /could not be sent/],
  ResponseExceededMaxSizeError: ["other", /answer is too large/],
  RequestRetryError: ["other", /without a reason/],
  ResponseError: ["other", /without a reason/],
  SecureProxyConnectionError: ["proxy", /proxy.*can't be used.*TLS.*Check the proxy/],
  MaxOriginsReachedError: ["other", /could not be sent/],
  Socks5ProxyError: ["proxy", /proxy.*can't be used.*SOCKS.*Check the proxy/],
  MessageSizeExceededError: ["other", /answer is too large/],
};

test("the table has all errors of the installed undici", () => {
  assert.deepEqual(Object.keys(errors).sort(), Object.keys(undiciReasons).sort());
});

for (const [name, [reason, words]] of Object.entries(undiciReasons)) {
  test(`undici's ${name} is ${reason}, in our words`, () => {
    const Class = (errors as unknown as Record<string, new (...values: unknown[]) => Error>)[name];
    assert.ok(Class);
    const error = name === "HTTPParserError" ? new Class("Expected HTTP/", "INVALID_CONSTANT") : build(Class);
    assert.equal(classifyThrown("chat.complete", error, []).details.reason, reason);
    assert.match(checkedSentence(error), words);
  });
}

function build(Class: new (...values: unknown[]) => Error): Error {
  // Some of them read headers of their third argument.
  return new Class(undefined, undefined, { headers: {} });
}

const codes: Readonly<Record<string, readonly [reason: NetworkReason, mayHaveArrived: boolean]>> = {
  ...pair(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "ENODATA"], "name-not-found", false),
  ...pair(["ECONNREFUSED"], "refused", false),
  ...pair(["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENETDOWN", "EADDRNOTAVAIL"], "unreachable", false),
  ...pair(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"], "unreachable", false),
  ...pair(["ECONNRESET", "EPIPE", "ECONNABORTED", "ENOTCONN", "UND_ERR_SOCKET"], "reset", true),
  ...pair(["Z_BUF_ERROR", "ERR_STREAM_PREMATURE_CLOSE", "HPE_INVALID_EOF_STATE"], "reset", true),
  ...pair(["EACCES", "EPERM", "EMFILE", "ENFILE", "ENOBUFS", "ERR_INVALID_CHAR"], "other", false),
  ...pair(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "CERT_REVOKED", "CERT_UNTRUSTED"], "certificate", false),
  ...pair(["ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH", "INVALID_CA"], "certificate", false),
  ...pair(["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"], "certificate", false),
  ...pair(["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"], "certificate", false),
  ...pair(["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"], "plain-http", false),
  ...pair(["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"], "http2-only", false),
  ...pair(["EPROTO", "ERR_SSL_UNSUPPORTED_PROTOCOL", "ERR_TLS_HANDSHAKE_TIMEOUT"], "tls", false),
  ...pair(["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"], "tls", false),
};

function pair(names: readonly string[], reason: NetworkReason, mayHaveArrived: boolean) {
  return Object.fromEntries(names.map((name) => [name, [reason, mayHaveArrived] as const]));
}

for (const [code, [reason, mayHaveArrived]] of Object.entries(codes)) {
  test(`${code} is ${reason}`, () => {
    const { details } = classifyThrown("chat.complete", systemError(code), []);
    assert.deepEqual([details.reason, details.mayHaveArrived, details.code], [reason, mayHaveArrived, code]);
    checkedSentence(systemError(code));
  });
}

test("no other code of the system stands alone in a sentence", () => {
  for (const [name] of getSystemErrorMap().values()) {
    checkedSentence(systemError(name));
    checkedSentence(systemError(name, "read"));
    checkedSentence(Object.assign(new Error(name), { code: name }));
  }
});

test("an error without a reason says so", () => {
  for (const error of [new TypeError("fetch failed"), new Error(""), undefined, "", new AggregateError([])])
    assert.match(checkedSentence(error), /^The request to api\.example failed: no reason was given\. Try/);
});

test("a certificate's fault has the step that helps", () => {
  const of = (code: string) => checkedSentence(systemError(code));
  assert.match(of("CERT_HAS_EXPIRED"), /has expired.*nothing was sent.*clock.*renew/);
  assert.match(of("CERT_NOT_YET_VALID"), /not valid yet.*clock/);
  assert.match(of("ERR_TLS_CERT_ALTNAME_INVALID"), /another host.*Check the host/);
  assert.match(of("SELF_SIGNED_CERT_IN_CHAIN"), /could not be verified.*root certificate/);
  assert.match(of("EACCES"), /does not allow.*firewall/);
  assert.match(of("EMFILE"), /no resources.*Close/);
});

test("a network that goes away after the request was sent is a lost connection, not resent if it may be billed", () => {
  const trace = new SendTrace();
  trace.isSent = true;
  for (const code of ["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "ERR_SSL_BAD_RECORD_TYPE"]) {
    const error = withTrace(classifyThrown("chat.complete", systemError(code, "read"), []), trace, false);
    assert.deepEqual([error.details.reason, error.details.mayHaveArrived], ["reset", true], code);
    assert.deepEqual(
      [mayResend("billed", error), mayResend("unanswered", error), mayResend("reading", error)],
      [false, false, true],
    );
    const late = classifyThrown("chat.complete", systemError(code, "read"), [], true);
    assert.deepEqual([late.details.reason, late.details.mayHaveArrived], ["reset", true], code);
  }
});

test("a proxy that can't be reached is told with its address, not with a code alone", () => {
  const trace = new SendTrace();
  trace.isSent = false;
  trace.isProxied = true;
  const of = (code: string) => {
    const error = withTrace(classifyThrown("chat.complete", systemError(code), []), trace, false);
    assert.deepEqual([error.details.reason, error.details.mayHaveArrived], ["proxy", false]);
    return explain(error, { service: "api.example" }).sentence;
  };
  assert.match(
    of("ECONNREFUSED"),
    /proxy.*nothing answers at its address \(connect ECONNREFUSED 10\.0\.0\.1/,
  );
  assert.match(of("ENOTFOUND"), /proxy.*its address could not be found \(/);
  assert.match(of("EHOSTUNREACH"), /proxy.*can't be reached \(/);
});

test("an error of ours stays as it is", () => {
  const own = new ApiError("cancelled", "cancelled");
  assert.equal(classifyThrown("chat.complete", own, []), own);
});
