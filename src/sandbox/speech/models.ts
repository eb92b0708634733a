import type { CatalogSpec } from "../catalog/modelRecord.ts";
import { type WrittenFormat, writtenFormats } from "./sound.ts";

export interface SpeechCard {
  readonly id: string;
  readonly spec: CatalogSpec;
}

const common = { privacy: "private", offline: false } as const;

/** The speech models of the listing (wire.md section 4). Each has its own formats and voices. */
export const speechModels: readonly SpeechCard[] = [
  {
    id: "speaker",
    spec: {
      ...common,
      name: "Speaker",
      description: "Reads text aloud, without loss.",
      traits: ["default"],
      pricing: { input: { usd: 3.5, diem: 3.5 } },
      voices: ["ada", "ben", "cleo"],
      supported_formats: ["wav", "flac", "pcm"],
      default_format: "wav",
      supportsPromptParam: false,
      supportsTemperatureParam: false,
      supportsTopPParam: false,
    },
  },
  {
    id: "narrator",
    spec: {
      ...common,
      name: "Narrator",
      description: "Reads text aloud in the manner that a style prompt names.",
      traits: ["fastest"],
      pricing: { input: { usd: 6, diem: 6 } },
      voices: ["dora", "emil", "finn"],
      supported_formats: ["mp3", "aac", "wav", "pcm"],
      default_format: "mp3",
      supportsPromptParam: true,
      supportsTemperatureParam: true,
      supportsTopPParam: false,
    },
  },
  {
    id: "mimic",
    spec: {
      ...common,
      name: "Mimic",
      description: "Speaks with a voice that it makes from your upload.",
      traits: ["highest_quality"],
      pricing: { input: { usd: 12, diem: 12 } },
      voices: ["gwen", "ben"],
      supported_formats: ["opus", "mp3", "wav", "pcm"],
      default_format: "opus",
      supportsPromptParam: false,
      supportsTemperatureParam: true,
      supportsTopPParam: false,
      voice_cloning: { mode: "instant", accepted_formats: ["wav"], min_sample_seconds: 1, retention_days: 0 },
    },
  },
];

/** A speech model as its listing describes it. */
export interface SpeechModel {
  readonly id: string;
  readonly voices: readonly string[];
  readonly formats: readonly WrittenFormat[];
  readonly defaultFormat: WrittenFormat;
  readonly takesStyle: boolean;
  readonly takesTemperature: boolean;
  readonly clonesVoices: boolean;
  /** USD per million characters. */
  readonly usdPerMillion: number;
}

/** Reads a record of the listing. Ignores formats that the spec does not have. */
export function toVoiceModel(record: { readonly id: string; readonly model_spec: object }): SpeechModel {
  const spec = record.model_spec as {
    voices?: readonly string[];
    supported_formats?: readonly string[];
    default_format?: string;
    supportsPromptParam?: boolean;
    supportsTemperatureParam?: boolean;
    voice_cloning?: unknown;
    pricing?: { input?: { usd: number } };
  };
  const formats = writtenFormats.filter((format) => spec.supported_formats?.includes(format));
  return {
    id: record.id,
    voices: spec.voices ?? [],
    formats,
    defaultFormat: formats.find((format) => format === spec.default_format) ?? formats[0] ?? "wav",
    takesStyle: spec.supportsPromptParam === true,
    takesTemperature: spec.supportsTemperatureParam === true,
    clonesVoices: spec.voice_cloning !== undefined,
    usdPerMillion: spec.pricing?.input?.usd ?? 0,
  };
}
