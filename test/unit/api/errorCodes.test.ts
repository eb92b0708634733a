// Every documented error code (wire.md sections 8 and 11): the same kind in a reply and in a stream, in each form.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyReply } from "../../../src/api/classify.ts";
import { meaningOf } from "../../../src/api/errorCodes.ts";
import type { ErrorKind } from "../../../src/api/errors.ts";
import { beginEvents, chunk, frame } from "../../loopback/answers.ts";
import { clientOf, drain, failureOf, question, serve } from "./client.ts";

type Documented = readonly [code: string, status: number, kind: ErrorKind, message: string];

const documented: readonly Documented[] = [
  ["AUTHENTICATION_FAILED", 401, "unauthorized", "Authentication failed"],
  ["AUTHENTICATION_FAILED_INACTIVE_KEY", 401, "unauthorized", "Authentication failed - Pro is inactive"],
  ["INVALID_API_KEY", 401, "unauthorized", "Invalid API key provided"],
  ["X402_INVALID_SIGN_IN", 401, "unauthorized", "Invalid Sign-in-with-x signature"],
  ["PRO_ONLY_MODEL", 401, "unauthorized", "This model is only available to Pro users"],
  ["INSUFFICIENT_BALANCE", 402, "payment-required", "Insufficient USD or Diem balance to complete request"],
  ["API_KEY_DIEM_SPEND_LIMIT_EXCEEDED", 402, "payment-required", "API key DIEM spend limit exceeded"],
  ["API_KEY_USD_SPEND_LIMIT_EXCEEDED", 402, "payment-required", "API key USD spend limit exceeded"],
  ["UNAUTHORIZED", 403, "forbidden", "Unauthorized access"],
  ["API_ACCESS_DISABLED", 403, "forbidden", "API access has been disabled for this account"],
  ["MODEL_PRIVACY_RESTRICTED", 403, "forbidden", "This key is not allowed to use this model"],
  ["X402_WALLET_MISMATCH", 403, "forbidden", "You can only access resources for your own wallet"],
  ["INVALID_REQUEST", 400, "invalid-request", "Invalid request parameters"],
  ["INVALID_MODEL", 400, "invalid-request", "Invalid model specified"],
  ["REQUEST_ID_NOT_FOUND", 400, "invalid-request", "Request ID is invalid."],
  ["INVALID_AUDIO_FORMAT", 400, "invalid-request", "Invalid audio format. WAV and MP3 are supported."],
  ["INVALID_VIDEO_FORMAT", 400, "invalid-request", "Invalid video format. MP4 and others are supported."],
  ["INVALID_IMAGE_FORMAT", 400, "invalid-request", "Invalid image format"],
  ["CORRUPTED_IMAGE", 400, "invalid-request", "The image file is corrupted or unreadable"],
  ["IMAGE_TOO_SMALL", 400, "invalid-request", "Image dimensions are too small"],
  ["TOO_MANY_TOKENS", 400, "invalid-request", "Your request exceeds the model's maximum context."],
  ["context_length_exceeded", 400, "invalid-request", "Your request exceeds the model's maximum context."],
  ["CHARACTER_NOT_FOUND", 404, "not-found", "No character could be found from the character_slug"],
  ["MODEL_NOT_FOUND", 404, "not-found", "Specified model not found"],
  ["MEDIA_NOT_FOUND", 404, "not-found", "Media could not be found."],
  ["PAYLOAD_TOO_LARGE", 413, "too-large", "The request payload is too large."],
  ["INVALID_FILE_SIZE", 413, "too-large", "The file is too large"],
  ["INVALID_CONTENT_TYPE", 415, "invalid-request", "Invalid request content-type"],
  ["VIDEO_DURATION_TOO_LONG", 422, "invalid-request", "Video duration exceeds the maximum allowed."],
  ["VIDEO_DURATION_TOO_SHORT", 422, "invalid-request", "Video duration is too short."],
  ["IMAGE_TOO_LARGE", 422, "too-large", "Image dimensions exceed the maximum allowed."],
  ["CONTENT_POLICY_VIOLATION", 422, "refused-content", "Your prompt violates the content policy"],
  ["ASR_UPSTREAM_VALIDATION_FAILED", 422, "invalid-request", "The audio could not be processed."],
  ["RATE_LIMIT_EXCEEDED", 429, "rate-limited", "Rate limit exceeded"],
  ["MODEL_OVERLOADED", 429, "rate-limited", "The model is currently overloaded. Please try again later."],
  ["INFERENCE_FAILED", 500, "unavailable", "Inference processing failed"],
  ["UPSCALE_FAILED", 500, "unavailable", "Image upscaling failed"],
  ["IMAGE_EDIT_ERROR", 500, "unavailable", "Image edit failed"],
  ["UNKNOWN_ERROR", 500, "unavailable", "An unknown error occurred"],
  ["TEE_ATTESTATION_FAILED", 502, "unavailable", "TEE attestation request failed."],
  ["TEE_SIGNATURE_FAILED", 502, "unavailable", "TEE signature request failed."],
  [
    "ASR_UPSTREAM_FAILED",
    502,
    "unavailable",
    "Audio transcription failed due to a temporary upstream error.",
  ],
  ["MODEL_OFFLINE", 503, "unavailable", "The model is temporarily offline. Please try again later."],
  ["MODEL_AT_CAPACITY", 503, "unavailable", "The model is at capacity. Please try again later."],
  ["REQUEST_TIMEOUT", 504, "unavailable", "The request took too long to complete and was timed-out."],
];

