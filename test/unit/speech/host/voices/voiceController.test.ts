// Samples are checked by content, and a voice works with its own model only.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import { pcmToWav } from "../../../../../src/speech/host/formats/wav.ts";
import { checkSample } from "../../../../../src/speech/host/voices/checkSample.ts";
import {
  type ClonedVoice,
  createClonedVoices,
  toVoiceCard,
} from "../../../../../src/speech/host/voices/clonedVoices.ts";
import { firstChoice, fitted, toSpeechModel } from "../../../../../src/speech/host/voices/speechModel.ts";
import { isVoiceRefusal, voiceProblem } from "../../../../../src/speech/host/voices/voiceProblem.ts";

const cloning = { formats: ["wav"], minSeconds: 1, retentionDays: 0 };
const problemOf = (name: string, bytes: Uint8Array, size = bytes.length) => {
  const judged = checkSample(name, size, bytes, cloning);
  return "problem" in judged ? judged.problem : undefined;
};

test("checks a sample by its bytes, size and length", () => {
  assert.deepEqual(checkSample("me.bin", 48_044, pcmToWav(new Uint8Array(48_000)), cloning), {
    type: "audio/wav",
  });
  assert.equal(problemOf("me.wav", new Uint8Array()), "me.wav is empty.");
  assert.match(
    problemOf("me.wav", pcmToWav(new Uint8Array(24_000))) ?? "",
    /0\.5 s long\. The minimum is 1 s/,
  );
  assert.match(problemOf("me.wav", Buffer.from("hello, I am a text")) ?? "", /not a sound file/);
  assert.match(problemOf("me.wav", Buffer.from("fLaC and so on")) ?? "", /is FLAC; the model accepts WAV/);
  assert.match(problemOf("me.wav", new Uint8Array(), 27_000_000) ?? "", /25\.8 MB\. The limit is 25 MB/);
});

test("stores voices per model and service, with their age", async () => {
  const state = new Map<string, unknown>();
  const voices = createClonedVoices({
    get: <T>(key: string, other?: T) => (state.get(key) ?? other) as T,
    update: async (key: string, value: unknown) => void state.set(key, value),
    keys: () => [...state.keys()],
  });
  const voice: ClonedVoice = {
    handle: "voice_1",
    name: "Me",
    modelId: "mimic",
    connectionId: "here",
    atMs: 0,
    retentionDays: 30,
  };
  await voices.add(voice);
  assert.deepEqual(voices.of("here", "mimic"), [voice]);
  assert.deepEqual(voices.of("here", "narrator"), []);
  assert.deepEqual(voices.of("there", "mimic"), []);
  assert.equal(toVoiceCard(voice, 3 * 86_400_000).age, "3 days old, deleted in 27 days");
  assert.equal(toVoiceCard({ ...voice, retentionDays: 0 }, 1000).age, "made today");
  await voices.forget("voice_1");
  assert.deepEqual(voices.of("here", "mimic"), []);
});

test("reads an incomplete model list with defaults, and a choice fits its model", () => {
  const bare = toSpeechModel({ id: "bare" });
  assert.deepEqual(
    [bare.formats, bare.style, bare.cloning, bare.usdPerMillion],
    [["mp3"], "unknown", undefined, undefined],
  );
  const model = toSpeechModel({
    id: "m",
    model_spec: {
      voices: ["a", "b"],
      supported_formats: ["opus", "wav", "strange"],
      default_format: "opus",
      capabilities: { voice_cloning: { accepted_formats: ["wav"], min_sample_seconds: 2 } },
    },
  });
  assert.deepEqual(model.formats, ["opus", "wav"]);
  assert.deepEqual(model.cloning, { formats: ["wav"], minSeconds: 2, retentionDays: 0 });
  const choice = { ...firstChoice(model), voice: "voice_9", format: "mp3" as const };
  assert.deepEqual(fitted(choice, model, []), { ...choice, voice: "a", format: "opus" });
  assert.equal(fitted(choice, model, ["voice_9"]).voice, "voice_9");
});

test("a refusal is about the voice if the service names the field or the voice, and about nothing else", () => {
  const error = (status: number, message: string, field?: string) =>
    new ApiError(status === 404 ? "not-found" : "invalid-request", message, {
      status,
      ...(field === undefined ? {} : { issues: [{ field, message }] }),
    });
  const about = [
    error(400, "Invalid option: mimic has the voices gwen|ben", "voice"),
    error(400, "Voice vv_12 not found"),
    error(404, "No such voice_id: vv_12"),
    error(410, "vv_12 was deleted after 30 days"),
    error(422, "unknown", "body.voice"),
  ];
  const other = [
    error(400, "Too long", "input"),
    error(400, "The prompt must not name a voice", "prompt"),
    error(404, "The model mimic does not exist"),
    error(500, "The voice server is down"),
    error(402, "This voice costs more than your balance"),
    new Error("vv_12"),
  ];
  for (const each of about) assert.equal(isVoiceRefusal(each, "vv_12"), true, each.message);
  for (const each of other) assert.equal(isVoiceRefusal(each, "vv_12"), false, each.message);
  assert.equal(isVoiceRefusal(about[0], ""), false, "the model's own voice");
});

test("a voice that is gone is shown as such, is not chosen on its own, and offers another one", async () => {
  const state = new Map<string, unknown>();
  const voices = createClonedVoices({
    get: <T>(key: string, other?: T) => (state.get(key) ?? other) as T,
    update: async (key: string, value: unknown) => void state.set(key, value),
    keys: () => [...state.keys()],
  });
  const made = { name: "Me", modelId: "mimic", connectionId: "here", atMs: 0, retentionDays: 30 };
  await voices.add({ ...made, handle: "vv_1" });
  await voices.setGone("vv_1", true);
  await voices.setGone("gwen", true);
  const [voice] = voices.of("here", "mimic");
  assert.ok(voice);
  assert.equal(toVoiceCard(voice, 0).age, "no longer at the service");
  const model = { ...toSpeechModel({ id: "mimic" }), name: "Mimic", voices: ["gwen", "ben"] };
  const choice = { ...firstChoice(model), voice: "vv_1" };
  const problem = voiceProblem({ service: "Sandbox", voice: "vv_1", name: "Me", model, choice });
  assert.equal(
    problem.sentence,
    "Sandbox does not have the voice “Me” for Mimic any more. Read on with another voice, or clone it again.",
  );
  assert.deepEqual(
    problem.actions.map(({ id, label }) => [id, label]),
    [
      ["otherVoice", "Use gwen"],
      ["retry", "Retry"],
    ],
  );
  const own = voiceProblem({
    service: "S",
    voice: "x",
    name: undefined,
    model: { ...model, voices: [] },
    choice: { ...choice, voice: "x" },
  });
  assert.equal(own.actions[0]?.label, "Use the Model's Own Voice");
  await voices.setGone("vv_1", false);
  assert.equal(
    toVoiceCard(voices.of("here", "mimic")[0] ?? voice, 1000).age,
    "made today, deleted in 30 days",
  );
});
