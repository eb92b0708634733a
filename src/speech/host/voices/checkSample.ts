import { latin1 } from "../../../shared/bytes.ts";
import type { VoiceCloning } from "../../protocol/speechProtocol.ts";
import { readWav, wavSeconds } from "../formats/wav.ts";

const maxMegabytes = 25;
/** Size limit of an upload (spec, Other limits). */
export const maxBytes = maxMegabytes * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  webm: "audio/webm",
};

/** The format of a file by its first bytes; undefined if it is unknown. */
function soundKind(bytes: Uint8Array): string | undefined {
  const start = latin1(bytes, 0, 12);
  if (/^RIFF[\s\S]{4}WAVE/.test(start)) return "wav";
  if (start.startsWith("fLaC")) return "flac";
  if (start.startsWith("OggS")) return "ogg";
  if (/^[\s\S]{4}ftyp/.test(start)) return "m4a";
  if (start.startsWith("\x1aE\xdf\xa3")) return "webm";
  if (/^\xff[\xf0\xf1\xf8\xf9]/.test(start)) return "aac";
  if (start.startsWith("ID3") || /^\xff[\xe2-\xff]/.test(start)) return "mp3";
  return undefined;
}

/** The media type of a sample, or the violated rule; the size is checked before the bytes. */
export function checkSample(
  name: string,
  size: number,
  bytes: Uint8Array,
  cloning: VoiceCloning,
): { readonly type: string } | { readonly problem: string } {
  if (size === 0) return { problem: `${name} is empty.` };
  if (size > maxBytes) {
    const megabytes = (Math.ceil((size / 1024 / 1024) * 10) / 10).toFixed(1);
    return { problem: `${name} has ${megabytes} MB. The limit is ${maxMegabytes} MB.` };
  }
  const kind = soundKind(bytes);
  if (!kind) return { problem: `${name} is not a sound file. The model accepts ${listOf(cloning)}.` };
  if (!accepts(cloning, kind))
    return {
      problem: `${name} is ${kind.toUpperCase()}; the model accepts ${listOf(cloning)}.`,
    };
  const wav = kind === "wav" ? readWav(bytes) : undefined;
  const seconds = wav && wavSeconds(wav);
  if (seconds !== undefined && seconds < cloning.minSeconds) {
    const least = `${cloning.minSeconds} s`;
    return { problem: `${name} is ${seconds.toFixed(1)} s long. The minimum is ${least}.` };
  }
  return { type: types[kind] ?? "application/octet-stream" };
}

/** Names that services use for the same format. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  ogg: ["ogg", "opus"],
  m4a: ["m4a", "mp4"],
  mp3: ["mp3", "mpeg"],
};

function accepts({ formats }: VoiceCloning, kind: string): boolean {
  return formats.length === 0 || (aliases[kind] ?? [kind]).some((name) => formats.includes(name));
}

function listOf({ formats }: VoiceCloning): string {
  return formats.length === 0
    ? "WAV, MP3, FLAC, OGG, M4A"
    : formats.map((format) => format.toUpperCase()).join(", ");
}

/** File extensions for the open dialog. */
export function sampleExtensions({ formats }: VoiceCloning): string[] {
  return formats.length === 0 ? ["wav", "mp3", "flac", "ogg", "m4a"] : [...formats];
}