/** The forms in which a code stands in a reply, and in an event of a stream. */
const bodies: Readonly<Record<string, (code: string, message: string) => unknown>> = {
  "beside the words": (code, message) => ({ code, error: message }),
  "within the error": (code, message) => ({ error: { message, code } }),
  "with a general type": (code, message) => ({ error: { message, type: "invalid_request_error", code } }),
  "within the error, as its type": (code, message) => ({ error: { message, type: code } }),
  "beside the error": (code, message) => ({ code, error: { message } }),
  "within the error, spelled otherwise": (code, message) => ({
    error: { message, code: code.toLowerCase().replaceAll("_", "-") },
  }),
};

const streamed: Readonly<Record<string, (code: string, message: string) => string>> = {
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [
      name,
      (code: string, message: string) => frame(body(code, message)),
    ]),
  ),
  "bare, in an event named error": (code, message) => `event: error\n${frame({ message, code })}`,
  "within an error, in an event named error": (code, message) =>
    `event: error\n${frame({ error: { message, code } })}`,
  "bare, in any event": (code, message) => frame({ object: "error", message, code }),
  "beside the last words": (code, message) => frame({ ...chunk(""), error: { message, code } }),
};

for (const [code, status, kind, message] of documented) {
  test(`${code} is ${kind} in a reply`, () => {
    assert.equal(meaningOf(code)?.status, status);
    for (const [form, body] of Object.entries(bodies)) {
      const error = classifyReply({
        endpoint: "chat.stream",
        status,
        headers: new Headers(),
        text: JSON.stringify(body(code, message)),
        nowMs: 0,
        secrets: [],
      });
      assert.equal(error.kind, kind, form);
      assert.equal(error.message, message, form);
    }
  });

  test(`${code} is ${kind} in a stream`, async (t) => {
    const events = Object.entries(streamed);
    let next = 0;
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("kept"));
      response.end(events[next++]?.[1](code, message));
    });
    const { api } = clientOf(t, server.origin);
    for (const [form] of events) {
      const { text, error } = await drain(await api.chat.stream(question));
      const failure = await failureOf(Promise.reject(error));
      assert.deepEqual([failure.kind, failure.details.status], [kind, status], form);
      assert.equal(failure.message, message, form);
      assert.equal(text, "kept", form);
    }
  });

  test(`"${message}" without a code is as good as ${code} in a stream`, async (t) => {
    const server = await serve(t, (_, response) => {
      beginEvents(response, { error: message });
      response.end();
    });
    const { error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.equal((await failureOf(Promise.reject(error))).kind, kindByWords.get(code) ?? kind);
  });
}

/** Without its code a 422 is told from others by its status alone. */
const kindByWords: ReadonlyMap<string, ErrorKind> = new Map([
  ["IMAGE_TOO_LARGE", "refused-content"],
  ["VIDEO_DURATION_TOO_LONG", "refused-content"],
  ["VIDEO_DURATION_TOO_SHORT", "refused-content"],
  ["ASR_UPSTREAM_VALIDATION_FAILED", "refused-content"],
]);

test("spend limits of a key are told from an empty account", () => {
  for (const code of ["API_KEY_USD_SPEND_LIMIT_EXCEEDED", "API_KEY_DIEM_SPEND_LIMIT_EXCEEDED"])
    assert.equal(meaningOf(code)?.source, "key-limit");
});

test("the last words that come beside an error are kept", async (t) => {
  const server = await serve(t, (_, response) => {
    beginEvents(response, chunk("all "), { ...chunk("of it"), error: { code: "INFERENCE_FAILED" } });
    response.end();
  });
  const { text, error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
  assert.equal(text, "all of it");
  assert.equal((await failureOf(Promise.reject(error))).kind, "unavailable");
});

test("an event named error is one whatever it holds", async (t) => {
  for (const data of ["boom", "null", "{}", "[]", '""', "503", '{"error":null}', "[DONE]"]) {
    const server = await serve(t, (_, response) => {
      beginEvents(response, chunk("kept"));
      response.end(`event: error\ndata: ${data}\n\n`);
    });
    const { text, error } = await drain(await clientOf(t, server.origin).api.chat.stream(question));
    assert.equal(text, "kept", data);
    assert.equal((await failureOf(Promise.reject(error))).kind, "unavailable", data);
  }
});

test("a name that every object has is no code", () => {
  for (const name of ["constructor", "__proto__", "toString", "", "x".repeat(100_000), 42, null])
    assert.equal(meaningOf(name), undefined);
});
