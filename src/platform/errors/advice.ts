import type { ApiErrorDetails, ErrorKind } from "../../api/errors/errors.ts";
import type { ServiceCode } from "../../api/errors/serviceErrors.ts";

/** What a request was about. */
export const resources = [
  "chat",
  "images",
  "speech",
  "cloning",
  "vectors",
  "page",
  "document",
  "search",
  "chain",
  "models",
  "keys",
  "usage",
  "limits",
  "wallet",
  "request",
] as const;
export type Resource = (typeof resources)[number];

/** Kinds whose next step depends on what the request was about. */
export const advisedKinds = [
  "invalid-request",
  "forbidden",
  "not-found",
  "gone",
  "too-large",
  "refused-content",
] as const satisfies readonly ErrorKind[];
type AdvisedKind = (typeof advisedKinds)[number];

const byEndpoint: Readonly<Record<string, Resource>> = {
  "audio.speech": "speech",
  "audio.createVoice": "cloning",
  "augment.scrape": "page",
  "augment.search": "search",
};
const byGroup: Readonly<Record<string, Resource>> = {
  chat: "chat",
  images: "images",
  audio: "speech",
  embeddings: "vectors",
  augment: "document",
  rpc: "chain",
  models: "models",
  keys: "keys",
  billing: "usage",
  account: "limits",
  wallet: "wallet",
};

/** What an endpoint such as `augment.scrape` is about. */
export function resourceOf(endpoint = ""): Resource {
  const [group = ""] = endpoint.split(".");
  return byEndpoint[endpoint] ?? byGroup[group] ?? "request";
}

const checkUrl = "If every request fails like this, check the base URL.";

/** The next step for each kind and resource: about the thing that the user can change there. */
const advice: Readonly<Record<AdvisedKind, Readonly<Record<Resource, string>>>> = {
  "invalid-request": {
    chat: "Change that, or choose another model, and send it again.",
    images: "Change that, or choose another model, and make the picture again.",
    speech: "Change that, or choose another voice, and read again.",
    cloning: "Choose another recording.",
    vectors: "Change that, or choose another model, and send it again.",
    page: "Choose another page.",
    document: "Choose another file, or save it as PDF, DOCX or text first.",
    search: "Change the words of the search.",
    chain: "Change that, and send it again.",
    models: "Refresh the list. If that fails too, update this extension.",
    keys: "Change that, and try again.",
    usage: "Choose another period.",
    limits: "Check the base URL, or use another key.",
    wallet: "Sign in with the wallet again.",
    request: "Change that, and send it again.",
  },
  forbidden: {
    chat: "Choose another model, or a key that may use it.",
    images: "Choose another model, or a key that may use it.",
    speech: "Choose another voice, or a key that may use it.",
    cloning: "Use a key that may clone voices.",
    vectors: "Choose another model, or a key that may use it.",
    page: "Choose another page, or a key that may read pages.",
    document: "Use a key that may parse documents.",
    search: "Choose another provider, or a key that may search.",
    chain: "Choose another network, or a key that may use it.",
    models: "Use a key that may list models.",
    keys: "Use a key that may manage keys.",
    usage: "Use a key that may read the usage.",
    limits: "Use a key that may read its limits.",
    wallet: "Use the wallet that it belongs to.",
    request: "Use a key that may do this.",
  },
  "not-found": {
    chat: `Choose another model. ${checkUrl}`,
    images: `Choose another model. ${checkUrl}`,
    speech: `Choose another voice. ${checkUrl}`,
    cloning: `Choose another model. ${checkUrl}`,
    vectors: `Choose another model. ${checkUrl}`,
    page: `Check the address of the page. ${checkUrl}`,
    document: `Choose the file again. ${checkUrl}`,
    search: `Choose another provider. ${checkUrl}`,
    chain: `Choose another network. ${checkUrl}`,
    models: `Refresh the list. ${checkUrl}`,
    keys: `It may have been deleted: refresh the list. ${checkUrl}`,
    usage: `Choose another period. ${checkUrl}`,
    limits: `The service may not tell limits. ${checkUrl}`,
    wallet: `Check the address of the wallet. ${checkUrl}`,
    request: `It may have been deleted. ${checkUrl}`,
  },
  gone: {
    chat: "Choose another model.",
    images: "Choose another model.",
    speech: "Choose another voice.",
    cloning: "Clone the voice again, or choose another one.",
    vectors: "Choose another model.",
    page: "Choose another page.",
    document: "Choose the file again.",
    search: "Choose another provider.",
    chain: "Choose another network.",
    models: "Refresh the list.",
    keys: "Refresh the list.",
    usage: "Update this extension.",
    limits: "Update this extension.",
    wallet: "Sign in with the wallet again.",
    request: "Update this extension.",
  },
  "too-large": {
    chat: "Send less, or start a new chat.",
    images: "Send a smaller picture.",
    speech: "Read a shorter text.",
    cloning: "Choose a shorter recording.",
    vectors: "Send fewer or shorter texts.",
    page: "Choose a shorter page.",
    document: "Send a smaller document, or a part of it.",
    search: "Search for fewer words.",
    chain: "Send fewer calls at once.",
    models: "Refresh the list.",
    keys: "Change fewer keys at once.",
    usage: "Choose a shorter period.",
    limits: "Check the base URL, or use another key.",
    wallet: "Sign in with the wallet again.",
    request: "Send less.",
  },
  "refused-content": {
    chat: "Rephrase it and send it again.",
    images: "Change the prompt or the picture, and make it again.",
    speech: "Change the text and read it again.",
    cloning: "Choose another recording.",
    vectors: "Leave that text out, and send the others again.",
    page: "Choose another page.",
    document: "Choose another document.",
    search: "Search for other words.",
    chain: "Change that, and send it again.",
    models: "Refresh the list.",
    keys: "Choose another name.",
    usage: "Choose another period.",
    limits: "Check the base URL, or use another key.",
    wallet: "Sign in with the wallet again.",
    request: "Change that, and send it again.",
  },
};

