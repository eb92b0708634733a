import type { ServiceCode } from "../api/serviceErrors.ts";

/** What the service does, to stand before its own reason, and the next step. */
type Words = readonly [what: string, step: string];

const anotherModel = "Choose another model, or try again in a little while.";
const startAgain = "It may be over or deleted. Start it again.";

/** What the service says of itself, and the next step, for codes whose kind would leave the person guessing. */
const byCode: Readonly<Partial<Record<ServiceCode, Words>>> = {
  AUTHENTICATION_FAILED_INACTIVE_KEY: [
    "takes the key, but not for this account",
    "Renew the subscription of the account there, or switch to another connection.",
  ],
  PRO_ONLY_MODEL: [
    "takes the key, but not for this model",
    "Choose another model, or upgrade the account there.",
  ],
  X402_INVALID_SIGN_IN: [
    "does not accept the wallet's sign-in",
    "Sign in with the wallet again: each sign-in is good for one request within five minutes.",
  ],
  API_ACCESS_DISABLED: [
    "does not let this account use its API",
    "Ask the service's support, or switch to another connection.",
  ],
  X402_WALLET_MISMATCH: ["does not allow this", "Sign in with the wallet that it belongs to."],
  INVALID_MODEL: ["has no such model for this", "Choose another model."],
  MODEL_NOT_FOUND: ["has no model of that name", "It may be misspelt or retired. Choose another model."],
  CHARACTER_NOT_FOUND: ["has no such character", "Choose another character, or none."],
  REQUEST_ID_NOT_FOUND: ["no longer has what was asked for", startAgain],
  MEDIA_NOT_FOUND: ["no longer has what was asked for", startAgain],
  INVALID_AUDIO_FORMAT: ["cannot read this recording", "Convert it to WAV or MP3, and send it again."],
  INVALID_VIDEO_FORMAT: ["cannot read this video", "Convert it to MP4, and send it again."],
  CORRUPTED_IMAGE: ["cannot read this picture", "Choose another picture, or save it anew as PNG or JPEG."],
  IMAGE_TOO_SMALL: ["takes no picture as small as this", "Choose a larger picture."],
  IMAGE_TOO_LARGE: ["takes no picture as large as this", "Choose a smaller picture, or scale it down."],
  VIDEO_DURATION_TOO_LONG: ["takes no video as long as this", "Choose a shorter video."],
  VIDEO_DURATION_TOO_SHORT: ["takes no video as short as this", "Choose a longer video."],
  ASR_UPSTREAM_VALIDATION_FAILED: [
    "could make nothing of this recording",
    "Check that the recording is not empty, silent or damaged.",
  ],
  INVALID_CONTENT_TYPE: [
    "does not take the request in this form",
    "Update this extension, and see the log for what was sent.",
  ],
  TOO_MANY_TOKENS: [
    "cannot fit this into the model's context",
    "Send less, start a new chat, or choose a model with a larger context.",
  ],
  MODEL_OVERLOADED: ["has too many requests for this model", anotherModel],
  MODEL_OFFLINE: ["cannot reach this model at the moment", anotherModel],
  MODEL_AT_CAPACITY: ["cannot take more for this model at the moment", anotherModel],
  TEE_ATTESTATION_FAILED: ["cannot prove that the model runs protected", anotherModel],
  TEE_SIGNATURE_FAILED: ["cannot prove that the model runs protected", anotherModel],
  REQUEST_TIMEOUT: [
    "took too long and gave up",
    "Try again with a shorter request, or with answers that stream.",
  ],
};

/** The words for a documented code; undefined for one whose kind says enough. */
export function serviceErrorWords(code: string | undefined): Words | undefined {
  return code !== undefined && Object.hasOwn(byCode, code) ? byCode[code as ServiceCode] : undefined;
}
