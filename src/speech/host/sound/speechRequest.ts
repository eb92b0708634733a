import { createHash } from "node:crypto";
import type { SpeechFormat } from "../../../shared/sound/speechFormats.ts";
import type { SpeechChoice, SpeechModelCard } from "../../protocol/speechProtocol.ts";

/** The request for one text (spec E7). */
export interface SpeechRequest {
  readonly input: string;
  readonly model: string;
  readonly response_format: SpeechFormat;
  readonly voice?: string;
  readonly speed?: number;
  readonly language?: string;
  readonly prompt?: string;
  readonly temperature?: number;
  readonly top_p?: number;
}

/** Options that a model does not support are omitted. */
export function toSpeechRequest(input: string, choice: SpeechChoice, model: SpeechModelCard): SpeechRequest {
  const { modelId, voice, format, speed, language, style, temperature, topP } = choice;
  return {
    input,
    model: modelId,
    response_format: format,
    ...(voice === "" ? {} : { voice }),
    ...(speed === 1 ? {} : { speed }),
    // One of a single letter is refused by name before it is sent (spec E7).
    ...(language === "" ? {} : { language }),
    ...(style === "" || model.style === "no" ? {} : { prompt: style }),
    ...(temperature === null || model.temperature === "no" ? {} : { temperature }),
    ...(topP === null || model.topP === "no" ? {} : { top_p: topP }),
  };
}

/** Key of a stored sound: equal for the same text and options at the same service. */
export function soundKey(service: string, request: SpeechRequest): string {
  const members = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([service, members]))
    .digest("hex")
    .slice(0, 40);
}
