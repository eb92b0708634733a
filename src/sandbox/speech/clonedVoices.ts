import { hashOf } from "../ids.ts";
import { badField } from "../refusal.ts";
import { sampleRate } from "./sound.ts";
import type { VoiceTraits } from "./speak.ts";
import { decodeWav } from "./wav.ts";

/** A voice from a sample. Only its own model can use it (spec E7). */
interface UploadedVoice {
  readonly id: string;
  readonly model: string;
  readonly traits: VoiceTraits;
}

/** Uploaded voices. They are lost when the sandbox stops. */
export interface UploadedVoices {
  /** Throws a 400 if the file is not a sample of a voice. */
  add(model: string, sample: Uint8Array): UploadedVoice;
  find(handle: string): UploadedVoice | undefined;
}

/** Of each dialect: `<handle_prefix>_<id>` (spec E7) and `vv_<id>` (wire.md section 2). */
export const handlePrefixes = { standard: "voice", venice: "vv" } as const;

const fewestSeconds = 1;
const mostVoices = 100;
/** A sample that never gets louder than this is silence. */
const silenceLevel = 300;

export function createUploadedVoices(prefix: string, newId: () => string): UploadedVoices {
  const voices = new Map<string, UploadedVoice>();
  return {
    add(model, sample) {
      const voice = { id: `${prefix}_${newId()}`, model, traits: traitsOf(sample) };
      voices.set(voice.id, voice);
      const [oldest] = voices.keys();
      if (voices.size > mostVoices && oldest !== undefined) voices.delete(oldest);
      return voice;
    },
    find: (handle) => voices.get(handle),
  };
}

/** Another sample gives another voice. It need not resemble the sample. */
function traitsOf(sample: Uint8Array): VoiceTraits {
  const samples = decodeWav(sample);
  if (!samples) throw badField(["file"], "Must be a WAV file");
  const seconds = samples.length / sampleRate;
  if (seconds < fewestSeconds) {
    throw badField(["file"], `Too short: ${seconds.toFixed(1)} s, at least ${fewestSeconds} s expected`);
  }
  if (!samples.some((sample) => Math.abs(sample) > silenceLevel))
    throw badField(["file"], "The sample is silent");
  const hash = hashOf(Buffer.from(sample).toString("latin1"));
  return { variant: hash % 2 === 0 ? "f3" : "m3", pitchHz: 90 + (hash % 140) };
}
