import { badField } from "../refusal.ts";
import { pitchOf } from "./pitch.ts";
import { sampleRate } from "./sound.ts";
import type { VoiceTraits } from "./speak.ts";
import { decodeWav } from "./wav.ts";

/** A voice made of a sample; it may be used with its own model only (spec E7). */
interface UploadedVoice {
  readonly id: string;
  readonly model: string;
  readonly traits: VoiceTraits;
}

/** The voices that callers have uploaded. They live as long as the sandbox runs. */
export interface UploadedVoices {
  /** Throws the 400 of a file that is no sample of a voice. */
  add(model: string, sample: Uint8Array): UploadedVoice;
  find(handle: string): UploadedVoice | undefined;
}

/** Of each dialect: `<handle_prefix>_<id>` (spec E7) and `vv_<id>` (wire.md section 2). */
export const handlePrefixes = { standard: "voice", venice: "vv" } as const;

const fewestSeconds = 1;
const mostVoices = 100;
/** Above this a voice gets the timbre of a woman's. */
const highPitchHz = 165;

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

function traitsOf(sample: Uint8Array): VoiceTraits {
  const samples = decodeWav(sample);
  if (!samples) throw badField(["file"], "Must be a WAV file");
  const seconds = samples.length / sampleRate;
  if (seconds < fewestSeconds) {
    throw badField(["file"], `Too short: ${seconds.toFixed(1)} s, at least ${fewestSeconds} s expected`);
  }
  const pitchHz = pitchOf(samples);
  if (pitchHz === undefined) throw badField(["file"], "No voice can be heard in it");
  return { variant: pitchHz > highPitchHz ? "f3" : "m3", pitchHz };
}
