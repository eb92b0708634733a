import type { AudioFormat } from "../../../api/endpoints/audio.ts";

/** wire.md section 7; services and browsers know some by other names as well. */
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

/** What a file is, by the type it came with; else what was asked for. */
export function audioFormatOf(contentType: string, asked: AudioFormat): AudioFormat {
  return byType[contentType.replace("/x-", "/")] ?? asked;
}

/** What a browser is told that a file is. PCM has no head and is played as WAV. */
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
