import * as z from "zod";
import { checkRequest } from "../checkRequest.ts";
import { type FilePart, isFilePart } from "../http/request/filePart.ts";
import { badField } from "../refusal.ts";
import type { UploadedVoices } from "./clonedVoices.ts";
import type { SpeechModel } from "./models.ts";
import type { WrittenFormat } from "./sound.ts";
import type { SpeechOrder, VoiceTraits } from "./speak.ts";

const Speech = z.strictObject({
  input: z.string().min(1).max(4096),
  model: z.string().min(1),
  voice: z.string().min(1).optional(),
  response_format: z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]).optional(),
  speed: z.number().min(0.25).max(4).default(1),
  streaming: z.boolean().default(false),
  language: z.string().min(2).max(32).optional(),
  prompt: z.string().max(500).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
});
export type Speech = z.infer<typeof Speech>;

/** spec E7; names from wire.md section 7. */
export function readSpeech(input: unknown): Speech {
  return checkRequest(Speech, input);
}

const VoiceUpload = z.strictObject({
  file: z.custom<FilePart>(isFilePart, "Must be a file"),
  model: z.string().min(1),
});

/** wire.md section 1. */
export function readVoiceUpload(input: unknown): z.infer<typeof VoiceUpload> {
  return checkRequest(VoiceUpload, input);
}

/** Throws a 400 if the model does not have the format or the voice. */
export function toSpeechOrder(
  request: Speech,
  model: SpeechModel,
  voices: UploadedVoices,
  program: string | undefined,
): SpeechOrder {
  const { input: text, language, streaming, temperature = 0 } = request;
  const plain = { voice: voiceOf(request.voice, model, voices), speed: request.speed };
  const { voice, speed } = model.takesStyle ? styled(request.prompt ?? "", plain.voice, plain.speed) : plain;
  return {
    text,
    voice,
    speed,
    language,
    streaming,
    program,
    format: formatOf(request, model),
    liveliness: model.takesTemperature ? temperature : 0,
  };
}

function formatOf(
  { response_format: wanted }: Speech,
  { id, formats, defaultFormat }: SpeechModel,
): WrittenFormat {
  const format = wanted === undefined ? defaultFormat : formats.find((one) => one === wanted);
  if (format) return format;
  throw badField(["response_format"], `Invalid option: ${id} writes ${formats.join("|")}`);
}

function voiceOf(name: string | undefined, model: SpeechModel, voices: UploadedVoices): VoiceTraits {
  const cloned = name === undefined ? undefined : voices.find(name);
  if (cloned && cloned.model !== model.id) {
    throw badField(
      ["voice"],
      `The voice ${name} was made for ${cloned.model}, it can't be used with ${model.id}`,
    );
  }
  if (cloned) return cloned.traits;
  const own = name ?? model.voices[0] ?? "";
  const traits = model.voices.includes(own) && Object.hasOwn(voiceTraits, own) ? voiceTraits[own] : undefined;
  if (traits) return traits;
  throw badField(["voice"], `Invalid option: ${model.id} has the voices ${model.voices.join("|")}`);
}

/** Changes that words of a style prompt make. */
const styles: readonly { readonly words: RegExp; readonly pitch: number; readonly speed: number }[] = [
  { words: /\b(calm|sad|slow|whisper)/, pitch: 0.92, speed: 0.85 },
  { words: /\b(cheerful|excited|fast|happy)/, pitch: 1.15, speed: 1.2 },
  { words: /\bdeep\b/, pitch: 0.8, speed: 1 },
];

/** Applies a style prompt to a voice and its speed (spec E7). Unknown words are ignored. */
function styled(
  prompt: string,
  voice: VoiceTraits,
  speed: number,
): { readonly voice: VoiceTraits; readonly speed: number } {
  const found = styles.filter(({ words }) => words.test(prompt.toLowerCase()));
  return found.reduce(
    (now, style) => ({
      voice: { ...now.voice, pitchHz: now.voice.pitchHz * style.pitch },
      speed: now.speed * style.speed,
    }),
    { voice, speed },
  );
}

/** The voices of the sandbox's models. */
const voiceTraits: Readonly<Record<string, VoiceTraits>> = {
  ada: { variant: "f3", pitchHz: 205 },
  ben: { variant: "m3", pitchHz: 112 },
  cleo: { variant: "f5", pitchHz: 230 },
  dora: { variant: "f2", pitchHz: 180 },
  emil: { variant: "m7", pitchHz: 98 },
  finn: { variant: "m1", pitchHz: 130 },
  gwen: { variant: "f4", pitchHz: 215 },
};
