import * as z from "zod";
import type { ErrorActionId } from "./errorActions.ts";
import { type SpeechFormat, speechFormats } from "./speechFormats.ts";
import { parseViewMessage, type ViewMessage } from "./viewMessage.ts";

// The view imports types alone from here, which keeps zod out of its bundle.

/** Whether a model heeds something; the listing may be silent. */
export type Support = "yes" | "no" | "unknown";

/** A speech model as the player shows it. */
export interface SpeechModelCard {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly voices: readonly string[];
  readonly formats: readonly SpeechFormat[];
  readonly style: Support;
  readonly temperature: Support;
  readonly topP: Support;
  /** Undefined where it makes no voices of samples. */
  readonly cloning: VoiceCloning | undefined;
  /** Undefined where the listing names no price. */
  readonly usdPerMillion: number | undefined;
}

export interface VoiceCloning {
  /** Empty: not told. */
  readonly formats: readonly string[];
  readonly minSeconds: number;
  /** 0: until the service says otherwise. */
  readonly retentionDays: number;
}

const optionalNumber = (low: number, high: number) => z.number().min(low).max(high).nullable();

/** How speech is asked for (spec E7). Null and empty texts leave it to the model. */
export const SpeechChoice = z.strictObject({
  modelId: z.string().max(200),
  voice: z.string().max(200),
  format: z.enum(speechFormats),
  speed: z.number().min(0.25).max(4),
  language: z.string().max(32),
  style: z.string().max(500),
  temperature: optionalNumber(0, 2),
  topP: optionalNumber(0, 1),
});
export type SpeechChoice = z.infer<typeof SpeechChoice>;

/** What of it is chosen anew: the rest stays as it is by then, which the page may not have heard of yet. */
export const SpeechChange = SpeechChoice.partial();
export type SpeechChange = z.infer<typeof SpeechChange>;

/** A voice that was made of a sample. */
export interface ClonedVoiceCard {
  readonly handle: string;
  readonly name: string;
  /** `today`, `3 days old`, with what the service says of its end. */
  readonly age: string;
}

/** What the player shows beside the sound. */
export interface PlayerState {
  /** Who speaks: the name of the connection. */
  readonly service: string;
  readonly isFree: boolean;
  readonly models: readonly SpeechModelCard[];
  /** Why there are no models; empty while they are read or there. */
  readonly modelsProblem: string;
  readonly choice: SpeechChoice;
  /** Those of the chosen model. */
  readonly clonedVoices: readonly ClonedVoiceCard[];
  /** Characters of what is read. */
  readonly characters: number;
  /** What reading all of it costs in USD; undefined where nobody says. */
  readonly totalUsd: number | undefined;
  /** What was paid for it so far, in USD. */
  readonly spentUsd: number | undefined;
  readonly problem: PlayerProblem | undefined;
  /** The sentence that is heard is marked where nobody sees it. */
  readonly isAway: boolean;
}

export interface PlayerProblem {
  readonly sentence: string;
  readonly actions: readonly { readonly id: ErrorActionId | PlayerAction; readonly label: string }[];
}
/** What the view itself can do about a problem, by way of the host. */
type PlayerAction = "saveFile" | "readOn";

/** Host → view. Sounds are told by an id; a clip covers the sentences from `first` to `last`. */
export type ToPlayer =
  | { readonly v: 1; readonly type: "state"; readonly state: PlayerState }
  | {
      readonly v: 1;
      readonly type: "load";
      readonly reading: string;
      readonly title: string;
      readonly sentences: readonly string[];
      /** Where to begin; it plays at once where the browser allows. */
      readonly index: number;
      readonly plays: boolean;
    }
  /** From this sentence on, what the view holds is no longer what is wanted. */
  | { readonly v: 1; readonly type: "forget"; readonly reading: string; readonly after: number }
  | {
      readonly v: 1;
      readonly type: "clip";
      readonly reading: string;
      readonly clip: string;
      readonly first: number;
      readonly last: number;
      /** Media type to play it as. */
      readonly mime: string;
      readonly format: SpeechFormat;
      readonly streams: boolean;
    }
  | { readonly v: 1; readonly type: "piece"; readonly clip: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly v: 1; readonly type: "clipEnd"; readonly clip: string }
  | {
      readonly v: 1;
      readonly type: "clipFailed";
      readonly reading: string;
      readonly clip: string;
      readonly index: number;
    }
  | { readonly v: 1; readonly type: "control"; readonly control: PlayerControl }
  | {
      readonly v: 1;
      readonly type: "preview";
      readonly voice: string;
      /** Undefined: it could not be had. */
      readonly bytes: Uint8Array<ArrayBuffer> | undefined;
      readonly mime: string;
    };

export type PlayerControl = "play" | "pause" | "toggle" | "next" | "previous";

const id = z.string().min(1).max(200);
const index = z.int().min(0).max(1_000_000);

/** View → host, by name. */
const bodies = {
  /** The page is there and empty; it can play and stream these formats. */
  ready: z.strictObject({ plays: z.array(z.enum(speechFormats)), streamsMp3: z.boolean() }),
  /** The sound of a sentence is needed, and soon that of the next; it holds clips that begin at these sentences. */
  want: z.strictObject({ reading: id, index, has: z.array(index).max(1000) }),
  /** This sentence is heard now. */
  at: z.strictObject({ reading: id, index }),
  playing: z.strictObject({ reading: id, isPlaying: z.boolean() }),
  ended: z.strictObject({ reading: id }),
  /** A sound that came can't be played here after all. */
  unplayable: z.strictObject({ reading: id, clip: id, index, format: z.enum(speechFormats) }),
  choose: z.strictObject({ change: SpeechChange }),
  preview: z.strictObject({ voice: z.string().max(200) }),
  cloneVoice: z.strictObject({}),
  forgetVoice: z.strictObject({ handle: id }),
  /** Brings the sentence that is heard into sight. */
  comeBack: z.strictObject({}),
  save: z.strictObject({}),
  stop: z.strictObject({}),
  reloadModels: z.strictObject({}),
  act: z.strictObject({ action: z.string().max(40), index: index.nullable() }),
};

export type FromPlayer = ViewMessage<typeof bodies>;

/** What the player said; undefined where it is nothing that a view of this version says. */
export function parseFromPlayer(message: unknown): FromPlayer | undefined {
  return parseViewMessage(bodies, message);
}
