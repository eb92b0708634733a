import type { AudioFormat } from "../../../api/endpoints/audio.ts";

/** wire.md section 7; some services and browsers use other names. */
const byType: Readonly<Record<string, AudioFormat>> = {
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/opus": "opus",
  "audio/ogg": "opus",
  "audio/aac": "aac",
  "audio/flac": "flac",
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/pcm": "pcm",
  "audio/l16": "pcm",
};

/** The format by the content type of the response; else the requested one. */
export function audioFormatOf(contentType: string, requested: AudioFormat): AudioFormat {
  return byType[contentType.replace("/x-", "/")] ?? requested;
}

/** MIME types for the browser. PCM has no header and is played as WAV. */
export const playableTypes: Readonly<Record<AudioFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/wav",
};

export const formatNames: Readonly<Record<AudioFormat, string>> = {
  mp3: "MP3",
  opus: "Opus",
  aac: "AAC",
  flac: "FLAC",
  wav: "WAV",
  pcm: "PCM",
};
