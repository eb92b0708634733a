import type { ErrorKind, PaymentSource } from "./errors.ts";

/** Meaning of one documented code of the public service (wire.md section 11). */
export interface ServiceError {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly source?: PaymentSource;
  /** Pattern of its message, for the replies that omit the code. */
  readonly said?: RegExp;
}

/** All documented codes, for replies and for error events of a stream. */
export const serviceErrors = {
  AUTHENTICATION_FAILED: { status: 401, kind: "unauthorized" },
  // The key is valid: another key of the same account would be refused as well.
  AUTHENTICATION_FAILED_INACTIVE_KEY: { status: 401, kind: "forbidden", said: /subscription is inactive/i },
  PRO_ONLY_MODEL: { status: 401, kind: "forbidden", said: /only available to pro\b/i },
  X402_INVALID_SIGN_IN: { status: 401, kind: "unauthorized", said: /sign-in-with-x|wallet sign-in/i },
  INSUFFICIENT_BALANCE: { status: 402, kind: "payment-required", source: "account" },
  API_KEY_DIEM_SPEND_LIMIT_EXCEEDED: {
    ...{ status: 402, kind: "payment-required", source: "key-limit" },
    said: /key diem (spend|consumption)\w* limit/i,
  },
  API_KEY_USD_SPEND_LIMIT_EXCEEDED: {
    ...{ status: 402, kind: "payment-required", source: "key-limit" },
    said: /key usd (spend|consumption)\w* limit/i,
  },
  UNAUTHORIZED: { status: 403, kind: "forbidden" },
  API_ACCESS_DISABLED: { status: 403, kind: "forbidden", said: /api access has been disabled/i },
  X402_WALLET_MISMATCH: { status: 403, kind: "forbidden", said: /your own wallet/i },
  INVALID_REQUEST: { status: 400, kind: "invalid-request" },
  INVALID_MODEL: { status: 400, kind: "invalid-request", said: /invalid model\b/i },
  REQUEST_ID_NOT_FOUND: { status: 400, kind: "invalid-request", said: /request id is invalid/i },
  INVALID_AUDIO_FORMAT: { status: 400, kind: "invalid-request", said: /invalid audio format/i },
  INVALID_VIDEO_FORMAT: { status: 400, kind: "invalid-request", said: /invalid video format/i },
  CORRUPTED_IMAGE: { status: 400, kind: "invalid-request", said: /image file is corrupt/i },
  IMAGE_TOO_SMALL: { status: 400, kind: "invalid-request", said: /image dimensions are too small/i },
  TOO_MANY_TOKENS: {
    status: 400,
    kind: "too-large",
    said: /maximum context|context[ _](length|size|window)|prompt is too long/i,
  },
  CHARACTER_NOT_FOUND: { status: 404, kind: "not-found", said: /no character could be found/i },
  MODEL_NOT_FOUND: { status: 404, kind: "not-found", said: /\bmodel\b.{0,80}\bnot found/i },
  MEDIA_NOT_FOUND: { status: 404, kind: "not-found", said: /media could not be found/i },
  PAYLOAD_TOO_LARGE: { status: 413, kind: "too-large" },
  INVALID_CONTENT_TYPE: { status: 415, kind: "invalid-request", said: /content-type/i },
  VIDEO_DURATION_TOO_LONG: { status: 422, kind: "too-large", said: /video duration exceeds/i },
  VIDEO_DURATION_TOO_SHORT: { status: 422, kind: "invalid-request", said: /video duration is too short/i },
  IMAGE_TOO_LARGE: { status: 422, kind: "too-large", said: /image dimensions exceed/i },
  CONTENT_POLICY_VIOLATION: { status: 422, kind: "refused-content", said: /content polic/i },
  ASR_UPSTREAM_VALIDATION_FAILED: {
    ...{ status: 422, kind: "invalid-request" },
    said: /audio could not be processed/i,
  },
  RATE_LIMIT_EXCEEDED: { status: 429, kind: "rate-limited", said: /rate limit exceeded/i },
  MODEL_OVERLOADED: { status: 429, kind: "rate-limited", said: /overloaded/i },
  INFERENCE_FAILED: { status: 500, kind: "unavailable", said: /inference (processing )?failed/i },
  UPSCALE_FAILED: { status: 500, kind: "unavailable", said: /upscaling failed/i },
  IMAGE_EDIT_ERROR: { status: 500, kind: "unavailable", said: /image edit failed/i },
  UNKNOWN_ERROR: { status: 500, kind: "unavailable" },
  TEE_ATTESTATION_FAILED: { status: 502, kind: "unavailable", said: /tee attestation/i },
  TEE_SIGNATURE_FAILED: { status: 502, kind: "unavailable", said: /tee signature/i },
  ASR_UPSTREAM_FAILED: { status: 502, kind: "unavailable", said: /audio transcription failed/i },
  MODEL_OFFLINE: { status: 503, kind: "unavailable", said: /model is (temporarily )?offline/i },
  MODEL_AT_CAPACITY: { status: 503, kind: "unavailable", said: /at capacity/i },
  REQUEST_TIMEOUT: { status: 504, kind: "unavailable", said: /timed.out/i },
} as const satisfies Readonly<Record<string, ServiceError>>;
export type ServiceCode = keyof typeof serviceErrors;

