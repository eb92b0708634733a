import type { Model } from "../../../api/endpoints/models.ts";
import { isDefaultModel } from "../../../api/endpoints/models.ts";
import { inputAmount } from "../../../api/money/estimate.ts";
import { type SpeechFormat, speechFormats } from "../../../shared/sound/speechFormats.ts";
import type { SpeechChoice, SpeechModelCard, Support, VoiceCloning } from "../../protocol/speechProtocol.ts";

/** Converts a model record for the player (wire.md section 4). */
export function toSpeechModel(model: Model): SpeechModelCard {
  const spec = model.model_spec ?? {};
  const supported = spec.supported_formats ?? [];
  const formats = speechFormats.filter((format) => supported.includes(format));
  const own = toFormat(spec.default_format);
  return {
    id: model.id,
    name: spec.name ?? model.id,
    description: spec.description ?? "",
    voices: spec.voices ?? [],
    formats: formats.length > 0 ? formats : [own ?? "mp3"],
    style: support(spec.supportsPromptParam),
    temperature: support(spec.supportsTemperatureParam),
    topP: support(spec.supportsTopPParam),
    cloning: toCloning(spec.voice_cloning ?? spec.capabilities?.voice_cloning),
    usdPerMillion: inputAmount(model, 1_000_000).usd?.[0],
  };
}

function toFormat(name: string | null | undefined): SpeechFormat | undefined {
  return speechFormats.find((format) => format === name);
}

function support(flag: boolean | null | undefined): Support {
  if (flag === true) return "yes";
  return flag === false ? "no" : "unknown";
}

function toCloning(value: unknown): VoiceCloning | undefined {
  if (value === undefined || value === null || value === false) return undefined;
  const members = typeof value === "object" ? (value as Readonly<Record<string, unknown>>) : {};
  const formats = Array.isArray(members.accepted_formats) ? members.accepted_formats.map(String) : [];
  return {
    formats,
    minSeconds: numberOf(members.min_sample_seconds),
    retentionDays: numberOf(members.retention_days),
  };
}

function numberOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}

/** Default options of a model: MP3 if available, because it can be played while it arrives. */
export function firstChoice(model: SpeechModelCard): SpeechChoice {
  return {
    modelId: model.id,
    voice: model.voices[0] ?? "",
    format: model.formats.includes("mp3") ? "mp3" : (model.formats[0] ?? "mp3"),
    speed: 1,
    language: "",
    style: "",
    temperature: null,
    topP: null,
  };
}

/** The default model: the service's default if it supports MP3, else the first one that does, else the default. */
export function firstModel(models: readonly Model[]): SpeechModelCard | undefined {
  const offered = models.filter(({ model_spec: spec }) => !spec?.offline);
  const sorted = [...offered]
    .sort((a, b) => Number(isDefaultModel(b)) - Number(isDefaultModel(a)))
    .map(toSpeechModel);
  return sorted.find(({ formats }) => formats.includes("mp3")) ?? sorted[0];
}

/** Limits a stored choice to the current options of the model. The caller checks handles of cloned voices. */
export function fitted(
  choice: SpeechChoice,
  model: SpeechModelCard,
  handles: readonly string[],
): SpeechChoice {
  const first = firstChoice(model);
  const hasVoice = model.voices.includes(choice.voice) || handles.includes(choice.voice);
  return {
    ...choice,
    modelId: model.id,
    voice: hasVoice ? choice.voice : first.voice,
    format: model.formats.includes(choice.format) ? choice.format : first.format,
  };
}
