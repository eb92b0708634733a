import type { ServiceCode } from "../../api/errors/serviceErrors.ts";

/** Reasons, worded to follow the service's name, of codes whose kind is too general. The step is in `advice.ts`. */
const events: Readonly<Partial<Record<ServiceCode, string>>> = {
  AUTHENTICATION_FAILED_INACTIVE_KEY: "accepts the key, but not for this account",
  PRO_ONLY_MODEL: "accepts the key, but not for this model",
  X402_INVALID_SIGN_IN: "does not accept the wallet's sign-in",
  API_ACCESS_DISABLED: "does not let this account use its API",
  X402_WALLET_MISMATCH: "does not allow this",
  INVALID_MODEL: "does not have this model for this task",
  MODEL_NOT_FOUND: "has no model with that name",
  CHARACTER_NOT_FOUND: "does not have this character",
  REQUEST_ID_NOT_FOUND: "no longer has the requested item",
  MEDIA_NOT_FOUND: "no longer has the requested item",
  INVALID_AUDIO_FORMAT: "cannot read this recording",
  INVALID_VIDEO_FORMAT: "cannot read this video",
  CORRUPTED_IMAGE: "cannot read this picture",
  IMAGE_TOO_SMALL: "does not accept pictures as small as this",
  IMAGE_TOO_LARGE: "does not accept pictures as large as this",
  VIDEO_DURATION_TOO_LONG: "does not accept videos as long as this",
  VIDEO_DURATION_TOO_SHORT: "does not accept videos as short as this",
  ASR_UPSTREAM_VALIDATION_FAILED: "could not process this recording",
  INVALID_CONTENT_TYPE: "does not accept the request in this form",
  TOO_MANY_TOKENS: "cannot fit this into the model's context",
  MODEL_OVERLOADED: "has too many requests for this model",
  MODEL_OFFLINE: "cannot reach this model at the moment",
  MODEL_AT_CAPACITY: "has no free capacity for this model at the moment",
  TEE_ATTESTATION_FAILED: "cannot verify that the model runs in a protected environment",
  TEE_SIGNATURE_FAILED: "cannot verify that the model runs in a protected environment",
  REQUEST_TIMEOUT: "took too long and gave up",
};

/** The words for a documented code; undefined if the kind is enough. */
export function serviceErrorWords(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(events, code) ? events[code as ServiceCode] : undefined;
}
