import type { Memento } from "vscode";
import type { ClonedVoiceCard } from "../../protocol/speechProtocol.ts";

/** A cloned voice. It works only with its own model and service (spec E7). */
export interface ClonedVoice {
  readonly handle: string;
  readonly name: string;
  readonly modelId: string;
  readonly connectionId: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  /** 0 if the service reports none. */
  readonly retentionDays: number;
  /** The service said that it does not have the voice. */
  readonly isGone?: boolean;
}

/** The service has no list of cloned voices, so they are stored here. */
export interface ClonedVoices {
  of(connectionId: string, modelId: string): readonly ClonedVoice[];
  add(voice: ClonedVoice): Promise<void>;
  forget(handle: string): Promise<void>;
  /** The service does not know the voice any more, or knows it again. */
  setGone(handle: string, isGone: boolean): Promise<void>;
  find(handle: string): ClonedVoice | undefined;
}

const voicesKey = "speech.clonedVoices";
const dayMs = 86_400_000;

/** Stored in the global state. */
export function createClonedVoices(state: Memento): ClonedVoices {
  const all = () => state.get<readonly ClonedVoice[]>(voicesKey, []);
  return {
    of: (connectionId, modelId) =>
      all().filter((voice) => voice.connectionId === connectionId && voice.modelId === modelId),
    add: async (voice) => state.update(voicesKey, [...all(), voice]),
    forget: async (handle) =>
      state.update(
        voicesKey,
        all().filter((voice) => voice.handle !== handle),
      ),
    async setGone(handle, isGone) {
      if (!all().some((voice) => voice.handle === handle && (voice.isGone ?? false) !== isGone)) return;
      const next = all().map((voice) => (voice.handle === handle ? { ...voice, isGone } : voice));
      await state.update(voicesKey, next);
    },
    find: (handle) => all().find((voice) => voice.handle === handle),
  };
}

export function toVoiceCard(
  { handle, name, atMs, retentionDays, isGone }: ClonedVoice,
  nowMs: number,
): ClonedVoiceCard {
  if (isGone) return { handle, name, age: "no longer at the service" };
  const days = Math.floor((nowMs - atMs) / dayMs);
  const old = days <= 0 ? "made today" : days === 1 ? "1 day old" : `${days} days old`;
  const left = retentionDays - days;
  const end = left > 1 ? `deleted in ${left} days` : left === 1 ? "deleted in 1 day" : "may be deleted";
  return { handle, name, age: retentionDays === 0 ? old : `${old}, ${end}` };
}