/** A step for each resource; `other` for those that are not named. */
type StepByResource = Readonly<Partial<Record<Resource, string>>> & { readonly other: string };

/** Only some resources have a model that the user can choose. */
const anotherModel: StepByResource = {
  chat: "Choose another model.",
  images: "Choose another model.",
  cloning: "Choose another model.",
  vectors: "Choose another model.",
  speech: "Choose another voice.",
  other: "Try again, or switch to another connection.",
};
const anotherModelOrLater: StepByResource = {
  chat: "Choose another model, or try again in a few minutes.",
  images: "Choose another model, or try again in a few minutes.",
  cloning: "Choose another model, or try again in a few minutes.",
  vectors: "Choose another model, or try again in a few minutes.",
  speech: "Choose another voice, or try again in a few minutes.",
  other: "Try again in a few minutes.",
};
const startAgain = "It may have expired or been deleted. Start it again.";

/** The step for a code of the service, which names the cause. */
const byCode: Readonly<Partial<Record<ServiceCode, string | StepByResource>>> = {
  AUTHENTICATION_FAILED_INACTIVE_KEY:
    "Renew the subscription of the account there, or switch to another connection.",
  PRO_ONLY_MODEL: {
    chat: "Choose another model, or upgrade the account there.",
    images: "Choose another model, or upgrade the account there.",
    cloning: "Choose another model, or upgrade the account there.",
    vectors: "Choose another model, or upgrade the account there.",
    speech: "Choose another voice, or upgrade the account there.",
    other: "Upgrade the account there, or switch to another connection.",
  },
  X402_INVALID_SIGN_IN:
    "Sign in with the wallet again: each sign-in is good for one request within five minutes.",
  API_ACCESS_DISABLED: "Ask the service's support, or switch to another connection.",
  X402_WALLET_MISMATCH: "Sign in with the wallet that it belongs to.",
  INVALID_MODEL: anotherModel,
  MODEL_NOT_FOUND: {
    chat: "It may be misspelled or retired. Choose another model.",
    images: "It may be misspelled or retired. Choose another model.",
    cloning: "It may be misspelled or retired. Choose another model.",
    vectors: "It may be misspelled or retired. Choose another model.",
    speech: "It may be misspelled or retired. Choose another voice.",
    other: "It may be misspelled or retired. Refresh the list.",
  },
  CHARACTER_NOT_FOUND: "Choose another character, or none.",
  REQUEST_ID_NOT_FOUND: startAgain,
  MEDIA_NOT_FOUND: startAgain,
  INVALID_AUDIO_FORMAT: "Convert it to WAV or MP3, and send it again.",
  INVALID_VIDEO_FORMAT: "Convert it to MP4, and send it again.",
  CORRUPTED_IMAGE: "Choose another picture, or save it as PNG or JPEG.",
  IMAGE_TOO_SMALL: "Choose a larger picture.",
  IMAGE_TOO_LARGE: "Choose a smaller picture, or scale it down.",
  VIDEO_DURATION_TOO_LONG: "Choose a shorter video.",
  VIDEO_DURATION_TOO_SHORT: "Choose a longer video.",
  ASR_UPSTREAM_VALIDATION_FAILED: "Check that the recording is not empty, silent or damaged.",
  INVALID_CONTENT_TYPE: "Update this extension. The log shows the request.",
  TOO_MANY_TOKENS: {
    chat: "Send less, start a new chat, or choose a model with a larger context.",
    images: "Shorten the prompt.",
    speech: "Read a shorter text.",
    other: "Send less.",
  },
  MODEL_OVERLOADED: anotherModelOrLater,
  MODEL_OFFLINE: anotherModelOrLater,
  MODEL_AT_CAPACITY: anotherModelOrLater,
  TEE_ATTESTATION_FAILED: anotherModelOrLater,
  TEE_SIGNATURE_FAILED: anotherModelOrLater,
  REQUEST_TIMEOUT: {
    chat: "Try again with a shorter request, or with streaming.",
    speech: "Read a shorter text.",
    document: "Send a smaller document, or parse it on this machine.",
    page: "Try again, or choose another page.",
    other: "Try again with a shorter request.",
  },
};

