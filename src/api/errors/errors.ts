import type { TopUp } from "../../shared/money/topUp.ts";

/** All kinds of errors of a call, as a closed set. Wire forms: wire.md section 8. */
export const errorKinds = [
  "invalid-request",
  "unauthorized",
  "admin-key-required",
  "payment-required",
  "forbidden",
  "not-found",
  "gone",
  "too-large",
  "refused-content",
  "rate-limited",
  "failure-budget",
  "unavailable",
  "timed-out",
  "network",
  "cancelled",
  "malformed-response",
  "needs-language-model",
  "not-signed",
] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** The code of a network error after a proxy closed the connection in place of an answer to CONNECT. */
export const proxyClosedCode = "ERR_PROXY_CLOSED";
/** After a proxy asked for a sign-in (HTTP 407), or did not accept the one of its address. */
export const proxySignInCode = "ERR_PROXY_SIGN_IN";

/**
 * The reason why no answer arrived, or why the connection was lost. `tls`: no encryption was agreed on. `plain-http`: the URL has https and the server speaks
 * HTTP. `tls-needed`: the URL has http and the server speaks TLS. `challenge`: a gateway answered with a page that checks
 * visitors. `portal`: the network answered with a page to sign in.
 */
export type NetworkReason =
  | "name-not-found"
  | "refused"
  | "unreachable"
  | "proxy"
  | "certificate"
  | "tls"
  | "reset"
  | "redirect"
  | "plain-http"
  | "tls-needed"
  | "http2-only"
  | "challenge"
  | "portal"
  | "other";

/**
 * The source of money that was insufficient. `credential`: neither key nor wallet was sent. `budget`: the user's own
 * budget in this extension. `task`: the cap that the user set for a task or a day of an agent; `limit`: another limit of it.
 * With a cap or a hard stop these refuse a call, too: `unpriced`, because no listed price bounds it; `unbounded`, because
 * the length of its answer is not bounded; `ledger`, because its cost can't be recorded.
 */
export type PaymentSource =
  | "account"
  | "key-limit"
  | "wallet"
  | "credential"
  | "budget"
  | "budget-unread"
  | "task"
  | "limit"
  | "unpriced"
  | "unbounded"
  | "ledger";

export interface FieldIssue {
  /** Dotted path of the field, `messages.0.content`; empty for the whole body. */
  readonly field: string;
  readonly message: string;
}

export interface ApiErrorDetails {
  readonly endpoint?: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly issues?: readonly FieldIssue[];
  readonly reason?: NetworkReason;
  /** The code of Node.js or TLS, `ENOTFOUND`, `SELF_SIGNED_CERT_IN_CHAIN`. */
  readonly code?: string;
  /** The request had the Idempotency-Key of another one, so it was not processed. */
  readonly isKeyReused?: true;
  /** The service's code, one of `serviceErrors`, from the reply's code or its message. */
  readonly serviceCode?: string;
  readonly source?: PaymentSource;
  /** A budget that is a hard stop needs the price that is missing; no cap of a task does. */
  readonly isForHardStop?: true;
  /** The limit that was reached, as the service or the headers name it. */
  readonly limit?: string;
  /** Address of the successor of a retired route (410 with `Link: rel="successor-version"`). */
  readonly successor?: string;
  /** The http or https address of a redirect, at most 200 characters. */
  readonly location?: string;
  /** A prompt that the service suggests instead of the refused one. */
  readonly suggestedPrompt?: string;
  /** How to top up the wallet, as the service says it (402). */
  readonly topUp?: TopUp;
  /** Unix time in milliseconds from which a retry may succeed. */
  readonly retryAtMs?: number;
  /** True if the service may have started processing: a retry could be billed again. */
  readonly mayHaveArrived?: boolean;
  /** The raw body, at most 64 KB, with secrets removed. */
  readonly raw?: string;
  readonly cause?: unknown;
}

/** An error with a kind. `message` is one short sentence of the service or the network. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ErrorKind;
  readonly details: Omit<ApiErrorDetails, "cause">;

  constructor(kind: ErrorKind, message: string, details: ApiErrorDetails = {}) {
    const { cause, ...rest } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.details = rest;
  }
}

/** True for an ApiError, including one that another bundle of this extension threw. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && value.name === "ApiError" && "kind" in value && "details" in value;
}

/** True for an error that says that the caller has cancelled. */
export function isCancelled(error: unknown): boolean {
  return isApiError(error) && error.kind === "cancelled";
}

/** Only a limit refuses until its reset. An unavailable service may recover at any moment. */
export function isLimit({ kind }: ApiError): boolean {
  return kind === "rate-limited" || kind === "failure-budget";
}
