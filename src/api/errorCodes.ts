import type { ErrorKind, PaymentSource } from "./errors.ts";

/** What a service's own code says of an error. */
export interface CodeMeaning {
  /** The HTTP status that a reply with this code has; inside a stream nothing else tells it. */
  readonly status: number;
  /** Where the status alone would be taken for another kind. */
  readonly kind?: ErrorKind;
  readonly source?: PaymentSource;
}

/** The documented codes by their status (wire.md sections 8 and 11), then names that other services of this kind use. */
const codesByStatus: Readonly<Record<number, readonly string[]>> = {
  400: [
    ...["INVALID_REQUEST", "INVALID_MODEL", "REQUEST_ID_NOT_FOUND", "INVALID_AUDIO_FORMAT"],
    ...[
      "INVALID_VIDEO_FORMAT",
      "INVALID_IMAGE_FORMAT",
      "CORRUPTED_IMAGE",
      "IMAGE_TOO_SMALL",
      "TOO_MANY_TOKENS",
    ],
    ...["CONTEXT_LENGTH_EXCEEDED", "INVALID_REQUEST_ERROR", "INVALID_ARGUMENT", "BAD_REQUEST"],
  ],
  401: [
    ...["AUTHENTICATION_FAILED", "AUTHENTICATION_FAILED_INACTIVE_KEY", "INVALID_API_KEY"],
    ...["X402_INVALID_SIGN_IN", "PRO_ONLY_MODEL", "AUTHENTICATION_ERROR", "UNAUTHENTICATED"],
  ],
  402: [
    ...["INSUFFICIENT_BALANCE", "API_KEY_DIEM_SPEND_LIMIT_EXCEEDED", "API_KEY_USD_SPEND_LIMIT_EXCEEDED"],
    ...["INSUFFICIENT_QUOTA", "PAYMENT_REQUIRED", "BILLING_ERROR"],
  ],
  403: [
    ...["UNAUTHORIZED", "API_ACCESS_DISABLED", "MODEL_PRIVACY_RESTRICTED", "X402_WALLET_MISMATCH"],
    ...["PERMISSION_DENIED", "PERMISSION_ERROR", "FORBIDDEN"],
  ],
  404: ["CHARACTER_NOT_FOUND", "MODEL_NOT_FOUND", "MEDIA_NOT_FOUND", "NOT_FOUND", "NOT_FOUND_ERROR"],
  413: ["PAYLOAD_TOO_LARGE", "INVALID_FILE_SIZE", "REQUEST_TOO_LARGE"],
  415: ["INVALID_CONTENT_TYPE"],
  422: [
    ...["CONTENT_POLICY_VIOLATION", "ASR_UPSTREAM_VALIDATION_FAILED", "IMAGE_TOO_LARGE"],
    ...["VIDEO_DURATION_TOO_LONG", "VIDEO_DURATION_TOO_SHORT", "CONTENT_FILTER"],
  ],
  429: [
    ...["RATE_LIMIT_EXCEEDED", "MODEL_OVERLOADED"],
    ...["RATE_LIMITED", "RATE_LIMIT", "RATE_LIMIT_ERROR", "TOO_MANY_REQUESTS"],
    ...["RESOURCE_EXHAUSTED", "OVERLOADED", "OVERLOADED_ERROR"],
  ],
  500: [
    ...["INFERENCE_FAILED", "UPSCALE_FAILED", "IMAGE_EDIT_ERROR", "UNKNOWN_ERROR"],
    ...["INTERNAL", "INTERNAL_ERROR", "INTERNAL_SERVER_ERROR", "SERVER_ERROR", "API_ERROR"],
  ],
  502: ["TEE_ATTESTATION_FAILED", "TEE_SIGNATURE_FAILED", "ASR_UPSTREAM_FAILED", "BAD_GATEWAY"],
  503: ["MODEL_OFFLINE", "MODEL_AT_CAPACITY", "SERVICE_UNAVAILABLE", "UNAVAILABLE"],
  504: ["REQUEST_TIMEOUT", "GATEWAY_TIMEOUT", "DEADLINE_EXCEEDED", "TIMEOUT"],
};

/** A 422 refuses content, but for these: other words would not help. */
const exceptions: Readonly<Record<string, Omit<CodeMeaning, "status">>> = {
  IMAGE_TOO_LARGE: { kind: "too-large" },
  VIDEO_DURATION_TOO_LONG: { kind: "invalid-request" },
  VIDEO_DURATION_TOO_SHORT: { kind: "invalid-request" },
  ASR_UPSTREAM_VALIDATION_FAILED: { kind: "invalid-request" },
  API_KEY_DIEM_SPEND_LIMIT_EXCEEDED: { source: "key-limit" },
  API_KEY_USD_SPEND_LIMIT_EXCEEDED: { source: "key-limit" },
};

const meanings: ReadonlyMap<string, CodeMeaning> = new Map(
  Object.entries(codesByStatus).flatMap(([status, codes]) =>
    codes.map((code) => [code, { status: Number(status), ...exceptions[code] }] as const),
  ),
);

/** What a code means, however it is spelled: `rate-limit_exceeded` too. Undefined for one that nobody documented. */
export function meaningOf(code: unknown): CodeMeaning | undefined {
  if (typeof code !== "string" || code.length > longestCode) return undefined;
  return meanings.get(
    code
      .trim()
      .toUpperCase()
      .replace(/[\s.-]+/g, "_"),
  );
}

const longestCode = 64;

/** The words that services use in place of a code, with the status that they stand for; the first that fits counts. */
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
  [/attestation request|signature request|upstream error/i, 502],
  [/offline|at capacity|unavailable/i, 503],
  [/not (be )?found|does not exist|unknown model|no \w+ could be found/i, 404],
  [/\binvalid\b|corrupted|unreadable|too small|unsupported/i, 400],
];

/** The status that the words of an error stand for; undefined where they say nothing of it. */
export function statusInWords(words: string): number | undefined {
  // Long texts quote what was asked, and any word may stand there.
  const start = words.slice(0, longestWords);
  return wordsOfStatus.find(([pattern]) => pattern.test(start))?.[1];
}

const longestWords = 500;
