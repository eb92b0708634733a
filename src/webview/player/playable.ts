import { type SpeechFormat, speechFormats } from "../../shared/speechFormats.ts";

const types: Readonly<Record<SpeechFormat, readonly string[]>> = {
  mp3: ["audio/mpeg"],
  opus: ['audio/ogg; codecs="opus"'],
  aac: ["audio/aac"],
  flac: ["audio/flac"],
  wav: ["audio/wav"],
  // It comes with the head of a WAV file.
  pcm: ["audio/wav"],
};

/** What this browser says it can play: desktop builds of the editor lack some (AAC, Opus). */
export function playableFormats(): SpeechFormat[] {
  const probe = document.createElement("audio");
  return speechFormats.filter((format) => types[format].some((type) => probe.canPlayType(type) !== ""));
}

export function streamsMp3(): boolean {
  return typeof MediaSource !== "undefined" && MediaSource.isTypeSupported("audio/mpeg");
}
