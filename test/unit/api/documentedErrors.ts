// Every documented code of the public service (wire.md section 11): its kind and the next step in the message.
import type { ErrorKind } from "../../../src/api/errors/errors.ts";

export interface DocumentedError {
  readonly code: string;
  readonly status: number;
  readonly kind: ErrorKind;
  /** The service's message, without its own advice. */
  readonly message: string;
  /** Part of the next step in the message. */
  readonly step: string;
}

type Row = readonly [code: string, status: number, kind: ErrorKind, message: string, step: string];

const rows: readonly Row[] = [
  ["AUTHENTICATION_FAILED", 401, "unauthorized", "Authentication failed", "key"],
  [
    "AUTHENTICATION_FAILED_INACTIVE_KEY",
    401,
    "forbidden",
    "Authentication failed - Pro subscription is inactive",
    "account",
  ],
  ["PRO_ONLY_MODEL", 401, "forbidden", "This model is only available to Pro users", "account"],
  ["X402_INVALID_SIGN_IN", 401, "unauthorized", "Invalid Sign-in-with-x signature", "wallet"],
  [
    "INSUFFICIENT_BALANCE",
    402,
    "payment-required",
    "Insufficient USD or Diem balance to complete request",
    "Top up",
  ],
  [
    "API_KEY_DIEM_SPEND_LIMIT_EXCEEDED",
    402,
    "payment-required",
    "API key DIEM spend limit exceeded",
    "Raise the limit",
  ],
  [
    "API_KEY_USD_SPEND_LIMIT_EXCEEDED",
    402,
    "payment-required",
    "API key USD spend limit exceeded",
    "Raise the limit",
  ],
  ["UNAUTHORIZED", 403, "forbidden", "Unauthorized access", "key that may use it"],
  ["API_ACCESS_DISABLED", 403, "forbidden", "API access has been disabled for this account", "support"],
  ["X402_WALLET_MISMATCH", 403, "forbidden", "You can only access resources for your own wallet", "wallet"],
  ["INVALID_REQUEST", 400, "invalid-request", "Invalid request parameters", "Change that"],
  ["INVALID_MODEL", 400, "invalid-request", "Invalid model specified", "Choose another model"],
  ["REQUEST_ID_NOT_FOUND", 400, "invalid-request", "Request ID is invalid", "Start it again"],
  [
    "INVALID_AUDIO_FORMAT",
    400,
    "invalid-request",
    "Invalid audio format. Supported formats are WAV and MP3",
    "Convert",
  ],
  ["INVALID_VIDEO_FORMAT", 400, "invalid-request", "Invalid video format", "Convert"],
  ["CORRUPTED_IMAGE", 400, "invalid-request", "The image file is corrupted or unreadable", "another picture"],
  ["IMAGE_TOO_SMALL", 400, "invalid-request", "Image dimensions are too small", "larger picture"],
  ["TOO_MANY_TOKENS", 400, "too-large", "Your request exceeds the model's maximum context", "new chat"],
  [
    "CHARACTER_NOT_FOUND",
    404,
    "not-found",
    "No character could be found from the provided character_slug",
    "another character",
  ],
  ["MODEL_NOT_FOUND", 404, "not-found", "Specified model not found", "Choose another model"],
  ["MEDIA_NOT_FOUND", 404, "not-found", "Media could not be found", "Start it again"],
  ["PAYLOAD_TOO_LARGE", 413, "too-large", "The request payload is too large", "Send less"],
  ["INVALID_CONTENT_TYPE", 415, "invalid-request", "Invalid request content-type", "Update"],
  [
    "VIDEO_DURATION_TOO_LONG",
    422,
    "too-large",
    "Video duration exceeds the maximum allowed",
    "shorter video",
  ],
  ["VIDEO_DURATION_TOO_SHORT", 422, "invalid-request", "Video duration is too short", "longer video"],
  ["IMAGE_TOO_LARGE", 422, "too-large", "Image dimensions exceed the maximum allowed", "smaller picture"],
  [
    "CONTENT_POLICY_VIOLATION",
    422,
    "refused-content",
    "Your prompt violates the content policy of the model provider",
    "Rephrase it",
  ],
  [
    "ASR_UPSTREAM_VALIDATION_FAILED",
    422,
    "invalid-request",
    "The audio could not be processed for transcription",
    "recording",
  ],
  ["RATE_LIMIT_EXCEEDED", 429, "rate-limited", "Rate limit exceeded", "try again"],
  ["MODEL_OVERLOADED", 429, "rate-limited", "The model is currently overloaded", "another model"],
  ["INFERENCE_FAILED", 500, "unavailable", "Inference processing failed", "Try again"],
  ["UPSCALE_FAILED", 500, "unavailable", "Image upscaling failed", "Try again"],
  ["IMAGE_EDIT_ERROR", 500, "unavailable", "Image edit failed", "Try again"],
  ["UNKNOWN_ERROR", 500, "unavailable", "An unknown error occurred", "Try again"],
  ["TEE_ATTESTATION_FAILED", 502, "unavailable", "TEE attestation request failed", "another model"],
  ["TEE_SIGNATURE_FAILED", 502, "unavailable", "TEE signature request failed", "another model"],
  [
    "ASR_UPSTREAM_FAILED",
    502,
    "unavailable",
    "Audio transcription failed due to a temporary upstream error",
    "Try again",
  ],
  ["MODEL_OFFLINE", 503, "unavailable", "The model is temporarily offline", "another model"],
  ["MODEL_AT_CAPACITY", 503, "unavailable", "The model is at capacity", "another model"],
  [
    "REQUEST_TIMEOUT",
    504,
    "unavailable",
    "The request took too long to complete and was timed-out",
    "shorter",
  ],
];

export const documentedErrors: readonly DocumentedError[] = rows.map(
  ([code, status, kind, message, step]) => ({
    code,
    status,
    kind,
    message,
    step,
  }),
);