/** The step that the code of an error asks for. Undefined for a code without one: then the kind has it. */
export function adviceForCode({ serviceCode, endpoint }: ApiErrorDetails): string | undefined {
  const known =
    serviceCode !== undefined && Object.hasOwn(byCode, serviceCode)
      ? byCode[serviceCode as ServiceCode]
      : undefined;
  return known === undefined ? undefined : stepOf(known, resourceOf(endpoint));
}

function stepOf(step: string | StepByResource, resource: Resource): string {
  return typeof step === "string" ? step : (step[resource] ?? step.other);
}

/** The step for one field of a request, which names the thing better than the resource does. */
const byField: readonly (readonly [field: RegExp, kinds: RegExp, step: string | StepByResource])[] = [
  [/^voice\b/, /.*/, "Choose another voice."],
  [/^model(?:Id)?$/, /.*/, anotherModel],
  [/^(?:images?|mask)\b/, /^invalid/, "Choose another picture, or save it as PNG or JPEG."],
  [/^file$/, /^invalid/, "Choose another file, or save it as PDF, DOCX or text first."],
  [/^query$/, /^invalid/, "Change the words of the search."],
];

const isDocument = /\b(?:application\/(?:pdf|msword|vnd\.[\w.-]+)|PDF|DOCX|XLSX|PPTX)\b/;

/** What to do next about an error of this kind: a sentence. */
export function adviceFor(kind: AdvisedKind, message: string, details: ApiErrorDetails): string {
  const resource = resourceOf(details.endpoint);
  // The link leads to a file that another command reads.
  if (resource === "page" && kind === "invalid-request" && isDocument.test(message))
    return "Parse it as a document.";
  for (const { field } of details.issues ?? []) {
    const found = byField.find(([pattern, kinds]) => pattern.test(field) && kinds.test(kind));
    if (found) return stepOf(found[2], resource);
  }
  return advice[kind][resource];
}
