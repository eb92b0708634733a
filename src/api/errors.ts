/** Everything that can go wrong with a call, as one closed set of kinds. Wire forms: wire.md section 8. */
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
] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** Why no answer came over the network, or why the connection died. */
export type NetworkReason =
  | "name-not-found"
  | "refused"
  | "unreachable"
  | "proxy"
  | "certificate"
  | "reset"
  | "redirect"
  | "other";

/**
 * What `payment-required` is short of; `credential` where neither key nor wallet was sent, `budget` is the one that the
 * user of this extension set.
 */
export type PaymentSource = "account" | "key-limit" | "wallet" | "credential" | "budget";

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
  /** Node's or TLS's own code, `ENOTFOUND`, `SELF_SIGNED_CERT_IN_CHAIN`. */
  readonly code?: string;
  /** The service's code for it, one of `serviceErrors`, as the reply names it or as its words show. */
  readonly serviceCode?: string;
  readonly source?: PaymentSource;
  /** Which limit was hit, as the service or the headers name it. */
  readonly limit?: string;
  /** Address of the route that took over a retired one (410 with `Link: rel="successor-version"`). */
  readonly successor?: string;
  /** A prompt that the service offers in place of the refused one. */
  readonly suggestedPrompt?: string;
  /** How to pay, step by step, where the service says so (402). */
  readonly instructions?: readonly string[];
  /** Unix time in milliseconds at which a resend may succeed. */
  readonly retryAtMs?: number;
  /** True once the service may have begun work: a resend could be billed a second time. */
  readonly mayHaveArrived?: boolean;
  /** The body as it came, at most 64 KB, without secrets. */
  readonly raw?: string;
  readonly cause?: unknown;
}

/** An error with a kind; `message` is what the service or the network said, in one short sentence. */
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

/** True for an ApiError, or for one thrown by another bundle of this extension. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && value.name === "ApiError" && "kind" in value && "details" in value;
}