/** Equivalent codes of compatible services. */
const otherNames: Readonly<Record<string, ServiceCode>> = {
  CONTEXT_LENGTH_EXCEEDED: "TOO_MANY_TOKENS",
  INVALID_API_KEY: "AUTHENTICATION_FAILED",
  INSUFFICIENT_QUOTA: "INSUFFICIENT_BALANCE",
  RATE_LIMITED: "RATE_LIMIT_EXCEEDED",
  RATE_LIMIT: "RATE_LIMIT_EXCEEDED",
  RATE_LIMIT_ERROR: "RATE_LIMIT_EXCEEDED",
  TOO_MANY_REQUESTS: "RATE_LIMIT_EXCEEDED",
  RESOURCE_EXHAUSTED: "RATE_LIMIT_EXCEEDED",
  OVERLOADED: "MODEL_OVERLOADED",
  OVERLOADED_ERROR: "MODEL_OVERLOADED",
  CONTENT_FILTER: "CONTENT_POLICY_VIOLATION",
  REQUEST_TOO_LARGE: "PAYLOAD_TOO_LARGE",
};

/** Status names that such services send instead of a code. */
const statusNames: Readonly<Record<string, number>> = {
  ...{ INVALID_REQUEST_ERROR: 400, INVALID_ARGUMENT: 400, BAD_REQUEST: 400, INVALID_IMAGE_FORMAT: 400 },
  ...{ AUTHENTICATION_ERROR: 401, UNAUTHENTICATED: 401, PAYMENT_REQUIRED: 402, BILLING_ERROR: 402 },
  ...{ MODEL_PRIVACY_RESTRICTED: 403, PERMISSION_DENIED: 403, PERMISSION_ERROR: 403, FORBIDDEN: 403 },
  ...{ NOT_FOUND: 404, NOT_FOUND_ERROR: 404, INVALID_FILE_SIZE: 413 },
  ...{ INTERNAL: 500, INTERNAL_ERROR: 500, INTERNAL_SERVER_ERROR: 500, SERVER_ERROR: 500, API_ERROR: 500 },
  ...{ BAD_GATEWAY: 502, SERVICE_UNAVAILABLE: 503, UNAVAILABLE: 503 },
  ...{ GATEWAY_TIMEOUT: 504, DEADLINE_EXCEEDED: 504, TIMEOUT: 504 },
};

/** Generic codes. A more specific status takes precedence. */
const vague: ReadonlySet<ServiceCode> = new Set(["INVALID_REQUEST", "UNAUTHORIZED", "UNKNOWN_ERROR"]);

const longestName = 64;

/** The documented code in a text, in any spelling: `rate-limit_exceeded` too. */
function serviceCodeNamed(name: unknown): ServiceCode | undefined {
  const code = toCode(name);
  if (Object.hasOwn(serviceErrors, code)) return code as ServiceCode;
  // X402_SIGN_IN_EXPIRED, _NONCE_REUSED, _DOMAIN_MISMATCH …: the message says which.
  if (code.startsWith("X402_SIGN_IN_")) return "X402_INVALID_SIGN_IN";
  return Object.hasOwn(otherNames, code) ? otherNames[code] : undefined;
}

/** The HTTP status of a code. An error event in a stream has no other status. */
export function statusNamed(name: unknown): number | undefined {
  const code = serviceCodeNamed(name);
  if (code) return serviceErrors[code].status;
  const other = toCode(name);
  return Object.hasOwn(statusNames, other) ? statusNames[other] : undefined;
}

function toCode(name: unknown): string {
  if (typeof name !== "string" || name.length > longestName) return "";
  const words = name.trim().toUpperCase();
  return words.replace(/[\s.-]+/g, "_");
}

/**
 * The documented code of a failed reply: the one it names, unless its status contradicts it, else the one of that
 * status whose message matches.
 */
export function serviceCodeOf(
  status: number,
  names: readonly unknown[],
  message: string,
): ServiceCode | undefined {
  const named = names.map(serviceCodeNamed).find((code) => code !== undefined);
  if (named !== undefined && isOf(named, status)) return named;
  const codes = Object.keys(serviceErrors) as ServiceCode[];
  return codes.find((code) => {
    const { status: own, said }: ServiceError = serviceErrors[code];
    return own === status && said?.test(message);
  });
}

function isOf(code: ServiceCode, status: number): boolean {
  const own = serviceErrors[code].status;
  return own === status || (!vague.has(code) && Math.floor(own / 100) === Math.floor(status / 100));
}

/** Messages that services send instead of a code, with their status. The first match counts. */
const wordsOfStatus: readonly (readonly [words: RegExp, status: number])[] = [
  [/rate.?limit|too many (requests|failed)|overloaded/i, 429],
  [/insufficient .{0,40}(balance|funds|credit|quota)|spend(ing)? limit|payment required/i, 402],
  [/authentication failed|invalid (api key|.{0,20}signature)|incorrect api key|only available to pro/i, 401],
  [/unauthorized access|access has been disabled|your own wallet|not allowed to|permission denied/i, 403],
  [/content.?(filter|policy|policies|violation)|duration|dimensions exceed|could not be processed/i, 422],
  [/too large/i, 413],
  [/content-type/i, 415],
  [/maximum context|context (length|window)|too many tokens/i, 400],
  [/timed?.?out|took too long/i, 504],
  [/attestation request|signature request|upstream (connect )?error|no healthy upstream|bad gateway/i, 502],
  [/offline|at capacity|unavailable/i, 503],
  [/not (be )?found|does not exist|unknown model|no \w+ could be found/i, 404],
  [/\binvalid\b|corrupted|unreadable|too small|unsupported/i, 400],
];

/** The status that the message of an error implies; undefined if none matches. */
export function statusInWords(words: string): number | undefined {
  // Long texts quote the request, which may contain any word.
  const start = words.slice(0, longestWords);
  return wordsOfStatus.find(([pattern]) => pattern.test(start))?.[1];
}

const longestWords = 500;
