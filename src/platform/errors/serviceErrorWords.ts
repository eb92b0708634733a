import type { ServiceCode } from "../../api/errors/serviceErrors.ts";

/** The event, worded to follow the service's name, and the next step. */
type Words = readonly [what: string, step: string];

const anotherModel = "Choose another model, or try again in a few minutes.";
const startAgain = "It may have expired or been deleted. Start it again.";

/** The event and the next step, for codes whose kind is too general. */
const byCode: Readonly<Partial<Record<ServiceCode, Words>>> = {
  AUTHENTICATION_FAILED_INACTIVE_KEY: [
    "accepts the key, but not for this account",
    "Renew the subscription of the account there, or switch to another connection.",
  ],
  PRO_ONLY_MODEL: [
    "accepts the key, but not for this model",
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
  INVALID_MODEL: ["does not have this model for this task", "Choose another model."],
  MODEL_NOT_FOUND: ["has no model with that name", "It may be misspelled or retired. Choose another model."],
  CHARACTER_NOT_FOUND: ["does not have this character", "Choose another character, or none."],
  REQUEST_ID_NOT_FOUND: ["no longer has the requested item", startAgain],
  MEDIA_NOT_FOUND: ["no longer has the requested item", startAgain],
  INVALID_AUDIO_FORMAT: ["cannot read this recording", "Convert it to WAV or MP3, and send it again."],
  INVALID_VIDEO_FORMAT: ["cannot read this video", "Convert it to MP4, and send it again."],
  CORRUPTED_IMAGE: ["cannot read this picture", "Choose another picture, or save it as PNG or JPEG."],
  IMAGE_TOO_SMALL: ["does not accept pictures as small as this", "Choose a larger picture."],
  IMAGE_TOO_LARGE: [
    "does not accept pictures as large as this",
    "Choose a smaller picture, or scale it down.",
  ],
  VIDEO_DURATION_TOO_LONG: ["does not accept videos as long as this", "Choose a shorter video."],
  VIDEO_DURATION_TOO_SHORT: ["does not accept videos as short as this", "Choose a longer video."],
  ASR_UPSTREAM_VALIDATION_FAILED: [
    "could not process this recording",
    "Check that the recording is not empty, silent or damaged.",
  ],
  INVALID_CONTENT_TYPE: [
    "does not accept the request in this form",
    "Update this extension. The log shows the request.",
  ],
  TOO_MANY_TOKENS: [
    "cannot fit this into the model's context",
    "Send less, start a new chat, or choose a model with a larger context.",
  ],
  MODEL_OVERLOADED: ["has too many requests for this model", anotherModel],
  MODEL_OFFLINE: ["cannot reach this model at the moment", anotherModel],
  MODEL_AT_CAPACITY: ["has no free capacity for this model at the moment", anotherModel],
  TEE_ATTESTATION_FAILED: ["cannot verify that the model runs in a protected environment", anotherModel],
  TEE_SIGNATURE_FAILED: ["cannot verify that the model runs in a protected environment", anotherModel],
  REQUEST_TIMEOUT: ["took too long and gave up", "Try again with a shorter request, or with streaming."],
};

/** The words for a documented code; undefined if the kind is enough. */
export function serviceErrorWords(code: string | undefined): Words | undefined {
  return code !== undefined && Object.hasOwn(byCode, code) ? byCode[code as ServiceCode] : undefined;
}
