import { badField } from "../refusal.ts";
import { hashOf } from "../state/ids.ts";
import { sampleRate } from "./sound.ts";
import type { VoiceTraits } from "./speak.ts";
import { decodeWav } from "./wav.ts";

/** A voice from a sample. Only its own model can use it (spec E7). */
interface UploadedVoice {
  readonly id: string;
  readonly model: string;
  readonly traits: VoiceTraits;
}

/**
 * Uploaded voices. A handle contains all of its voice, so that sandboxes of other windows and later ones know it, too.
 */
export interface UploadedVoices {
  /** Throws a 400 if the file is not a sample of a voice. */
  add(model: string, sample: Uint8Array): UploadedVoice;
  /** Undefined for a handle of another service. */
  find(handle: string): UploadedVoice | undefined;
}

/** By their digit in a handle. */
const variants: readonly string[] = ["f3", "m3"];
const lowestHz = 90;
const rangeHz = 140;

/** Of each dialect: `<handle_prefix>_<id>` (spec E7) and `vv_<id>` (wire.md section 2). */
export const handlePrefixes = { standard: "voice", venice: "vv" } as const;

const fewestSeconds = 1;
/** A sample that never gets louder than this is silence. */
const silenceLevel = 300;

/** `newId` returns 16 hexadecimal digits. */
export function createUploadedVoices(prefix: string, newId: () => string): UploadedVoices {
  return {
    add(model, sample) {
      const traits = traitsOf(sample);
      return { id: `${prefix}_${sealed(toDigits(model, traits, newId()))}`, model, traits };
    },
    find(handle) {
      const digits = handle.startsWith(`${prefix}_`) ? handle.slice(prefix.length + 1) : "";
      const voice = fromDigits(digits.slice(sealDigits));
      return voice && sealed(digits.slice(sealDigits)) === digits ? { id: handle, ...voice } : undefined;
    },
  };
}

const sealDigits = 8;

/** The digits after a checksum, because a mistyped handle is no voice. */
function sealed(digits: string): string {
  return hashOf(digits).toString(16).padStart(sealDigits, "0") + digits;
}

/** One digit for the variant, two for the pitch, 16 of the id, and the bytes of the model's name. */
function toDigits(model: string, { variant, pitchHz }: VoiceTraits, id: string): string {
  const pitch = (pitchHz - lowestHz).toString(16).padStart(2, "0");
  return `${variants.indexOf(variant)}${pitch}${id}${Buffer.from(model).toString("hex")}`;
}

function fromDigits(digits: string): Omit<UploadedVoice, "id"> | undefined {
  const [, variant = "", pitch = "", model = ""] =
    /^([01])(\w\w)\w{16}((?:[0-9a-f]{2})+)$/.exec(digits) ?? [];
  const name = variants[Number(variant)];
  if (model === "" || name === undefined) return undefined;
  const traits = { variant: name, pitchHz: lowestHz + Number.parseInt(pitch, 16) };
  return { model: Buffer.from(model, "hex").toString(), traits };
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
  return { variant: hash % 2 === 0 ? "f3" : "m3", pitchHz: lowestHz + (hash % rangeHz) };
}
